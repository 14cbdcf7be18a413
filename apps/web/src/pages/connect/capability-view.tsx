import { Trans, useLingui } from '@lingui/react/macro'
import { memo, type ReactNode, type Ref } from 'react'
import { slot } from '../../shared/asker/slots.ts'
import { SentenceView } from '../../shared/grant-words/sentence-view.tsx'
import { isPlainlyLess } from '../../shared/policy/less.ts'
import { isUnlimited } from '../../shared/policy/simplify.ts'
import type { CapabilityRequest } from '../../shared/requests/request.ts'
import { visible } from '../../shared/text/visible.ts'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Fold } from '../../shared/ui/layout/fold.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { ForeignQuote } from '../../shared/ui/text/foreign.tsx'
import { type Contacts, nameWords } from '../../shared/words/who.ts'

interface CapabilityViewProps {
  request: CapabilityRequest
  /** The element with the sentence. */
  sentence?: Ref<HTMLDivElement>
  /** Who grants it. Empty until known. */
  issuer: string
  contacts: Contacts
  /** Whether the vault is locked, or was while this is on screen. */
  wasLocked?: boolean
  /** Its limits, if they parse as a policy. */
  policy: readonly unknown[]
  isRead: boolean
  /** In seconds since 1970. */
  expiresAt: number
  /** What the policy amounts to, and what can be changed. Folded away, and empty until they load. */
  effect?: ReactNode
  change?: ReactNode
  /** Lets the person name the key that it is for, or says when its name shows. */
  naming?: ReactNode
}

/**
 * The request in words: the sentence, the purpose the asker states, whose key it is for, and warnings. Redrawn only when one of these
 * changes, because it stays on screen while the request is granted.
 */
export const CapabilityView = memo(function CapabilityView({
  request: { command, audience, reason: said, policy: asked },
  sentence,
  issuer,
  contacts,
  wasLocked = false,
  policy,
  isRead,
  expiresAt,
  effect,
  change,
  naming,
}: CapabilityViewProps) {
  const { t } = useLingui()
  const reason = visible(said.trim())
  const named = contacts.named.get(audience)
  return (
    <>
      <div ref={sentence} {...slot('sentence')}>
        <SentenceView
          className="text-lg"
          // Until names are read, a key is unknown, as in the view before React: nothing may change while someone reads it. In a locked
          // vault that takes until someone unlocks it, so there it isn't called unknown.
          contacts={{
            ...contacts,
            isSealed: contacts.isSealed && wasLocked,
            own: new Set([...contacts.own, issuer]),
          }}
          capability={{
            ...{ issuer, audience, subject: issuer, command, policy },
            expiresAt: expiresAt * 1000,
          }}
        />
      </div>
      {reason === '' ? null : (
        <figure className="text-sm" {...slot('reason')}>
          <figcaption className="text-ink-faint">
            <Trans>What for, in their own words:</Trans>
          </figcaption>
          <blockquote className="wrap-anywhere mt-1 border-line-strong border-l-4 pl-3">
            <ForeignQuote {...slot('said')}>{reason}</ForeignQuote>
          </blockquote>
        </figure>
      )}
      <p className="text-sm">
        <span className="text-ink-faint">
          <Trans>Only the holder of this key can use it:</Trans>
        </span>{' '}
        {named === undefined ? null : <bdi className="font-medium">{nameWords(named.name)} </bdi>}
        <span {...slot('audience')}>
          <DidText text={audience} what={t`the key’s DID`} />
        </span>{' '}
        {naming}
      </p>
      {command.startsWith('/payment') ? (
        <div {...slot('spends')}>
          <Notice tone="warn" title={t`This lets someone spend money.`}>
            <Trans>Only the limits protect you, payment by payment. No one adds them up.</Trans>
          </Notice>
        </div>
      ) : null}
      {isUnlimited(policy) && isRead ? (
        <div {...slot('unlimited')}>
          <Notice tone="warn" title={t`No limits`}>
            <Trans>All that the command covers is allowed. You can add limits below.</Trans>
          </Notice>
        </div>
      ) : null}
      {isRead && !isPlainlyLess(policy, asked) ? (
        <Notice tone="warn" title={t`This may allow more than was requested.`}>
          <Trans>
            A limit from the request is missing or changed. Put it back unless you mean to allow more.
          </Trans>
        </Notice>
      ) : null}
      <Fold title={t`What it allows`}>{effect}</Fold>
      <Fold title={t`Change what you grant`}>{change}</Fold>
    </>
  )
})
