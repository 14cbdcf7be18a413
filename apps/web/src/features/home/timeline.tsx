import type { StoredToken } from '@keyhole/vault'
import { Link } from '@tanstack/react-router'
import { useAcquaintance } from '../common/use-acquaintance.ts'
import { storedCapability, storedStanding } from '../grants/capability.ts'
import { StandingBadge } from '../grants/standing-badge.tsx'
import { commandWords } from '../words/command.ts'
import { who } from '../words/who.ts'
import { spans } from './spans.ts'

/** Shown at once; the rest is on the grants' own page. */
const MOST = 8

interface TimelineProps {
  /** Live grants, the next to end first. */
  tokens: readonly StoredToken[]
  now: number
}

/** Live grants as bars from their start to their end, on one scale of time. */
export function Timeline({ tokens, now }: TimelineProps) {
  const acquaintance = useAcquaintance()
  const shown = tokens.slice(0, MOST)
  const bars = spans(
    shown.map((token) => ({ from: token.notBefore ?? token.createdAt, until: token.expiresAt })),
    now,
  )
  return (
    <div className="flex flex-col gap-3">
      <ol className="flex flex-col gap-1">
        {shown.map((token, index) => {
          const capability = storedCapability(token)
          const bar = bars[index]
          return (
            <li key={token.id}>
              <Link
                to="/identity"
                search={{ tab: 'grants', token: token.cid }}
                className="-mx-2 flex flex-col gap-2 rounded-lg p-2 hover:bg-sunken"
              >
                <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
                  <span className="min-w-0 wrap-anywhere text-sm">
                    {token.label ? <strong className="font-semibold">{token.label}: </strong> : null}
                    {who(capability.audience, acquaintance).replace(/^you$/, 'You')} may{' '}
                    {commandWords(capability.command)}
                  </span>
                  <StandingBadge
                    standing={storedStanding(token, now)}
                    expiresAt={token.expiresAt}
                    notBefore={token.notBefore}
                    now={now}
                  />
                </span>
                <span
                  className="relative block h-1.5 overflow-hidden rounded-full bg-sunken"
                  aria-hidden="true"
                >
                  {bar ? (
                    <>
                      <span
                        className="absolute inset-y-0 rounded-full bg-line-strong"
                        style={{ left: `${bar.left}%`, width: `${bar.past}%` }}
                      />
                      <span
                        className="absolute inset-y-0 rounded-full bg-brass-fill"
                        style={{ left: `${bar.left + bar.past}%`, width: `${bar.future}%` }}
                      />
                    </>
                  ) : null}
                </span>
              </Link>
            </li>
          )
        })}
      </ol>
      {tokens.length > MOST ? (
        <Link to="/identity" search={{ tab: 'grants' }} className="text-sm underline underline-offset-4">
          All {tokens.length} live grants
        </Link>
      ) : null}
    </div>
  )
}
