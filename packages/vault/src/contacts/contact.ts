import * as v from 'valibot'
import { refused } from '../base/errors.ts'

/** What a contact can be. */
export const CONTACT_KINDS = ['person', 'app', 'agent', 'device', 'service'] as const
export type ContactKind = (typeof CONTACT_KINDS)[number]

/** Maximum length of a name, in UTF-16 units. */
export const CONTACT_NAME_MAX = 120
/** Maximum length of a note, in UTF-16 units. */
export const CONTACT_NOTE_MAX = 2_000
/** Maximum number of DIDs per contact. */
export const CONTACT_DIDS_MAX = 32
/** Maximum number of contacts per account. */
export const CONTACTS_MAX = 20_000

/** Longer than any DID in use: the largest RSA key makes a did:key of about 750 characters. */
const LONGEST_DID = 1_024
/** Longer texts are cut before cleaning; no real name comes close. */
const LONGEST_TYPED = 20_000

const time = v.pipe(v.number(), v.finite())
const did = v.pipe(v.string(), v.maxLength(LONGEST_DID), v.regex(/^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/))
const id = v.pipe(v.string(), v.regex(/^[0-9A-Za-z-]{1,64}$/))

/**
 * A contact as stored. Unknown fields are kept. Reading accepts more than writing, because another version may have had
 * other limits.
 */
export const contactRecord = v.looseObject({
  id,
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(10 * CONTACT_NAME_MAX)),
  kind: v.fallback(v.picklist(CONTACT_KINDS), 'person'),
  dids: v.pipe(v.array(did), v.maxLength(10 * CONTACT_DIDS_MAX)),
  note: v.exactOptional(v.string()),
  suggestedName: v.exactOptional(v.string()),
  createdAt: time,
  updatedAt: time,
})

/** What remains of a removed contact, so that no older copy brings it back. */
export const removedContact = v.looseObject({ id, removed: v.literal(true), updatedAt: time })

/** A person, app, agent, device or service that the owner has named. */
export interface Contact {
  readonly id: string
  readonly name: string
  readonly kind: ContactKind
  /** A DID belongs to one contact at most. */
  readonly dids: readonly string[]
  readonly note?: string
  /** The name it gave itself, if the owner chose another or hasn't decided. A stranger's text. */
  readonly suggestedName?: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** A new contact or, with an `id`, changes to an existing one. */
export interface ContactDraft {
  readonly id?: string
  /** Required for a new contact. */
  readonly name?: string
  /** Default: `person`. */
  readonly kind?: ContactKind
  /** Replaces all of them. */
  readonly dids?: readonly string[]
  /** An empty text removes the note. */
  readonly note?: string
  /** An empty text removes it. Cut if it is too long. */
  readonly suggestedName?: string
}

// Characters that are invisible or change the direction of neighbouring text.
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\ufffc]/gu
const BLANKS = /[\p{Z}\s\u2800]+/gu

/**
 * Cleans a name for storage: drops invisible characters, turns every blank into one space, and limits each letter to
 * three marks. Empty if nothing remains.
 */
export function cleanContactName(text: string): string {
  if (text.length > LONGEST_TYPED) return cleanContactName(text.slice(0, LONGEST_TYPED))
  return text
    .normalize('NFC')
    .replace(BLANKS, ' ')
    .replace(UNSEEN, '')
    .replace(/^[\p{M} ]+/u, '')
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
    .replace(/ +/g, ' ')
    .trim()
}

/** @throws VaultError OPERATION_FAILED: `ContactNameRequired`, `ContactNameTooLong`, `ContactNameIsDid` */
export function checkName(text: string): string {
  const name = cleanContactName(text)
  if (name === '') throw refused('ContactNameRequired')
  if (name.length > CONTACT_NAME_MAX) throw refused('ContactNameTooLong', { most: CONTACT_NAME_MAX })
  // People don't look closely at an identifier in a name's place.
  if (/^did ?:/i.test(name.normalize('NFKC'))) throw refused('ContactNameIsDid')
  return name
}

/** @throws VaultError OPERATION_FAILED `ContactNoteTooLong` */
export function checkNote(text: string): string {
  const note = text.trim()
  if (note.length > CONTACT_NOTE_MAX) throw refused('ContactNoteTooLong', { most: CONTACT_NOTE_MAX })
  return note
}

/** Cleans and cuts a name given by a stranger. */
export function cutName(text: string): string {
  const name = cleanContactName(text)
  // Don't cut through a character.
  return name.length <= CONTACT_NAME_MAX
    ? name
    : name.slice(0, CONTACT_NAME_MAX).replace(/[\ud800-\udbff]$/, '')
}

/**
 * Unique DIDs, in order.
 * @param own the DIDs of the account's own keys
 * @throws VaultError OPERATION_FAILED: `ContactDidInvalid`, `ContactDidOwn`, `ContactDidsTooMany`
 */
export function checkDids(texts: readonly string[], own: ReadonlySet<string>): string[] {
  const dids = [...new Set(texts.map((text) => text.trim()))]
  for (const each of dids) {
    if (!v.is(did, each)) throw refused('ContactDidInvalid')
    if (own.has(each)) throw refused('ContactDidOwn')
  }
  if (dids.length > CONTACT_DIDS_MAX) throw refused('ContactDidsTooMany', { most: CONTACT_DIDS_MAX })
  return dids
}
