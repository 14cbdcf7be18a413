import { Fragment } from 'react'
import { cx } from '../ui/cx.ts'
import { type Mark, marks } from './marks.ts'

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

/** A text with the search words highlighted. The end of a key, “(…f3Jx)”, stays in one piece. */
export function Highlight({ text, words, sentence }: HighlightProps) {
  const strong = sentence?.text === text ? sentence.strong : []
  const tails = [...text.matchAll(/\(…\w{1,20}\)/g)].map(
    ({ 0: { length }, index }): Range => [index, index + length],
  )
  const found = marks(text, words)
  return cutAt(text.length, [...strong, ...tails]).map(([from, to]) => {
    const isIn = (ranges: readonly Range[]) => ranges.some(([begin, end]) => begin <= from && to <= end)
    const parts = within(found, from, to).map(({ at, text: part, hit }) =>
      hit ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
    )
    const look = cx(isIn(strong) && 'font-semibold', isIn(tails) && 'whitespace-nowrap')
    if (look === '') return <Fragment key={from}>{parts}</Fragment>
    const Element = isIn(strong) ? 'strong' : 'span'
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

/** The marks between two places. One that goes beyond them is cut. */
function within(all: readonly Mark[], from: number, to: number): Mark[] {
  return all.flatMap(({ at, text, hit }) => {
    const part = text.slice(Math.max(from - at, 0), Math.max(to - at, 0))
    return part === '' ? [] : [{ at: Math.max(at, from), text: part, hit }]
  })
}
