import { t } from '@lingui/core/macro'
import { visible } from '../text/visible.ts'

/** Tells one's own DIDs from others', so that sentences can say "you". */
export interface Contacts {
  /** Every DID that belongs to the account at hand. */
  own: ReadonlySet<string>
}

export const NOBODY: Contacts = { own: new Set() }

/**
 * A did:key, CID or address short enough for a line, with both ends kept: they are what people compare. A DID of any other method stays
 * whole: its ends can be chosen.
 */
export function shorten(text: string, head = 6, tail = 6): string {
  if (/^did:(?!key:)/.test(text)) return visible(text)
  const prefix = /^did:[a-z0-9]+:/.exec(text)?.[0] ?? ''
  const body = text.slice(prefix.length)
  if (body.length <= head + tail + 3) return text
  return `${prefix}${body.slice(0, head)}…${body.slice(-tail)}`
}

/**
 * "you" for one's own DIDs; the shortened DID of a key; any other whole: a `did:web` is trusted by its host, and its end is whatever its
 * owner likes.
 */
export function who(did: string, contacts: Contacts = NOBODY): string {
  if (contacts.own.has(did)) return t`you`
  return shorten(did)
}
