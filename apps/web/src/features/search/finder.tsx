import { useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { Shown } from '../../shared/search/present.ts'
import { useEntries } from '../../shared/search/use-entries.ts'
import { useOpenTarget } from '../../shared/search/use-open-target.ts'
import {
  type FilterName,
  type FindQuery,
  type QueryProblem,
  readQuery,
  withFilter,
} from '../../shared/search-index/query.ts'
import { useLook, useTokenClientState } from '../../shared/search-index/use-answer.ts'
import { Button, buttonClass } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../shared/ui/layout/empty-state.tsx'
import { isOpened, type Recognised, recognise } from '../../shared/words/recognise.ts'
import { Filters } from './filters.tsx'
import { Recognition } from './recognition.tsx'
import { optionId, Results, STRETCH, useFound } from './results.tsx'
import { SearchBox } from './search-box.tsx'
import type { SearchSearch } from './search-params.ts'
import { useAddress } from './use-address.ts'
import { useTokenCids } from './use-token-cids.ts'

/** The search box, its filters, and the results. */
export function Finder({ search }: { search: SearchSearch }) {
  const { t } = useLingui()
  const openTarget = useOpenTarget()
  const { phase } = useVaultSnapshot()
  const [text, setText] = useState(search.q ?? '')
  const [active, setActive] = useState(0)
  // Enter opens the result for what was typed, even if pressed before the result is there.
  const [isOpening, setIsOpening] = useState(false)
  const recognised = useMemo((): Recognised => recognise(text), [text])
  // A token is searched for by its CIDs. A request is not stored as such.
  const isText = isOpened(recognised)
  const { cids, looking } = useTokenCids(recognised.kind === 'token' ? recognised.value : undefined)
  const read = useMemo(() => readQuery(isText ? '' : text), [isText, text])
  const query = useMemo((): FindQuery => (isText ? { words: [], cids } : read.query), [isText, cids, read])
  const hasAll = useEntries(query)
  const { answer, failure, isCurrent } = useLook({ ask: 'find', query, from: 0, count: STRETCH })
  // Keep showing the last results until the new ones arrive, so the list is drawn once per query.
  const [answered, setAnswered] = useState(query)
  if (isCurrent && answered !== query) setAnswered(query)
  const total = answer?.total ?? 0
  const held = answer?.held ?? 0
  // The rows are drawn after the box, and the next letter or answer doesn't wait for them.
  const newest = useMemo(() => ({ query: answered, total }), [answered, total])
  const drawn = useDeferredValue(newest)
  const found = drawn.total > 0 ? drawn : newest
  const index = Math.min(active, Math.max(total - 1, 0))
  const marked = useFound(answered, index)

  const change = useCallback((how: (text: string) => string) => {
    setText(how)
    setActive(0)
    setIsOpening(false)
  }, [])
  const put = useCallback((next: string) => change(() => next), [change])
  const putFilter = useCallback(
    (name: FilterName, value: string | undefined) => change((text) => withFilter(text, name, value)),
    [change],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again with each letter; its text shows whether it changed
  const filters = useMemo(() => read.filters, [JSON.stringify(read.filters)])
  const writeAddress = useAddress(search.q ?? '', text, put)
  const open = useCallback(
    ({ target }: Pick<Shown, 'target'>) => {
      // Going back should lead to the search results.
      writeAddress().then(() => openTarget(target))
    },
    [writeAddress, openTarget],
  )
  const known = answer !== undefined && !looking
  const isSettled = isCurrent && !looking && (total === 0 || marked !== undefined)
  useEffect(() => {
    if (!isOpening || !isSettled) return
    setIsOpening(false)
    if (marked) open(marked)
    else if (isText) open({ target: { page: 'check', token: recognised.value } })
  })
  return (
    <Card>
      <div className="flex flex-col gap-4">
        <SearchBox
          value={text}
          onValueChange={put}
          count={total}
          active={index}
          activeId={total > 0 ? optionId(index) : undefined}
          onActiveChange={setActive}
          onOpen={() => setIsOpening(true)}
        />
        {isText ? null : <Filters filters={filters} onFilterChange={putFilter} />}
        <Problems problems={read.problems} />
        {phase === 'locked' ? (
          <Notice title={t`The vault is locked.`}>
            <Trans>Names are encrypted while the vault is locked. Unlock it to see and search them.</Trans>
          </Notice>
        ) : null}
        <Failure error={failure} />
        {recognised.kind === 'words' ? null : (
          <Recognition recognised={recognised} found={known ? total : undefined} />
        )}
        <Reading known={answer !== undefined || failure !== undefined} />
        <p role="status" className="text-ink-faint text-sm">
          {known && (total > 0 || recognised.kind === 'words') ? (
            text.trim() !== '' ? (
              <Plural value={total} one="# entry found." other="# entries found." />
            ) : (
              <>
                <Plural value={total} one="# entry." other="# entries." />{' '}
                {hasAll || phase === 'locked' ? null : (
                  <Trans>Type a word to find payments and activity too.</Trans>
                )}
              </>
            )
          ) : null}
        </p>
        {!known || total > 0 ? null : recognised.kind === 'words' ? (
          <EmptyState
            title={held === 0 ? t`There is nothing here yet` : t`No matches`}
            actions={
              held === 0 ? (
                <Link to="/identity" search={{ tab: 'grants' }} className={buttonClass()}>
                  <Trans>New grant</Trans>
                </Link>
              ) : text === '' ? null : (
                <Button onClick={() => put('')}>
                  <Trans>Show everything</Trans>
                </Button>
              )
            }
          >
            {held === 0 ? (
              <Trans>What you grant, receive and sign can be found here.</Trans>
            ) : (
              <Trans>Try fewer or shorter words, or remove a filter.</Trans>
            )}
          </EmptyState>
        ) : null}
        {total > 0 ? <Results {...found} active={index} onActiveChange={setActive} onOpen={open} /> : null}
      </div>
    </Card>
  )
}

/** The parts of the query that mean nothing, and why. */
function Problems({ problems }: { problems: readonly QueryProblem[] }) {
  const { t } = useLingui()
  if (problems.length === 0) return null
  return (
    <Notice tone="warn" title={t`Part of this wasn’t understood, so it doesn’t narrow the search.`}>
      <ul>
        {problems.map(({ raw, why }) => (
          <li key={raw}>
            <code>{raw}</code> {why}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** Whether tokens are still being read, and what makes it slow. */
function Reading({ known }: { known: boolean }) {
  const { t } = useLingui()
  const { slow } = useTokenClientState()
  return (
    <>
      {slow ? (
        <Notice tone="warn" title={t`This browser could not start its helper for long lists.`}>
          <Trans>Everything works, but the page may freeze briefly. Reloading may help.</Trans>
        </Notice>
      ) : null}
      {known ? null : <Progress label={t`Reading what is stored…`} value={null} />}
    </>
  )
}
