import type { ActivityLine } from '@keyhole/vault'
import { Badge } from '../../components/badge.tsx'
import { moment } from '../words/when.ts'
import { shorten } from '../words/who.ts'
import { aboutFacts, actWords, outcomeWords } from './words.ts'

/** One line of the log. */
export function ActivityItem({ line, rewritten }: { line: ActivityLine; rewritten: boolean }) {
  const about = aboutFacts(line)
  return (
    <li className="grid gap-x-4 gap-y-1 py-3 text-sm sm:grid-cols-[3.5rem_minmax(0,1fr)_max-content]">
      <span className="text-ink-faint max-sm:hidden">{line.seq}</span>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{actWords(line.act)}</span>
          {line.outcome === 'done' ? null : <Badge tone="warn">{outcomeWords(line.outcome)}</Badge>}
          {rewritten ? <Badge tone="bad">not as it was written</Badge> : null}
        </p>
        {about.length > 0 ? (
          <p className="wrap-anywhere text-ink-faint text-xs">
            {about.map(([name, value], index) => (
              <span key={name} title={value}>
                {index > 0 ? ', ' : ''}
                {name}
                {value === '' ? null : <code> {shorten(value, 8, 8)}</code>}
              </span>
            ))}
          </p>
        ) : null}
      </div>
      <p className="text-ink-faint text-xs sm:text-right">
        <time dateTime={new Date(line.at).toISOString()}>{moment(line.at)}</time>
        <span className="sm:block"> in tab {line.tab}</span>
      </p>
    </li>
  )
}
