import type { Activity } from '@keyhole/vault'
import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { download } from '../../shared/browser/download.ts'
import { useContactIndex } from '../../shared/contacts/use-contacts.ts'
import { dayOf } from '../../shared/text/day.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { EmptyState } from '../../shared/ui/layout/empty-state.tsx'
import { ActivityFilters } from './activity-filters.tsx'
import { ActivityList } from './activity-list.tsx'
import { activityCsv, activityJson } from './export.ts'
import { type ActivityFilter, EVERYTHING, filterOf } from './filter.ts'
import { type ActivitySearch, filterFrom, searchFrom } from './search-params.ts'

interface ActivityLogProps {
  activity: Activity
  /** The filters in the address. */
  search: ActivitySearch
}

/** The log with its filters, warnings about it, and an export. */
export function ActivityLog({ activity, search }: ActivityLogProps) {
  const { t } = useLingui()
  const { lines, missing, rewritten } = activity
  const navigate = useNavigate()
  // The form has its own copy of the filters: the address updates more slowly than typing.
  const [filter, setFilter] = useState(() => filterFrom(search))
  // Keeps typing responsive however long the log is.
  const asked = useDeferredValue(filter)
  const { index } = useContactIndex()
  const apply = useMemo(() => {
    const nameOf = (value: string) => (index?.named.get(value) ?? index?.byId.get(value))?.name
    return filterOf(lines, nameOf)
  }, [lines, index])
  const found = useMemo(() => apply(asked), [apply, asked])
  const suspect = useMemo(() => new Set(rewritten), [rewritten])
  const put = (next: ActivityFilter) => {
    setFilter(next)
    navigate({
      to: '/identity',
      search: { tab: 'activity', ...searchFrom(next) },
      replace: true,
      resetScroll: false,
      viewTransition: false,
    })
  }
  const save = (ending: 'csv' | 'json') => {
    const name = `keyhole-activity-${dayOf(Date.now())}.${ending}`
    // Export what was asked for, even if the list is still catching up.
    const wanted = apply(filter)
    if (ending === 'csv') download(name, activityCsv(wanted), 'text/csv')
    else download(name, activityJson(wanted, activity))
    announce(t`The download started`, name)
  }
  const clear = (
    <Button size="small" tone="bare" onClick={() => put(EVERYTHING)}>
      <Trans>Clear the filters</Trans>
    </Button>
  )
  const filtered = Object.keys(searchFrom(filter)).length > 0
  return (
    <div className="flex flex-col gap-4">
      <Wrong missing={missing} rewritten={rewritten} />
      <ActivityFilters lines={lines} filter={filter} onChange={put} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-ink-faint text-sm">
          {found.length === lines.length ? (
            <Plural value={lines.length} one="# entry" other="# entries" />
          ) : (
            foundWords(found.length, lines.length)
          )}
        </p>
        <div className="flex flex-wrap gap-2">
          {filtered && found.length > 0 ? clear : null}
          {(['json', 'csv'] as const).map((ending) => (
            <Button
              key={ending}
              size="small"
              disabled={found.length === 0}
              onClick={() => save(ending)}
              icon={<Download className="size-4" aria-hidden />}
            >
              {ending === 'json' ? <Trans>Save as JSON</Trans> : <Trans>Save as CSV</Trans>}
            </Button>
          ))}
        </div>
      </div>
      {found.length > 0 ? (
        <ActivityList lines={found} suspect={suspect} />
      ) : lines.length === 0 ? (
        <EmptyState title={t`No activity yet`}>
          <Trans>From now on, every action is recorded here.</Trans>
        </EmptyState>
      ) : (
        <EmptyState title={t`No matches`} actions={clear}>
          <Trans>Try fewer words, other days, or another act or outcome.</Trans>
        </EmptyState>
      )}
    </div>
  )
}

function foundWords(found: number, all: number): string {
  const total = plural(all, { one: '# entry', other: '# entries' })
  return plural(found, { one: `# of ${total}`, other: `# of ${total}` })
}

/** Problems that the log's hash chain reveals. */
function Wrong({ missing, rewritten }: Pick<Activity, 'missing' | 'rewritten'>) {
  const { t } = useLingui()
  if (missing.length === 0 && rewritten.length === 0) return null
  const gaps = missing.map(([from, to]) => (from === to ? `${from}` : t`${from} to ${to}`)).join(', ')
  const changed = rewritten.join(', ')
  return (
    <Notice tone="bad" title={t`A part of the activity is missing or altered.`}>
      {gaps === '' ? null : (
        <p>
          <Trans>Missing: {gaps}.</Trans>
        </p>
      )}
      {changed === '' ? null : (
        <p>
          <Trans>Altered: {changed}.</Trans>
        </p>
      )}
      <p>
        <Trans>
          The browser may have lost them, or someone with access to this device changed them. The vault itself
          is checked apart from its activity.
        </Trans>
      </p>
    </Notice>
  )
}
