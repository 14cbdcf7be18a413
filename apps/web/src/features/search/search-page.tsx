import { useTokens, useVaultSnapshot } from '@keyhole/vault-react'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Card } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Gate } from '../account/gate.tsx'
import { Failure } from '../common/failure.tsx'
import { useAcquaintance } from '../common/use-acquaintance.ts'
import { useNow } from '../common/use-now.ts'
import { type Recognised, recognise } from '../words/recognise.ts'
import { find, haystack, type Straw } from './haystack.ts'
import { Recognition } from './recognition.tsx'
import { Results } from './results.tsx'
import type { Kind, SearchSearch, Status } from './search.ts'
import { SearchBox } from './search-box.tsx'
import { useOpenTarget } from './use-open-target.ts'

const KIND_OPTIONS: readonly { value: Kind; label: string }[] = [
  { value: 'all', label: 'Everything' },
  { value: 'grant', label: 'Grants' },
  { value: 'received', label: 'Received' },
  { value: 'key', label: 'Keys' },
  { value: 'account', label: 'Accounts' },
]
const STATUS_OPTIONS: readonly { value: Status; label: string }[] = [
  { value: 'any', label: 'At any time' },
  { value: 'live', label: 'Live' },
  { value: 'soon', label: 'Ends soon' },
  { value: 'ended', label: 'Ended' },
]

/** Everything the vault holds, as you type. */
export function SearchPage({ search }: { search: SearchSearch }) {
  return (
    <>
      <PageHeader title="Search">
        Grants, received tokens, keys and accounts. Paste a token, a DID, a CID or an address to go to what it
        is.
      </PageHeader>
      <Gate need="account" purpose="have something to search">
        <Finder search={search} />
      </Gate>
    </>
  )
}

function Finder({ search }: { search: SearchSearch }) {
  const navigate = useNavigate()
  const { keys, accounts } = useVaultSnapshot()
  const { tokens, error } = useTokens()
  const acquaintance = useAcquaintance()
  const now = useNow()
  const openTarget = useOpenTarget()
  const { kind = 'all', status = 'any' } = search
  const [query, setQuery] = useState(search.q ?? '')
  const [active, setActive] = useState(0)

  const hay = useMemo(
    () => haystack({ tokens, keys, accounts }, acquaintance, now),
    [tokens, keys, accounts, acquaintance, now],
  )
  const recognised = useMemo((): Recognised => recognise(query), [query])
  const found = useMemo(() => {
    // A token's text is not scanned for words: either it is one of those stored, or it is to be checked.
    if (recognised.kind === 'token') return hay.filter(({ token }) => token === recognised.value)
    return find(hay, query, kind, status)
  }, [hay, query, recognised, kind, status])

  const put = (next: Partial<SearchSearch>) => {
    const q = recognise(next.q ?? query).kind === 'token' ? '' : (next.q ?? query)
    const merged = { kind, status, ...next }
    setActive(0)
    navigate({
      to: '/search',
      search: {
        ...(q !== '' && { q }),
        ...(merged.kind !== 'all' && { kind: merged.kind }),
        ...(merged.status !== 'any' && { status: merged.status }),
      },
      replace: true,
      resetScroll: false,
      viewTransition: false,
    })
  }
  const open = (straw: Straw | undefined) => {
    if (straw) openTarget(straw.target)
  }
  const index = Math.min(active, Math.max(found.length - 1, 0))
  return (
    <Card>
      <div className="flex flex-col gap-4">
        <SearchBox
          value={query}
          onValueChange={(next) => {
            setQuery(next)
            put({ q: next })
          }}
          count={found.length}
          active={index}
          activeId={found[index]?.id}
          onActiveChange={setActive}
          onOpen={() => {
            if (recognised.kind === 'token' && found.length === 0)
              openTarget({ page: 'check', token: recognised.value })
            else open(found[index])
          }}
        />
        <div className="grid gap-3 sm:grid-cols-2">
          <Choice
            label="Kind"
            options={KIND_OPTIONS}
            value={kind}
            onValueChange={(next) => put({ kind: next })}
          />
          <Choice
            label="Status"
            options={STATUS_OPTIONS}
            value={status}
            onValueChange={(next) => put({ status: next })}
          />
        </div>
        <Failure error={error} />
        {recognised.kind === 'words' ? null : <Recognition recognised={recognised} found={found.length} />}
        <p role="status" className="text-ink-faint text-sm">
          {found.length === 1 ? 'One match' : `${found.length} matches`}
          {hay.length === found.length ? '' : ` of ${hay.length}`}
        </p>
        {found.length === 0 ? (
          recognised.kind === 'words' ? (
            <EmptyState title="Nothing fits">
              Try fewer or shorter words, or another kind or status.
            </EmptyState>
          ) : null
        ) : (
          <Results
            found={found}
            query={recognised.kind === 'token' ? '' : query}
            active={index}
            onActiveChange={setActive}
            onOpen={open}
          />
        )}
      </div>
    </Card>
  )
}
