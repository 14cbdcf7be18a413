import type { Activity } from '@keyhole/vault'
import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Notice } from '../../components/notice.tsx'
import { TextField } from '../../components/text-field.tsx'
import { download } from '../common/download.ts'
import { ActivityItem } from './activity-item.tsx'
import { activityCsv, activityJson } from './export.ts'
import { type ActivityFilter, EVERYTHING, filterLines } from './filter.ts'
import { actWords } from './words.ts'

/** Lines shown at first, and with each press of "Show more". */
const PAGE = 100

const OUTCOME_OPTIONS = [
  { value: 'all', label: 'Any' },
  { value: 'done', label: 'Done' },
  { value: 'refused', label: 'Refused or failed' },
] as const

/** The log with its filters, what is wrong with it, and the way to take it along. */
export function ActivityLog({ activity }: { activity: Activity }) {
  const { lines, missing, rewritten } = activity
  const [filter, setFilter] = useState<ActivityFilter>(EVERYTHING)
  const [shown, setShown] = useState(PAGE)
  const acts = useMemo(
    () => [...new Set(lines.map(({ act }) => act))].sort((a, b) => actWords(a).localeCompare(actWords(b))),
    [lines],
  )
  const found = useMemo(() => filterLines(lines, filter), [lines, filter])
  const suspect = useMemo(() => new Set(rewritten), [rewritten])
  const put = (next: Partial<ActivityFilter>) => {
    setShown(PAGE)
    setFilter({ ...filter, ...next })
  }
  const day = new Date().toISOString().slice(0, 10)
  return (
    <div className="flex flex-col gap-4">
      <Wrong missing={missing} rewritten={rewritten} />
      <div className="grid gap-3 sm:grid-cols-3">
        <TextField
          label="Find"
          type="search"
          placeholder="A word, a CID, a tab"
          value={filter.text}
          onValueChange={(text) => put({ text })}
        />
        <Choice
          label="Act"
          value={filter.act}
          onValueChange={(act) => put({ act })}
          options={[
            { value: 'all', label: 'Everything' },
            ...acts.map((act) => ({ value: act, label: actWords(act) })),
          ]}
        />
        <Choice
          label="Outcome"
          value={filter.outcome}
          onValueChange={(outcome) => put({ outcome })}
          options={OUTCOME_OPTIONS}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-ink-faint text-sm">
          {found.length === 1 ? 'One line' : `${found.length} lines`}
          {found.length === lines.length ? '' : ` of ${lines.length}`}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            disabled={found.length === 0}
            onClick={() => download(`keyhole-activity-${day}.json`, activityJson(found, activity))}
            icon={<Download className="size-4" aria-hidden />}
          >
            Save as JSON
          </Button>
          <Button
            size="small"
            disabled={found.length === 0}
            onClick={() => download(`keyhole-activity-${day}.csv`, activityCsv(found), 'text/csv')}
            icon={<Download className="size-4" aria-hidden />}
          >
            Save as CSV
          </Button>
        </div>
      </div>
      {found.length === 0 ? (
        <EmptyState title={lines.length === 0 ? 'Nothing was done yet' : 'Nothing fits'}>
          {lines.length === 0
            ? 'From now on every act is written down here.'
            : 'Try fewer words, or another act or outcome.'}
        </EmptyState>
      ) : (
        <ol className="flex flex-col divide-y divide-line" aria-label="Activity">
          {found.slice(0, shown).map((line) => (
            <ActivityItem key={line.seq} line={line} rewritten={suspect.has(line.seq)} />
          ))}
        </ol>
      )}
      {found.length > shown ? (
        <Button className="self-center" onClick={() => setShown(shown + PAGE)}>
          Show {Math.min(PAGE, found.length - shown)} more
        </Button>
      ) : null}
    </div>
  )
}

/** What the chain shows to be wrong. */
function Wrong({ missing, rewritten }: Pick<Activity, 'missing' | 'rewritten'>) {
  if (missing.length === 0 && rewritten.length === 0) return null
  const gaps = missing.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`))
  return (
    <Notice tone="bad" title="This log is not whole.">
      {gaps.length > 0 ? <p>Missing: {gaps.join(', ')}.</p> : null}
      {rewritten.length > 0 ? <p>Not as they were written: {rewritten.join(', ')}.</p> : null}
      <p>
        The browser may have lost them, or someone with access to this device changed them. The vault itself
        is checked apart from its log.
      </p>
    </Notice>
  )
}
