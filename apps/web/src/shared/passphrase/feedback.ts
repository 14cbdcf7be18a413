import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

/** What weakens a passphrase, by the estimator's names. */
const WARNINGS: Readonly<Record<string, MessageDescriptor>> = {
  straightRow: msg`A row of keys is one of the first things that are tried.`,
  keyPattern: msg`A short path over the keyboard is quickly guessed.`,
  simpleRepeat: msg`One character again and again adds next to nothing.`,
  extendedRepeat: msg`A pattern that repeats adds little to its first round.`,
  sequences: msg`Characters in their usual order are quickly guessed.`,
  recentYears: msg`A recent year is quickly guessed.`,
  dates: msg`A date is quickly guessed.`,
  topTen: msg`It’s one of the 10 most common passwords.`,
  topHundred: msg`It’s one of the 100 most common passwords.`,
  common: msg`Many people use it.`,
  similarToCommon: msg`It is close to one that many people use.`,
  wordByItself: msg`A single word is in every list that is tried.`,
  namesByThemselves: msg`A name alone is in every list that is tried.`,
  commonNames: msg`Common names are in every list that is tried.`,
  userInputs: msg`It contains the name of this vault, or of Keyhole.`,
  pwned: msg`It is in lists of stolen passwords.`,
}

/** What would help, by the estimator's names. */
const SUGGESTIONS: Readonly<Record<string, MessageDescriptor>> = {
  l33t: msg`Attackers try a 4 for an A, or a 0 for an O.`,
  reverseWords: msg`A word spelt backwards is tried as well.`,
  allUppercase: msg`Capitals throughout add almost nothing.`,
  capitalization: msg`A capital at the start adds almost nothing.`,
  dates: msg`Leave out dates and years that have to do with you.`,
  recentYears: msg`Leave out recent years.`,
  associatedYears: msg`Leave out years that have to do with you.`,
  sequences: msg`Leave out runs such as abc or 123.`,
  repeated: msg`Do not repeat words or characters.`,
  longerKeyboardPattern: msg`If it is a path over the keyboard, make it long, with many turns.`,
  anotherWord: msg`Add a word or two that few would think of.`,
  useWords: msg`Use several words that do not belong together.`,
  noNeed: msg`It needs no digits, signs or capitals: more words do more.`,
  pwned: msg`Don’t use it anywhere.`,
}

/** The estimator's feedback in sentences. What has no sentence here is left out. */
export function feedbackWords(warning: string | null, suggestions: readonly string[]): string[] {
  const found = [WARNINGS[warning ?? ''], ...suggestions.map((name) => SUGGESTIONS[name])]
  return found.flatMap((words) => (words === undefined ? [] : [t(words)]))
}
