/** As much of a command as is matched. */
export interface Rankable {
  readonly title: string
  /** Further words it may be looked for by. */
  readonly also?: string
}

const words = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s,;:()/]+/)
    .filter(Boolean)

/** How well a text fits: 0 not at all; its beginning counts more than that of a word, and that more than a middle. */
export function score({ title, also = '' }: Rankable, query: string): number {
  const asked = words(query)
  if (asked.length === 0) return 1
  const inTitle = words(title)
  const besides = words(also)
  if (title.toLowerCase().startsWith(query.trim().toLowerCase())) return 5
  let least = 4
  for (const word of asked) {
    const fit = inTitle.some((each) => each.startsWith(word))
      ? 4
      : besides.some((each) => each.startsWith(word))
        ? 3
        : word.length > 2 && title.toLowerCase().includes(word)
          ? 2
          : 0
    least = Math.min(least, fit)
  }
  return least
}

/** What fits, best first; of equals the earlier one. */
export function rank<T extends Rankable>(all: readonly T[], query: string): T[] {
  return all
    .map((each) => ({ each, fit: score(each, query) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .map(({ each }) => each)
}
