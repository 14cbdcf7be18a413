import { t } from '@lingui/core/macro'
import { commandWords } from './command.ts'
import type { Capability } from './delegation.ts'
import { limitWords } from './limits.ts'
import { moment } from './when.ts'

/** What a link of a chain takes away from the one before it, in words; empty when it passes on all of it. */
export function narrowingWords(before: Capability, after: Capability): string[] {
  const changes: string[] = []
  if (after.command !== before.command) {
    const [now, then] = [commandWords(after.command), commandWords(before.command)]
    changes.push(t`Only “${now}” of “${then}”.`)
  }
  for (const limit of limitWords(after.command, after.policy)) changes.push(t`Adds a limit: ${limit}.`)
  const ends = [before.expiresAt, after.expiresAt]
  const [was = Number.POSITIVE_INFINITY, is = Number.POSITIVE_INFINITY] = ends
  if (is < was) {
    changes.push(
      was === Number.POSITIVE_INFINITY
        ? t`Ends on ${moment(is)}, where the one before has no end.`
        : t`Ends sooner: on ${moment(is)} and not on ${moment(was)}.`,
    )
  }
  if (after.notBefore !== undefined && after.notBefore > (before.notBefore ?? Number.NEGATIVE_INFINITY))
    changes.push(t`Starts later: on ${moment(after.notBefore)}.`)
  return changes
}
