import type { ActivityLine } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans } from '@lingui/react/macro'
import { Fragment, useId, useState } from 'react'
import { formatTag } from '../../shared/language/language.ts'
import type { NamedToken } from '../../shared/tokens/use-tokens.ts'
import { Badge } from '../../shared/ui/feedback/badge.tsx'
import { actWords, deviceWords, outcomeWords } from '../../shared/words/activity.ts'
import { useLineFacts } from './line-facts.tsx'

interface ActivityItemProps {
  line: ActivityLine
  rewritten: boolean
  /** What to call the tokens of the log, by their CIDs. */
  names: ReadonlyMap<string, NamedToken>
}

/** One line of the log. */
export function ActivityItem({ line, rewritten, names }: ActivityItemProps) {
  const { facts, details } = useLineFacts(line, names)
  const { tabs } = useVaultSnapshot()
  const [open, setOpen] = useState(false)
  const id = useId()
  const { tab, device } = line
  const isHere = device === undefined && tabs.some((each) => each.here && each.id === tab)
  return (
    <div className="grid gap-x-4 gap-y-1 py-3 text-sm sm:grid-cols-[3.5rem_minmax(0,1fr)_max-content]">
      <span className="text-ink-faint max-sm:hidden">{line.seq}</span>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="wrap-anywhere min-w-0 font-medium">{actWords(line.act, line.outcome)}</span>
          {line.outcome === 'done' ? null : <Badge tone="warn">{outcomeWords(line.outcome)}</Badge>}
          {line.source === undefined ? null : (
            <Badge>
              {line.source === 'backup' ? <Trans>from a backup</Trans> : <Trans>from before a backup</Trans>}
            </Badge>
          )}
          {device === undefined ? null : (
            <Badge>
              <bdi>{deviceWords(device)}</bdi>
            </Badge>
          )}
          {rewritten ? (
            <Badge tone="bad">
              <Trans>altered</Trans>
            </Badge>
          ) : null}
        </p>
        {facts.length > 0 ? (
          <p className="wrap-anywhere text-ink-faint text-xs">
            {facts.map(({ field, shown }, index) => (
              <Fragment key={field}>
                <span>
                  {shown}
                  {index < facts.length - 1 ? ',' : ''}
                </span>{' '}
              </Fragment>
            ))}
          </p>
        ) : null}
        {open ? (
          <dl id={id} className="mt-1 grid gap-x-3 text-xs sm:grid-cols-[max-content_minmax(0,1fr)]">
            {details.map(({ field, name, shown }) => (
              <Fragment key={field}>
                <dt className="text-ink-faint">{name}</dt>
                <dd className="break-all font-mono text-ink-soft">{shown}</dd>
              </Fragment>
            ))}
            <dt className="text-ink-faint">
              <Trans>tab</Trans>
            </dt>
            <dd className="text-ink-soft">
              <code>{tab}</code> {isHere ? <Trans>(this tab)</Trans> : null}
            </dd>
          </dl>
        ) : null}
      </div>
      <p className="text-ink-faint text-xs sm:text-right">
        <time dateTime={new Date(line.at).toISOString()}>{timeWords(line.at)}</time>{' '}
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
          className="reach min-h-6 rounded-sm underline decoration-line-strong underline-offset-4 hover:text-ink sm:ml-auto sm:block"
        >
          <Trans>Details</Trans>
        </button>
      </p>
    </div>
  )
}

function timeWords(at: number): string {
  return new Intl.DateTimeFormat(formatTag(), { timeStyle: 'medium' }).format(at)
}
