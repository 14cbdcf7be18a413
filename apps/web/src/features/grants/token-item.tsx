import { Trans, useLingui } from '@lingui/react/macro'
import { memo, useRef } from 'react'
import { NameIt } from '../../shared/contacts/contact-name.tsx'
import { ContactPicture } from '../../shared/contacts/contact-picture.tsx'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { isGiven, storedStanding } from '../../shared/tokens/capability.ts'
import { StandingBadge } from '../../shared/tokens/standing-badge.tsx'
import { StoredSentence } from '../../shared/tokens/stored-sentence.tsx'
import type { ListedToken } from '../../shared/tokens/use-tokens.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { cx } from '../../shared/ui/cx.ts'
import { TokenDetails } from './token-details.tsx'

export interface TokenItemProps {
  stored: ListedToken
  now: number
  open: boolean
  onToggle: (stored: ListedToken) => void
  /** Begins narrowing it; absent where it cannot be. */
  onNarrow?: ((stored: ListedToken) => void) | undefined
  /** Begins using it; absent where it cannot be. */
  onUse?: ((stored: ListedToken) => void) | undefined
  /** It was removed: the focus has to go elsewhere. */
  onRemoved: () => void
}

/** One stored token: its sentence, when it ends, and everything about it once opened. While a list of many is scrolled it stands as it is. */
export const TokenItem = memo((props: TokenItemProps) => {
  const { stored, now, open, onToggle, onNarrow, onUse, onRemoved } = props
  const { t } = useLingui()
  const contacts = useContacts()
  const article = useRef<HTMLElement>(null)
  const standing = storedStanding(stored, now)
  const over = standing === 'ended' || stored.revoked
  const other = isGiven(stored) ? (stored.audienceDid ?? stored.audience) : stored.issuer
  const named = contacts.named.get(other)
  return (
    <article
      ref={article}
      tabIndex={-1}
      aria-label={stored.label ?? t`A token without a name`}
      className="border-line border-t"
    >
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3 py-4">
        <ContactPicture
          of={other}
          name={named?.name}
          kind={named?.kind}
          className={cx('mt-0.5 size-8 max-sm:hidden', over && 'opacity-50')}
        />
        <div className="min-w-0 flex-1 basis-64">
          {stored.label ? <p className="wrap-anywhere font-semibold">{stored.label}</p> : null}
          <StoredSentence
            stored={stored}
            contacts={contacts}
            className={over ? 'text-ink-faint' : 'text-ink-soft'}
          />
          <div className="mt-2 flex flex-wrap gap-2">
            <StandingBadge
              standing={standing}
              expiresAt={stored.expiresAt}
              notBefore={stored.notBefore}
              revoked={stored.revoked}
              now={now}
            />
            {over ? null : <NameIt did={other} then={() => article.current} />}
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          {onUse && !over ? (
            <Button size="small" tone="primary" onClick={() => onUse(stored)}>
              <Trans>Use it</Trans>
            </Button>
          ) : null}
          {onNarrow && !over ? (
            <Button size="small" onClick={() => onNarrow(stored)}>
              <Trans>Narrow and pass on</Trans>
            </Button>
          ) : null}
          <Button size="small" tone="bare" aria-expanded={open} onClick={() => onToggle(stored)}>
            {open ? <Trans>Hide details</Trans> : <Trans>Details</Trans>}
          </Button>
        </div>
      </div>
      {open ? <TokenDetails stored={stored} onRemoved={onRemoved} /> : null}
    </article>
  )
})
