import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleX } from 'lucide-react'
import { ContactName } from '../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { type Narrowing, narrowingWords } from '../../shared/grant-words/chain.ts'
import { LimitList } from '../../shared/grant-words/limit-list.tsx'
import type { Capability } from '../../shared/grant-words/sentence.ts'
import type { Link } from '../../shared/tokens/report.ts'
import { GrantSentence } from '../../shared/tokens/stored-sentence.tsx'
import { Badge } from '../../shared/ui/feedback/badge.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { RawToken } from './raw-token.tsx'

interface ChainCardProps {
  links: readonly Link[]
  /** The CIDs of those that this vault knows to be revoked. */
  revoked: readonly string[]
  isValid: boolean
}

/** Each link of a chain, root first: what it gives, and what was found about it. */
export function ChainCard({ links, revoked, isValid }: ChainCardProps) {
  const { t } = useLingui()
  return (
    <Card title={t`The chain`} description={t`From the owner down to the current holder.`}>
      <ol className="flex flex-col gap-4">
        {links.map((link, index) => (
          <LinkItem
            key={link.cid}
            link={link}
            revoked={revoked.includes(link.cid)}
            before={isValid ? links[index - 1]?.capability : undefined}
            position={index}
            count={links.length}
          />
        ))}
      </ol>
    </Card>
  )
}

interface LinkItemProps {
  link: Link
  /** Whether this vault knows that it was revoked. */
  revoked: boolean
  /** What the previous link gave, if the chain is valid. */
  before: Capability | undefined
  position: number
  count: number
}

function LinkItem({ link, revoked, before, position, count }: LinkItemProps) {
  const { t } = useLingui()
  const contacts = useContacts()
  const fault = link.fault ?? (revoked ? t`It was revoked.` : undefined)
  const Icon = fault ? CircleX : CircleCheck
  const number = position + 1
  const place =
    count === 1
      ? t`The token`
      : position === 0
        ? t`First link`
        : position === count - 1
          ? t`Last link`
          : t`Link ${number}`
  const kind = link.kind
  const narrowed = before && link.capability ? narrowingWords(before, link.capability) : undefined
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-3">
      <div className="flex flex-col items-center">
        <Icon className={fault ? 'size-6 text-bad' : 'size-6 text-good'} aria-hidden />
        {position < count - 1 ? (
          <span className="mt-1 w-px flex-1 bg-line-strong" aria-hidden="true" />
        ) : null}
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="font-semibold">{place}</h3>
          <Badge>{link.algorithm}</Badge>
          {fault ? (
            <Badge tone={link.fault ? 'bad' : 'plain'}>{link.fault ? t`refused` : t`revoked`}</Badge>
          ) : (
            <Badge tone="good">{t`signature valid`}</Badge>
          )}
        </div>
        {fault ? <p className="text-bad">{fault}</p> : null}
        {link.capability ? (
          <>
            <GrantSentence
              cid={link.cid}
              capability={link.capability}
              contacts={contacts}
              className="text-ink-soft"
            />
            <Facts
              facts={[
                [t`From`, <ContactName key="from" did={link.capability.issuer} what={t`the issuer’s DID`} />],
                [t`To`, <ContactName key="to" did={link.capability.audience} what={t`the audience’s DID`} />],
              ]}
            />
          </>
        ) : (
          <p className="text-ink-soft">
            <Trans>This is a “{kind}” token. Only grants can be checked here.</Trans>
          </p>
        )}
        {narrowed === undefined ? null : <NarrowedBy {...narrowed} />}
        <RawToken cid={link.cid} payload={link.payload} />
      </div>
    </li>
  )
}

/** How a link narrows the one before it. */
function NarrowedBy({ changes, limits }: Narrowing) {
  const { t } = useLingui()
  const count = limits.length
  return (
    <div className="text-ink-soft text-sm">
      {changes.length === 0 && count === 0 ? <p>{t`Passed on whole: nothing is narrowed.`}</p> : null}
      {changes.length === 0 ? null : <p>{changes.join(' ')}</p>}
      {count === 0 ? null : (
        <>
          <p>{plural(count, { one: 'Adds a limit:', other: 'Adds # limits:' })}</p>
          <LimitList limits={limits} />
        </>
      )}
    </div>
  )
}
