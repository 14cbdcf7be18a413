import { Trans, useLingui } from '@lingui/react/macro'
import { type Ref, useId } from 'react'
import { SentenceView } from '../grant-words/sentence-view.tsx'
import type { Spending } from '../grant-words/spending.ts'
import type { LimitLink } from '../grant-words/verdict.ts'
import { exactJson } from '../policy/json.ts'
import { isUnlimited } from '../policy/simplify.ts'
import { TryCall } from '../policy-editor/try-call.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Fold } from '../ui/layout/fold.tsx'
import { CodeBlock } from '../ui/text/code-block.tsx'
import type { Contacts } from '../words/who.ts'
import { EffectView } from './effect-view.tsx'
import { type PayloadDraft, payloadPreview } from './preview.ts'

interface Inherited {
  readonly policy: readonly unknown[]
  readonly notBefore: number | undefined
}

/** When what is signed can be used, in milliseconds: once all of its chain has started. */
function startOf({ notBefore }: PayloadDraft, inherited: Inherited | undefined): number | undefined {
  const starts = [notBefore === undefined ? undefined : notBefore * 1000, inherited?.notBefore]
  const given = starts.filter((start) => start !== undefined)
  return given.length === 0 ? undefined : Math.max(...given)
}

/** A token as it will be signed, as far as it is filled in. */
export interface TokenPreview {
  payload: PayloadDraft
  contacts: Contacts
  /** Whether the fields say enough for a sentence. */
  ready: boolean
  /** Limits of the links above it, which hold as well, and when the last of them starts, in milliseconds. */
  inherited?: Inherited | undefined
  /** What the vault counts besides. */
  spending?: Spending | undefined
  /** What a call under it would meet, root first; absent while its command cannot be read. */
  links?: readonly LimitLink[] | undefined
}

/** What is about to be signed, as a sentence, never cut. */
export function PreviewSentence(props: TokenPreview & { ref: Ref<HTMLElement> }) {
  const { payload, contacts, ready, inherited, spending, ref } = props
  const heading = useId()
  const policy = inherited === undefined ? payload.policy : [...inherited.policy, ...payload.policy]
  return (
    <section ref={ref} aria-labelledby={heading} className="flex min-w-0 flex-1 flex-col gap-2">
      <h3 id={heading} className="font-semibold text-sm">
        <Trans>What you are about to sign</Trans>
      </h3>
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
            notBefore: startOf(payload, inherited),
            expiresAt: typeof payload.expiresAt === 'number' ? payload.expiresAt * 1000 : undefined,
            spending,
          }}
        />
      ) : (
        <p className="text-ink-faint">
          <Trans>Once everything is filled in, you’ll read here what you sign.</Trans>
        </p>
      )}
      {ready && payload.expiresAt === null ? (
        <Notice tone="warn">
          <Trans>It never expires. You can only end it by revoking it.</Trans>
        </Notice>
      ) : null}
      {ready && isUnlimited(policy) ? (
        <Notice>
          <Trans>No limits: all that the command covers is allowed.</Trans>
        </Notice>
      ) : null}
    </section>
  )
}

/** A closer look at it: its effect, calls to try, and the payload itself. */
export function PreviewFolds({ payload, links }: TokenPreview) {
  const { t } = useLingui()
  return (
    <section aria-label={t`A closer look`} className="flex min-w-0 flex-col [&>*+*]:-mt-px">
      {links === undefined ? null : (
        <>
          <Fold title={t`What it allows`}>
            <EffectView links={links} />
          </Fold>
          <Fold title={t`Try a call`}>
            <TryCall links={links} />
          </Fold>
        </>
      )}
      <Fold title={t`Exact token`}>
        <CodeBlock label={t`payload`} text={exactJson(payloadPreview(payload))} tall />
      </Fold>
    </section>
  )
}
