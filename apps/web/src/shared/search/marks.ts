/** A part of a text, and whether it matches. `at` is its start, in UTF-16 units. */
export interface Mark {
  at: number
  text: string
  hit: boolean
}

/** Splits a text at the matches of words in lower case. Overlapping matches become one. */
export function marks(text: string, words: readonly string[]): Mark[] {
  const lower = text.toLowerCase()
  // Lower-casing changes the length of a few letters. Positions would be wrong, so highlight nothing.
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
