import type { ActivityLine } from '@keyhole/vault'
import { aboutFacts, actWords, outcomeWords } from './words.ts'

/** Which lines of the log are shown. */
export interface ActivityFilter {
  /** An act, or "all". */
  readonly act: string
  readonly outcome: 'all' | 'done' | 'refused'
  /** Words that must all be in a line, in any case. */
  readonly text: string
}

export const EVERYTHING: ActivityFilter = { act: 'all', outcome: 'all', text: '' }

/** The lines that fit a filter, newest first. */
export function filterLines(lines: readonly ActivityLine[], filter: ActivityFilter): ActivityLine[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  return lines
    .filter(
      (line) =>
        (filter.act === 'all' || line.act === filter.act) &&
        (filter.outcome === 'all' || (line.outcome === 'done') === (filter.outcome === 'done')) &&
        words.every((word) => hay(line).includes(word)),
    )
    .sort((a, b) => b.seq - a.seq)
}

function hay(line: ActivityLine): string {
  const about = aboutFacts(line).flat()
  return [
    line.seq,
    line.act,
    actWords(line.act),
    outcomeWords(line.outcome),
    line.outcome,
    line.tab,
    ...about,
  ]
    .join(' ')
    .toLowerCase()
}
