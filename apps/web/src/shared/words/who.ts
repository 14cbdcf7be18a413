import { t } from '@lingui/core/macro'
import { quotable, visible } from '../text/visible.ts'

/** Someone whom the owner has named. */
export interface Named {
  /** The contact's id. */
  readonly id: string
  readonly name: string
  readonly kind: string
  /** Whether another contact, or something of the owner's, has a name that can be taken for this one. */
  readonly isAlike: boolean
}

/** Whom the account at hand knows: itself, so that sentences can say "you", and those that its owner has named. */
export interface Contacts {
  /** Every DID that belongs to the account. */
  readonly own: ReadonlySet<string>
  /** The named, by each of their DIDs. */
  readonly named: ReadonlyMap<string, Named>
  /** Names can't be read now, because the vault is locked: a key that isn't in `named` may have one all the same. */
  readonly isSealed: boolean
}

export const NOBODY: Contacts = { own: new Set(), named: new Map(), isSealed: false }

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

/** Letters of a DID's end that stand beside a name. */
const TAIL = 4
const LONGEST_TAIL = 12

const isKey = (did: string) => did.startsWith('did:key:')

/**
 * What tells a DID from these others: the end of a did:key, as much of it as none of them has too; any other DID whole, since its owner
 * chooses how it ends.
 */
export function tailOf(did: string, among: readonly string[] = []): string {
  if (!isKey(did)) return visible(did)
  const others = among.filter((other) => other !== did && isKey(other))
  let length = TAIL
  while (length < LONGEST_TAIL && others.some((other) => other.endsWith(did.slice(-length)))) length += 2
  return `…${did.slice(-length)}`
}

/** Names with nothing in them but words, and few of them: in a sentence they can be taken for nothing else. */
const WORDS =
  /^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}'’&+@/_-]+(?:[ .]{1,2}[\p{L}\p{M}\p{N}\p{Extended_Pictographic}'’&+@/_-]+){0,3}\.?$/u
const LONGEST_BARE = 40

/** A contact's name with everything in it to be seen, between quotation marks where it could be read as more of a sentence. */
export function nameWords(name: string): string {
  return name.length <= LONGEST_BARE && WORDS.test(name) ? visible(name) : t`“${quotable(name)}”`
}

/** Who a DID is where a name will do: "you"; a contact's name, with its DID's end where another name looks alike; or that nobody knows. */
export function who(did: string, contacts: Contacts = NOBODY): string {
  const named = contacts.own.has(did) ? undefined : contacts.named.get(did)
  if (named !== undefined && !named.isAlike) return nameWords(named.name)
  return signedWho(did, contacts)
}

/**
 * Who a DID is in what is signed: "you", or a name with the end of the DID.
 *
 * @param among the other DIDs beside it, from which the end has to tell it
 */
export function signedWho(did: string, contacts: Contacts = NOBODY, among: readonly string[] = []): string {
  if (contacts.own.has(did)) return t`you`
  const named = contacts.named.get(did)
  if (named !== undefined) return `${nameWords(named.name)} (${tailOf(did, among)})`
  if (!isKey(did)) return shorten(did)
  const tail = tailOf(did, among)
  // Nobody can tell whether it has a name.
  return contacts.isSealed ? t`Key (${tail})` : t`Unknown key (${tail})`
}
