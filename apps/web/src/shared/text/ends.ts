/** Characters to keep at each end, after a DID's method. People compare the ends. */
const END = 6

/** A text in three parts. The middle is empty if the text is short enough for a line. */
export function ends(text: string): readonly [head: string, middle: string, tail: string] {
  const method = /^did:[a-z0-9]+:/.exec(text)?.[0].length ?? 0
  if (text.length - method <= 2 * END + 4) return [text, '', '']
  return [text.slice(0, method + END), text.slice(method + END, -END), text.slice(-END)]
}
