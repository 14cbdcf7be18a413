/** A stretch of a text, and whether it was searched for. `at` is where it begins, in UTF-16 units. */
export interface Mark {
  at: number
  text: string
  hit: boolean
}

/** A text cut where words in lower case begin and end; overlapping finds become one. */
export function marks(text: string, words: readonly string[]): Mark[] {
  const lower = text.toLowerCase()
  // Lower-casing changes the length of a few letters; there the places would be wrong, so nothing is marked.
  const sought = lower.length === text.length ? words.filter((word) => word !== '') : []
  const hit = new Uint8Array(text.length)
  for (const word of sought) {
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + 1))
      hit.fill(1, at, at + word.length)
  }
  const parts: Mark[] = []
  let begin = 0
  for (let at = 1; at <= text.length; at += 1) {
    if (at < text.length && hit[at] === hit[begin]) continue
    parts.push({ at: begin, text: text.slice(begin, at), hit: hit[begin] === 1 })
    begin = at
  }
  return parts
}
