import { marks } from './marks.ts'

interface HighlightProps {
  text: string
  words: readonly string[]
}

/** A text with the search words highlighted. */
export function Highlight({ text, words }: HighlightProps) {
  return marks(text, words).map(({ at, text: part, hit }) =>
    hit ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
  )
}
