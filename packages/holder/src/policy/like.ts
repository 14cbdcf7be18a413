// Patterns of `like`: `*` matches any text, `\*` a star, and nothing else is special (UCAN 1.0.0, "Glob Matching").
import { type Budget, MATCHED, STEP } from '../codec/work-budget.ts'

/** Whether a text matches. @throws HolderError TooMuchWork */
export type Glob = (text: string, budget: Budget) => boolean

/**
 * Reads a pattern. Every text is a valid one; a backslash before anything but a star is literal. Matching takes linear
 * time: the first and last parts are fixed, and each part in between is matched at its first occurrence, which leaves
 * the most for the rest.
 */
export function readGlob(pattern: string): Glob {
  const [first = '', ...middle] = pattern.split(/(?<!\\)\*/).map((part) => part.replaceAll('\\*', '*'))
  const last = middle.pop()
  if (last === undefined) return (text) => text === first
  // No shorter text can match.
  const length = middle.reduce((sum, part) => sum + part.length, first.length + last.length)
  return (text, budget) => {
    if (text.length < length) return false
    budget.spend(STEP * middle.length + MATCHED * (text.length + length))
    if (!text.startsWith(first) || !text.endsWith(last)) return false
    let at = first.length
    return middle.every((part) => {
      at = after(text, part, at, text.length - last.length)
      return at >= 0
    })
  }
}

/**
 * The end of the first `part` in `text` between `from` and `end`; -1 if there is none. (Knuth, Morris, Pratt: always
 * linear.)
 */
function after(text: string, part: string, from: number, end: number): number {
  const borders = [0]
  let fits = 0
  const step = (letter: string | undefined) => {
    while (fits > 0 && letter !== part[fits]) fits = borders[fits - 1] ?? 0
    if (letter === part[fits]) fits += 1
  }
  for (let at = 1; at < part.length; at += 1) {
    step(part[at])
    borders[at] = fits
  }
  fits = 0
  let at = from
  for (; at < end && fits < part.length; at += 1) step(text[at])
  return fits === part.length ? at : -1
}
