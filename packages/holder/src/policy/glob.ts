// Patterns of `like`: `*` is any text, `\*` is a star, and nothing else is special (UCAN 1.0.0, "Glob Matching").
import { type Budget, MATCHED, STEP } from '../codec/work-budget.ts'

/** Whether a text fits. @throws HolderError TooMuchWork */
export type Glob = (text: string, budget: Budget) => boolean

/**
 * Reads a pattern. Every text is one; a backslash before anything but a star is itself. Matching takes time linear in the pattern and the
 * text: the first and the last part are fixed, and each part between is taken where it is first found, which leaves the most to those
 * after it.
 */
export function readGlob(pattern: string): Glob {
  const [first = '', ...middle] = pattern.split(/(?<!\\)\*/).map((part) => part.replaceAll('\\*', '*'))
  const last = middle.pop()
  if (last === undefined) return (text) => text === first
  // No shorter text fits.
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

/** Where the first `part` in `text` from `from` up to `end` ends; -1 where there is none. (Knuth, Morris, Pratt: linear always.) */
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
