/** What a log line is about: ids, CIDs, kinds and numbers. Never a secret or a token's text. */
export type ActivityAbout = Readonly<Record<string, string | number | boolean>>

/** What was done, and to what. */
export interface Act {
  /** The operation: `grant`, `unlock`, … */
  readonly act: string
  /** `done`, or the code of the refusal. */
  readonly outcome: string
  readonly about?: ActivityAbout
}

/**
 * Cuts a text to fit a log line. A character outside ASCII can take six bytes in JSON, so such a text is cut shorter.
 */
export function short(text: string): string {
  const most = /^[\x20-\x7e]*$/.test(text) ? 200 : 50
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}

/** Another device of the account, as far as this one knows it. */
export interface LineDevice {
  readonly id: string
  /** What its owner called it when this device last heard of it. */
  readonly name?: string
}
