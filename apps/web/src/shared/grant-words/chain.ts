import { t } from '@lingui/core/macro'
import { commandWords } from '../words/command.ts'
import { moment } from '../words/when.ts'
import { type Limit, policyLimits } from './limits.ts'
import type { Capability } from './sentence.ts'

/** How a link narrows the one before it: sentences, and the limits that it adds. */
export interface Narrowing {
  readonly changes: readonly string[]
  readonly limits: readonly Limit[]
}

/** How a link narrows the one before it, in words. Empty if it passes on everything. */
export function narrowingWords(before: Capability, after: Capability): Narrowing {
  const changes: string[] = []
  if (after.command !== before.command) {
    const [now, then] = [commandWords(after.command), commandWords(before.command)]
    changes.push(t`Only “${now}” of “${then}”.`)
  }
  const ends = [before.expiresAt, after.expiresAt]
  const [was = Number.POSITIVE_INFINITY, is = Number.POSITIVE_INFINITY] = ends
  if (is < was) {
    changes.push(
      was === Number.POSITIVE_INFINITY
        ? t`Expires on ${moment(is)}, where the one before never expires.`
        : t`Expires sooner: on ${moment(is)} and not on ${moment(was)}.`,
    )
  }
  if (after.notBefore !== undefined && after.notBefore > (before.notBefore ?? Number.NEGATIVE_INFINITY))
    changes.push(t`Starts later: on ${moment(after.notBefore)}.`)
  return { changes, limits: policyLimits(after.command, after.policy).limits }
}
