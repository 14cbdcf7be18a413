import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../../shared/ui/feedback/progress.tsx'
import type { Sent } from './send-answer.ts'

interface DeliveryProps {
  /** What happens to the answer. */
  sent: Promise<Sent>
  again: () => Promise<Sent>
}

/** Whether the answer has reached the mailbox or the page, and what to do if not. */
export default function Delivery({ sent, again }: DeliveryProps) {
  const { t } = useLingui()
  const [sending, setSending] = useState(sent)
  const [result, setResult] = useState<Sent>()
  useEffect(() => {
    let isShown = true
    sending.then((came) => isShown && setResult(came))
    return () => {
      isShown = false
    }
  }, [sending])
  switch (result) {
    case undefined:
      return <Progress label={t`Sending the answer…`} value={null} />
    case 'sent':
      return (
        <Notice tone="good" title={t`Answer sent`}>
          <Trans>The program that asked gets it now. You can close this window.</Trans>
        </Notice>
      )
    case 'failed':
      return (
        <Notice
          tone="bad"
          title={t`The answer wasn’t sent`}
          actions={
            <Button
              size="small"
              onClick={() => {
                setResult(undefined)
                setSending(again())
              }}
            >
              <Trans>Try again</Trans>
            </Button>
          }
        >
          <Trans>
            The relay can’t be reached. Check your connection and try again, or hand your answer over
            yourself.
          </Trans>
        </Notice>
      )
    default:
      return (
        <Notice tone="warn" title={t`The answer wasn’t sent`}>
          <Why of={result} />
        </Notice>
      )
  }
}

function Why({ of }: { of: Exclude<Sent, 'sent' | 'failed'> }) {
  switch (of) {
    case 'expired':
      return (
        <Trans>
          The program has stopped waiting, because a request is open for ten minutes. It can ask again.
        </Trans>
      )
    case 'taken':
      return (
        <Trans>
          Someone else who has seen the request filled its mailbox. Hand your answer over yourself.
        </Trans>
      )
    case 'too-long':
      return <Trans>It’s too long for a mailbox. Hand it over yourself.</Trans>
    case 'elsewhere':
      return <Trans>Your vault only sends to its own relay. Hand your answer over yourself.</Trans>
  }
}
