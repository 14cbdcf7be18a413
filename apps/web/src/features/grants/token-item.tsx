import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { memo, useMemo, useRef, useState } from 'react'
import { NameIt } from '../../shared/contacts/contact-name.tsx'
import { ContactPicture } from '../../shared/contacts/contact-picture.tsx'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { RenewButton } from '../../shared/grant-actions/renew-button.tsx'
import { isRenewable } from '../../shared/grant-actions/renewable.ts'
import { isGiven, storedStanding, storedWords } from '../../shared/tokens/capability.ts'
import { RevocationText } from '../../shared/tokens/revocation-text.tsx'
import { StoredBadge } from '../../shared/tokens/stored-badge.tsx'
import { StoredSentence } from '../../shared/tokens/stored-sentence.tsx'
import { useOpened } from '../../shared/tokens/use-opened.ts'
import type { ListedToken } from '../../shared/tokens/use-tokens.ts'
import { Button, buttonClass } from '../../shared/ui/buttons/button.tsx'
import { cx } from '../../shared/ui/cx.ts'
import { Badge } from '../../shared/ui/feedback/badge.tsx'
import { TickBox } from '../../shared/ui/fields/tick-box.tsx'
import { dayWords } from '../../shared/words/when.ts'
import { RevokeOrShow } from './revoke-or-show.tsx'

export interface TokenItemProps {
  stored: ListedToken
  now: number
  /** Begins narrowing it; absent where it cannot be. */
  onNarrow?: ((stored: ListedToken) => void) | undefined
  /** Begins using it; absent where it cannot be. */
  onUse?: ((stored: ListedToken) => void) | undefined
  /** Where the focus goes once it is revoked; absent where it stays in the list. */
  leadsTo?: (() => HTMLElement | null) | undefined
  /** Whether it is selected, while several are being selected. */
  isSelected?: boolean | undefined
  onSelect: (stored: ListedToken) => void
}

/** One stored token in a list: its sentence, when it ends, what can be done with it, and the way to its page. Scrolling doesn't draw it again. */
export const TokenItem = memo((props: TokenItemProps) => {
  const { stored, now, onNarrow, onUse, leadsTo, isSelected, onSelect } = props
  const { t } = useLingui()
  const contacts = useContacts()
  const article = useRef<HTMLElement>(null)
  const standing = storedStanding(stored, now)
  const { revokedAbove = false } = stored
  const over = standing === 'ended' || stored.revoked || revokedAbove
  const other = isGiven(stored) ? (stored.audienceDid ?? stored.audience) : stored.issuer
  const named = contacts.named.get(other)
  const { phase } = useVaultSnapshot()
  const [isRevocationShown, setRevocationShown] = useState(false)
  const grants = useMemo(() => [stored], [stored])
  const name = stored.label ?? storedWords(stored)
  const isOwnGrant = isGiven(stored)
  const openedAt = useOpened(stored.cid)
  const opened = openedAt === undefined ? undefined : dayWords(openedAt)
  const canAct = isOwnGrant && isSelected === undefined
  return (
    <article
      ref={article}
      tabIndex={-1}
      aria-label={stored.label ?? t`A token without a name`}
      className="border-line border-t"
    >
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3 py-4">
        {isSelected === undefined || over || !isOwnGrant ? null : (
          <label className="-m-2 grid size-11 cursor-pointer place-items-center">
            <TickBox
              label={t`Select “${name}”`}
              checked={isSelected}
              onCheckedChange={() => onSelect(stored)}
            />
          </label>
        )}
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
            className={over ? 'text-ink-faint' : stored.label ? 'text-ink-soft' : ''}
          />
          <div className="mt-2 flex flex-wrap gap-2">
            <StoredBadge stored={stored} revoked={stored.revoked} revokedAbove={revokedAbove} now={now} />
            {opened === undefined ? null : (
              <Badge>
                <Trans>Opened on {opened}</Trans>
              </Badge>
            )}
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
          {/* While several are being chosen, one press must not be about one of them. */}
          {canAct && !over && isRenewable(stored) ? <RenewButton grants={grants} /> : null}
          {canAct && (!over || stored.revoked) ? (
            <RevokeOrShow
              grants={grants}
              revoked={stored.revoked}
              isShown={isRevocationShown}
              onShow={setRevocationShown}
              leadsTo={leadsTo}
            />
          ) : null}
          <Link
            to="/identity"
            search={{ tab: isOwnGrant ? 'grants' : 'received', token: stored.cid }}
            className={buttonClass('bare', 'small')}
          >
            <Trans>Details</Trans>
          </Link>
        </div>
      </div>
      {stored.revoked && isRevocationShown && phase === 'unlocked' ? (
        <div className="pb-6 sm:pl-12">
          <RevocationText cid={stored.cid} />
        </div>
      ) : null}
    </article>
  )
})
