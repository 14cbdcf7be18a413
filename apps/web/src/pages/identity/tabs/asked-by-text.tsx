import { useLingui } from '@lingui/react/macro'
import { AskedGrant } from '../../../features/inspect/asked-grant.tsx'
import { readRequestText } from '../../../shared/requests/request-text.ts'
import { requestIn } from '../../../shared/text/request-in.ts'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { AskedPayment } from './asked-payment.tsx'

interface AskedByTextProps {
  /** A text request, or a link with one. */
  text: string
  /** Puts it away. */
  onAnother: () => void
}

/** A request that a program made as text: for a grant, or for a payment. */
export function AskedByText({ text, onAnother }: AskedByTextProps) {
  const { t } = useLingui()
  const read = readRequestText(text)
  if ('refusal' in read)
    return (
      <Notice tone="bad" title={t`This request can’t be answered.`}>
        {read.refusal.code === 'TOO_BROAD'
          ? t`It asks for more than Keyhole grants on request. You can grant that by hand, to someone you know.`
          : t`Part of it is missing, or it isn’t a valid request. Ask for a new one.`}
      </Notice>
    )
  const { request, name } = read
  if (request.kind === 'payment') return <AskedPayment request={request.invocation} onAnother={onAnother} />
  return <AskedGrant request={request} name={name} text={requestIn(text) ?? ''} />
}
