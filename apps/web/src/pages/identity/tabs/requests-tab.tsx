import { useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { Gate } from '../../../features/account/gate.tsx'
import { CallView } from '../../../features/inspect/call-view.tsx'
import { ReportView } from '../../../features/inspect/report-view.tsx'
import { useTextDraft } from '../../../shared/hooks/drafts.ts'
import { tooLong } from '../../../shared/text/too-long.ts'
import { FileDrop } from '../../../shared/ui/fields/file-drop.tsx'
import { TextArea } from '../../../shared/ui/fields/text-area.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { ScanButton } from '../../../shared/ui/sharing/scan-button.tsx'
import { recognise } from '../../../shared/words/recognise.ts'
import { AskedByText } from './asked-by-text.tsx'
import { AskedPayment } from './asked-payment.tsx'

// The page that checks tokens shows these once there is a text. A script of their own would add a digest to every page.
export { AskedByText, AskedPayment, CallView, ReportView }

/** The draft of a request that came from elsewhere. */
const REQUEST_DRAFT = 'payment-request'

/** Answers a request for a grant or a payment without a connection: a text in, a text out. */
export function RequestsTab() {
  const { t } = useLingui()
  const [text, setText] = useTextDraft(REQUEST_DRAFT)
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const request = recognise(text)
  const change = (next: string) => {
    setProblem(undefined)
    setText(next)
  }
  const another = () => {
    change('')
    field.current?.focus()
  }
  const wrong =
    text.trim() === '' || request.kind === 'token' || request.kind === 'request' || tooLong(text)
      ? undefined
      : t`This isn’t a request. A request is one long text of letters and digits. Paste all of it.`
  return (
    <Gate need="account" purpose={t`answer a request`}>
      <div className="flex flex-col gap-6">
        <Card
          title={t`Answer a request`}
          description={t`Paste a request you were sent: for a grant, or for a payment under a mandate. You review it, then approve or decline it.`}
          actions={<ScanButton what={t`a request`} onText={change} />}
        >
          <div className="flex flex-col gap-4">
            <TextArea
              ref={field}
              label={t`Request`}
              mono
              rows={4}
              placeholder={t`Paste the request`}
              value={text}
              onValueChange={change}
              error={problem ?? wrong}
            />
            <FileDrop onText={change} onProblem={setProblem} />
          </div>
        </Card>
        {request.kind === 'token' && !tooLong(text) ? (
          <AskedPayment request={request.value} onAnother={another} />
        ) : request.kind === 'request' && !tooLong(text) ? (
          <AskedByText key={request.value} text={request.value} onAnother={another} />
        ) : null}
      </div>
    </Gate>
  )
}
