import type { StoredToken } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { HandOver } from '../../shared/ui/sharing/hand-over.tsx'
import { useVaultCheck } from '../../shared/vault/use-vault-check.ts'
import { explainRule } from '../../shared/words/explain-refusal.ts'
import { REQUEST } from '../../shared/words/payment-commands.ts'
import { moment } from '../../shared/words/when.ts'
import { RequestSentence } from './request-sentence.tsx'

interface InvokeResultProps {
  signed: StoredToken
  onAgain: () => void
  onDone: () => void
}

/** A request that was just signed: what it asks, whether it would be accepted, and its text to hand over. */
export function InvokeResult({ signed, onAgain, onDone }: InvokeResultProps) {
  const { t } = useLingui()
  const title = useRef<HTMLSpanElement>(null)
  // The form that had the focus is gone.
  useEffect(() => title.current?.focus(), [])
  const end = signed.expiresAt === undefined ? undefined : moment(signed.expiresAt)
  return (
    <Card
      title={
        <span ref={title} tabIndex={-1} className="outline-none">
          <Trans>Signed request</Trans>
        </span>
      }
      actions={
        <>
          <Button size="small" onClick={onAgain}>
            <Trans>Another request</Trans>
          </Button>
          <Button size="small" onClick={onDone}>
            <Trans>Back to the list</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <RequestSentence signed={signed} />
        <Verdict signed={signed} />
        <HandOver text={signed.token} label={t`request`} what={t`the request`} tone="primary" />
        <p className="text-ink-soft text-sm">
          {end === undefined ? (
            <Trans>It carries its whole chain, so anyone can check it offline. It works once.</Trans>
          ) : (
            <Trans>
              It carries its whole chain, so anyone can check it offline. It works once, until {end}.
            </Trans>
          )}
        </p>
      </div>
    </Card>
  )
}

/** What the service will find. */
function Verdict({ signed }: { signed: StoredToken }) {
  const { t } = useLingui()
  const { token: invocation, audienceDid: audience } = signed
  const { found: result, error } = useVaultCheck(['request', invocation, audience ?? ''], (vault) =>
    vault.tokens.validate({ invocation, audience }),
  )
  if (error !== undefined) return <Failure error={error} />
  if (!result) return null
  if (result.valid && signed.command === REQUEST) {
    return (
      <Notice tone="good" title={t`It fits your mandate.`}>
        <Trans>
          Its giver still has to approve it, and may have ended the mandate or used up its budget.
        </Trans>
      </Notice>
    )
  }
  if (result.valid) {
    return (
      <Notice tone="good" title={t`It should be accepted.`}>
        <Trans>
          Signatures, dates, commands and limits check out. The recipient decides, and may know of a
          revocation.
        </Trans>
      </Notice>
    )
  }
  const { title, advice } = explainRule(result.error)
  return (
    <Notice tone="bad" title={title}>
      {advice}
    </Notice>
  )
}
