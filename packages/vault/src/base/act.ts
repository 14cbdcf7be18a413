/** What a line of the log is about: ids, CIDs, kinds and numbers. Never a secret, and never a token's text. */
export type ActivityAbout = Readonly<Record<string, string | number | boolean>>

/** What was done, and to what. */
export interface Act {
  /** The operation: `grant`, `unlock`, … */
  readonly act: string
  /** `done`, or the code of the refusal. */
  readonly outcome: string
  readonly about?: ActivityAbout
}

/** As much of a text as fits into a line: as JSON a character takes six bytes at most. */
export function short(text: string): string {
  const most = /^[\x20-\x7e]*$/.test(text) ? 200 : 50
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}
