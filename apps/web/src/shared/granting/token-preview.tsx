import { Trans, useLingui } from '@lingui/react/macro'
import { SentenceView } from '../grant-words/sentence-view.tsx'
import type { Spending } from '../grant-words/spending.ts'
import type { LimitLink } from '../grant-words/verdict.ts'
import { exactJson } from '../policy/json.ts'
import { isUnlimited } from '../policy/simplify.ts'
import { TryCall } from '../policy-editor/try-call.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Fold } from '../ui/layout/fold.tsx'
import { CodeBlock } from '../ui/text/code-block.tsx'
import type { Contacts } from '../words/who.ts'
import { EffectView } from './effect-view.tsx'
import { type PayloadDraft, payloadPreview } from './preview.ts'

interface TokenPreviewProps {
  payload: PayloadDraft
  contacts: Contacts
  /** Whether the fields say enough for a sentence. */
  ready: boolean
  /** Limits of the links above it, which hold as well. */
  inherited?: readonly unknown[] | undefined
  /** What the vault counts besides. */
  spending?: Spending | undefined
  /** What a call under it would meet, root first; absent while its command cannot be read. */
  links?: readonly LimitLink[] | undefined
  /** Whether it stands within the form, above the button that signs: where there is no room beside it. */
  isInForm?: boolean
}

/** What is about to be signed: as a sentence, as its effect, as calls to try, and as the payload itself. */
export function TokenPreview({
  payload,
  contacts,
  ready,
  inherited,
  spending,
  links,
  isInForm = false,
}: TokenPreviewProps) {
  const { t } = useLingui()
  const policy = inherited === undefined ? payload.policy : [...inherited, ...payload.policy]
  const exact = <CodeBlock label="payload" text={exactJson(payloadPreview(payload))} tall />
  return (
    <Card
      title={t`What you are about to sign`}
      {...(!isInForm && { className: 'lg:sticky lg:top-20' })}
      level={3}
      raised
    >
      <div className="flex flex-col gap-4">
        {ready ? (
          <SentenceView
            contacts={contacts}
            capability={{
              issuer: payload.issuer,
              audience: payload.audience.trim(),
              subject: payload.subject,
              command: payload.command.trim(),
              policy,
              isEffective: inherited !== undefined,
              notBefore: payload.notBefore === undefined ? undefined : payload.notBefore * 1000,
              expiresAt: typeof payload.expiresAt === 'number' ? payload.expiresAt * 1000 : undefined,
              spending,
            }}
          />
        ) : (
          <p className="text-ink-faint">
            <Trans>Fill in whom it is for and what they may do: it is put into words here.</Trans>
          </p>
        )}
        {ready && payload.expiresAt === null ? (
          <Notice tone="warn">
            <Trans>It never ends. Whoever has its text can use it for good.</Trans>
          </Notice>
        ) : null}
        {ready && isUnlimited(policy) ? (
          <Notice>
            <Trans>No limits: everything that the command covers is allowed.</Trans>
          </Notice>
        ) : null}
        {links === undefined ? null : (
          <>
            <Fold title={t`What it lets through`}>
              <EffectView links={links} />
            </Fold>
            <Fold title={t`Try a call`}>
              <TryCall links={links} />
            </Fold>
          </>
        )}
        {isInForm ? <Fold title={t`As it stands in the token`}>{exact}</Fold> : exact}
      </div>
    </Card>
  )
}
