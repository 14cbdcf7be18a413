import { useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans } from '@lingui/react/macro'
import { ContactPicture } from '../../../shared/contacts/contact-picture.tsx'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { Who } from '../../../shared/grant-words/sentence-view.tsx'
import { useMandates } from '../../../shared/vault/use-sealed-lists.ts'
import { ROW, type Side } from './graph-sides.ts'
import { partyName } from './party-name.tsx'
import { countWords } from './party-words.ts'

interface PartyListProps {
  label: string
  /** What is said in the place of an empty list. */
  empty: string
  side: Side
  /** DID of the account. */
  self: string | undefined
  /** The id of the one whose tokens are shown. */
  chosen: string | undefined
  /** The id of where they are shown. */
  controls: string
  now: number
  onChoose: (id: string) => void
  onMore: () => void
}

const NODE =
  'flex h-full w-full min-w-0 items-center gap-2 rounded-control border border-line bg-surface px-2 text-left text-sm hover:border-line-strong aria-expanded:border-brass-fill aria-expanded:bg-brass-soft max-sm:flex-col max-sm:justify-center max-sm:gap-0.5 max-sm:px-1'

/** One side of the graph: everyone on it, one below the other, in the rhythm of the lines that lead to them. */
export function PartyList(props: PartyListProps) {
  const { label, empty, side, self, chosen, controls, now, onChoose, onMore } = props
  const contacts = useContacts()
  const { phase } = useVaultSnapshot()
  const { mandates, loading, error } = useMandates()
  const isKnown = phase === 'unlocked' && !loading && error === undefined
  const { shown, others } = side
  if (shown.length === 0) return <p className="px-1 text-center text-ink-faint text-xs sm:text-sm">{empty}</p>
  return (
    <ul aria-label={label} className="min-w-0">
      {shown.map(({ id, dids, tokens }) => {
        const [did] = dids
        const person = partyName(did, self, contacts)
        const named = contacts.named.get(did)
        const count = countWords({ tokens }, isKnown ? mandates : undefined, now)
        return (
          <li key={id} className="py-1" style={{ height: ROW }}>
            <button
              type="button"
              aria-expanded={id === chosen}
              aria-controls={controls}
              aria-label={`${person}: ${count}`}
              title={dids.join(' ')}
              onClick={() => onChoose(id)}
              className={NODE}
            >
              <span className="flex max-w-full items-center gap-1">
                <ContactPicture of={did} name={named?.name} kind={named?.kind} className="size-6 shrink-0" />
                <span className="line-clamp-3 text-left text-ink-faint text-xs sm:hidden">{count}</span>
              </span>
              <span className="min-w-0 max-sm:w-full max-sm:text-center">
                {/* The end of an unknown key tells it from others, so it must not be cut off. */}
                <bdi className="wrap-anywhere line-clamp-3 text-xs sm:text-sm">
                  <Who text={person} />
                </bdi>
                <span className="block truncate text-ink-faint text-xs max-sm:hidden">{count}</span>
              </span>
            </button>
          </li>
        )
      })}
      {others.length > 0 ? (
        <li className="py-1" style={{ height: ROW }}>
          <button type="button" onClick={onMore} className={`${NODE} justify-center border-dashed`}>
            <span className="text-xs sm:text-sm">
              <Trans>
                <Plural value={others.length} one="# other" other="# others" />
              </Trans>
            </span>
          </button>
        </li>
      ) : null}
    </ul>
  )
}
