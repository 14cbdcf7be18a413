/** Characters kept at each end, after the method of a DID: the ends are what people compare. */
const END = 6

/** A text cut in three, the middle empty where the text is short enough for a line. */
export function ends(text: string): readonly [head: string, middle: string, tail: string] {
  const method = /^did:[a-z0-9]+:/.exec(text)?.[0].length ?? 0
  if (text.length - method <= 2 * END + 4) return [text, '', '']
  return [text.slice(0, method + END), text.slice(method + END, -END), text.slice(-END)]
}
