import type { ActivityLine } from '@keyhole/vault'
import { dayEnd, dayStart } from '../../shared/text/day.ts'
import { aboutFacts, actWords, deviceWords, outcomeWords } from '../../shared/words/activity.ts'

/** Which lines of the log are shown. */
export interface ActivityFilter {
  /** An act, or "all". */
  readonly act: string
  readonly outcome: 'all' | 'done' | 'refused'
  /** Words that a line must all contain, ignoring case. */
  readonly text: string
  /** First and last day, such as "2026-11-21" in the reader's time zone. Empty means no limit. */
  readonly from: string
  readonly to: string
}

export const EVERYTHING: ActivityFilter = { act: 'all', outcome: 'all', text: '', from: '', to: '' }

/**
 * Prepares a log for repeated filtering: turns it round once, and puts each line into words when it's first needed.
 * @param nameOf the name for a DID or contact id in a line, if it has one
 * @returns the matching lines, newest first
 */
export function filterOf(
  lines: readonly ActivityLine[],
  nameOf: (value: string) => string | undefined = () => undefined,
): (filter: ActivityFilter) => ActivityLine[] {
  const newestFirst = lines.toReversed()
  const hays = new Map<ActivityLine, string>()
  const hayOf = (line: ActivityLine) => {
    const known = hays.get(line)
    if (known !== undefined) return known
    const made = hay(line, nameOf)
    hays.set(line, made)
    return made
  }
  return ({ act, outcome, text, from, to }) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    const [first, last] = [dayStart(from) ?? Number.NEGATIVE_INFINITY, dayEnd(to) ?? Number.POSITIVE_INFINITY]
    return newestFirst.filter(
      (line) =>
        (act === 'all' || line.act === act) &&
        (outcome === 'all' || (line.outcome === 'done') === (outcome === 'done')) &&
        line.at >= first &&
        line.at < last &&
        words.every((word) => hayOf(line).includes(word)),
    )
  }
}

function hay(line: ActivityLine, nameOf: (value: string) => string | undefined): string {
  const about = aboutFacts(line).flatMap(({ field, name, value, finds }) => [
    ...[field, name, value, finds ?? ''],
    nameOf(finds ?? value) ?? '',
  ])
  return [
    line.seq,
    line.act,
    actWords(line.act),
    actWords(line.act, line.outcome),
    outcomeWords(line.outcome),
    line.outcome,
    line.tab,
    line.device ? deviceWords(line.device) : '',
    ...about,
  ]
    .join(' ')
    .toLowerCase()
}
