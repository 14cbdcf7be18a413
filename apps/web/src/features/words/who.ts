import { t } from '@lingui/core/macro'

/** Tells one's own DIDs from others', so that sentences can say "you". */
export interface Acquaintance {
  /** Every DID that belongs to the account at hand. */
  own: ReadonlySet<string>
}

export const NOBODY: Acquaintance = { own: new Set() }

/** A DID, CID or address short enough for a line, with both ends kept: they are what people compare. */
export function shorten(text: string, head = 6, tail = 6): string {
  const prefix = /^did:[a-z0-9]+:/.exec(text)?.[0] ?? ''
  const body = text.slice(prefix.length)
  if (body.length <= head + tail + 3) return text
  return `${prefix}${body.slice(0, head)}…${body.slice(-tail)}`
}

/** "you" for one's own DIDs, the shortened DID for everyone else's. */
export function who(did: string, acquaintance: Acquaintance = NOBODY): string {
  return acquaintance.own.has(did) ? t`you` : shorten(did)
}
