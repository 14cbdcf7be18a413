import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ScanButton } from '../../components/scan-button.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { tooLong } from '../../components/too-long.ts'
import { Gate } from '../account/gate.tsx'
import { useTextDraft } from '../common/drafts.ts'
import { FileDrop } from '../common/file-drop.tsx'
import { recognise } from '../words/recognise.ts'
import { RequestReview } from './request-review.tsx'

/** The draft of a request that came from elsewhere. */
export const REQUEST_DRAFT = 'payment-request'

/** Answers what the holder of a mandate asks for, without a connection: a text in, a text out. */
export function RequestsTab() {
  const { t } = useLingui()
  const [text, setText] = useTextDraft(REQUEST_DRAFT)
  const [problem, setProblem] = useState<string>()
  const request = recognise(text)
  const change = (next: string) => {
    setProblem(undefined)
    setText(next)
  }
  const wrong =
    text.trim() === '' || request.kind === 'token' || tooLong(text)
      ? undefined
      : t`This is no request: a request is one long text of letters and digits. Paste all of it.`
  return (
    <Gate need="unlocked" purpose={t`answer a request for a payment`}>
      <div className="flex flex-col gap-6">
        <Card
          title={t`Answer a request`}
          description={t`Whoever holds a mandate with a budget sends a request for each payment. You look at it, countersign it, and send the answer back.`}
          actions={<ScanButton what={t`a request`} onText={change} />}
        >
          <div className="flex flex-col gap-4">
            <TextArea
              label={t`Request`}
              mono
              rows={4}
              placeholder={t`Paste it here, in any encoding`}
              value={text}
              onValueChange={change}
              error={problem ?? wrong}
            />
            <FileDrop onText={change} onProblem={setProblem} />
          </div>
        </Card>
        {request.kind === 'token' && !tooLong(text) ? (
          <Card
            title={t`What it asks for`}
            actions={
              <Button size="small" onClick={() => change('')}>
                <Trans>Another request</Trans>
              </Button>
            }
          >
            <RequestReview key={request.value} request={request.value} />
          </Card>
        ) : null}
      </div>
    </Gate>
  )
}
