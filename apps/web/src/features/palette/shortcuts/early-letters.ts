import type { Pressed } from './keys.ts'

// Letters that are typed while the palette opens, before its box has the focus.
let letters = ''

/** Begins anew: the palette is asked for. */
export function forgetEarlyLetters(): void {
  letters = ''
}

/** Keeps what a key writes. @returns whether it writes anything; if so, it is to do nothing else */
export function keepEarlyLetter({ key, ctrlKey, metaKey, altKey }: Pressed): boolean {
  if (ctrlKey || metaKey || altKey || [...key].length !== 1) return false
  letters += key
  return true
}

/** What was typed until now, once. */
export function takeEarlyLetters(): string {
  const taken = letters
  letters = ''
  return taken
}
