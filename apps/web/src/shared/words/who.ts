import { t } from '@lingui/core/macro'
import { quotable, visible } from '../text/visible.ts'

/** Someone the owner has named. */
export interface Named {
  /** The contact's id. */
  readonly id: string
  readonly name: string
  readonly kind: string
  /** Whether another contact, or something of the owner's, has a name that looks like this one. */
  readonly isAlike: boolean
}

/** Who the current account knows: itself, so that sentences can say "you", and the contacts that its owner has named. */
export interface Contacts {
  /** Every DID of the account. */
  readonly own: ReadonlySet<string>
  /** Named contacts, by each of their DIDs. */
  readonly named: ReadonlyMap<string, Named>
  /** Names can't be read because the vault is locked. A key that isn't in `named` may still have one. */
  readonly isSealed: boolean
}

export const NOBODY: Contacts = { own: new Set(), named: new Map(), isSealed: false }

/**
 * A did:key, CID or address short enough for a line, with both ends, which people compare. Other DIDs are never shortened, because their
 * ends can be chosen.
 */
export function shorten(text: string, head = 6, tail = 6): string {
  if (/^did:(?!key:)/.test(text)) return visible(text)
  const prefix = /^did:[a-z0-9]+:/.exec(text)?.[0] ?? ''
  const body = text.slice(prefix.length)
  if (body.length <= head + tail + 3) return text
  return `${prefix}${body.slice(0, head)}…${body.slice(-tail)}`
}

/** A pattern of the end of a key as names show it: “(…f3Jx)”, or “…f3Jx”. */
export const KEY_END = String.raw`\(?…\w{1,20}\)?`

/** How many characters of a DID's end to show next to a name. */
const TAIL = 4
const LONGEST_TAIL = 12

const isKey = (did: string) => did.startsWith('did:key:')

/** What distinguishes a DID from others: as much of a did:key's end as needed. Other DIDs in full, because their owner chooses the end. */
export function tailOf(did: string, among: readonly string[] = []): string {
  if (!isKey(did)) return visible(did)
  const others = among.filter((other) => other !== did && isKey(other))
  let length = TAIL
  while (length < LONGEST_TAIL && others.some((other) => other.endsWith(did.slice(-length)))) length += 2
  return `…${did.slice(-length)}`
}

/** How many characters of a did:key's end people compare with each other: 70 bits, for which no one can search. */
const COMPARED = 12

/** What two people compare of a DID, in groups of four characters. Other DIDs than a did:key in full. */
export function comparedEnd(did: string): string {
  if (!isKey(did)) return visible(did)
  return `…${did.slice(-COMPARED).replace(/.{4}(?=.)/g, '$& ')}`
}

/** Short names that consist only of words. They can't be misread in a sentence. */
const WORDS =
  /^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}'’&+@/_-]+(?:[ .]{1,2}[\p{L}\p{M}\p{N}\p{Extended_Pictographic}'’&+@/_-]+){0,3}\.?$/u
const LONGEST_BARE = 40

/** A contact's name with everything in it visible, in quotation marks if it could be read as part of the sentence. */
export function nameWords(name: string): string {
  return name.length <= LONGEST_BARE && WORDS.test(name) ? visible(name) : t`“${quotable(name)}”`
}

/**
 * Who a DID is, for places where a name is enough: "you"; a contact's name, with the end of its DID if another name looks alike; or
 * unknown.
 */
export function who(did: string, contacts: Contacts = NOBODY): string {
  const named = contacts.own.has(did) ? undefined : contacts.named.get(did)
  if (named !== undefined && !named.isAlike) return nameWords(named.name)
  return signedWho(did, contacts)
}

/**
 * Who a DID is in what is signed: "you", or a name with the end of the DID.
 * @param among the other DIDs there, from which the end must differ
 */
export function signedWho(did: string, contacts: Contacts = NOBODY, among: readonly string[] = []): string {
  if (contacts.own.has(did)) return t`you`
  const named = contacts.named.get(did)
  if (named !== undefined) return `${nameWords(named.name)} (${tailOf(did, among)})`
  if (!isKey(did)) return shorten(did)
  const tail = tailOf(did, among)
  // While sealed, we can't tell whether it has a name.
  return contacts.isSealed ? t`Key (${tail})` : t`Unknown key (${tail})`
}

/** Whom the account asks for something in what it signs: as `signedWho`, or "yourself". */
export function askedWho(did: string, contacts: Contacts): string {
  return contacts.own.has(did) ? t`yourself` : signedWho(did, contacts)
}
