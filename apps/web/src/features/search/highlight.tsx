import { marks } from './marks.ts'

interface HighlightProps {
  text: string
  query: string
}

/** A text with what was searched for marked in it. */
export function Highlight({ text, query }: HighlightProps) {
  return marks(text, query).map(({ at, text: part, hit }) =>
    hit ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
  )
}
