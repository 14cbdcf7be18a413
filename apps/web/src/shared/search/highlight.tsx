import { Fragment } from 'react'
import { cx } from '../ui/cx.ts'
import { KEY_END } from '../words/who.ts'
import { type Mark, marks } from './marks.ts'

const KEY_ENDS = new RegExp(KEY_END, 'g')

/** A sentence in one text, and which parts of it are emphasised: from and to, in UTF-16 units. */
export interface Emphasised {
  readonly text: string
  readonly strong: readonly Range[]
}

type Range = readonly [from: number, to: number]

interface HighlightProps {
  text: string
  words: readonly string[]
  /** Emphasised where the text is this sentence, as everywhere else that shows it. */
  sentence?: Emphasised | undefined
}

/** A text with the search words highlighted. The end of a key stays in one piece. Takes time in proportion to the text's length. */
export function Highlight({ text, words, sentence }: HighlightProps) {
  const strong = sentence?.text === text ? sentence.strong : []
  const tails = [...text.matchAll(KEY_ENDS)].map(({ 0: { length }, index }): Range => [index, index + length])
  const [isStrong, isTail, marksWithin] = [within(strong), within(tails), cutter(marks(text, words))]
  return cutAt(text.length, [...strong, ...tails]).map(([from, to]) => {
    const parts = marksWithin(from, to).map(({ at, text: part, hit }) =>
      hit ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
    )
    const Element = isStrong(from, to) ? 'strong' : 'span'
    const look = cx(Element === 'strong' && 'font-semibold', isTail(from, to) && 'whitespace-nowrap')
    if (look === '') return <Fragment key={from}>{parts}</Fragment>
    return (
      <Element key={from} className={look}>
        {parts}
      </Element>
    )
  })
}

/** A length in pieces, cut where a range begins or ends. */
function cutAt(length: number, ranges: readonly Range[]): Range[] {
  const cuts = [...new Set([0, ...ranges.flat(), length])].sort((a, b) => a - b)
  return cuts.slice(1).map((to, at) => [cuts[at] ?? 0, to])
}

/** Tells of one piece after the other, in order, whether it is within a range. @param ranges in order, none in another */
function within(ranges: readonly Range[]): (from: number, to: number) => boolean {
  let at = 0
  return (from, to) => {
    while ((ranges[at]?.[1] ?? Number.POSITIVE_INFINITY) <= from) at += 1
    const range = ranges[at]
    return range !== undefined && range[0] <= from && to <= range[1]
  }
}

/** Gives the marks of one piece after the other, in order. One that goes beyond its piece is cut. */
function cutter(all: readonly Mark[]): (from: number, to: number) => Mark[] {
  let next = 0
  return (from, to) => {
    const found: Mark[] = []
    for (let mark = all[next]; mark !== undefined && mark.at < to; mark = all[next]) {
      const { at, text, hit } = mark
      const part = text.slice(Math.max(from - at, 0), to - at)
      if (part !== '') found.push({ at: Math.max(at, from), text: part, hit })
      // The rest of it is in the next piece.
      if (at + text.length > to) break
      next += 1
    }
    return found
  }
}
