import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import { metadataContext, openTexts } from '../enclave/sealed-text.ts'
import type { MetadataRecord } from '../storage/schema.ts'
import { sealMetadata } from '../storage/sealed-metadata.ts'
import { type Contact, contactRecord, removedContact } from './contact.ts'

/** Contacts are metadata with this prefix and the contact's id. */
export const CONTACT_PREFIX = 'contact:'

/** What remains of a removed contact. */
export interface RemovedContact {
  readonly id: string
  readonly removed: true
  readonly updatedAt: number
}

export type StoredContact = Contact | RemovedContact

const contactText = v.pipe(v.string(), v.parseJson(), v.union([removedContact, contactRecord]))

/**
 * The metadata of a contact, or of its removal. Only removing the account deletes it.
 * @throws VaultError OPERATION_FAILED, the plugin's code (VAULT_LOCKED) in `details`
 */
export async function sealContact(
  enclave: Enclave,
  accountAddress: string,
  contact: StoredContact,
): Promise<MetadataRecord> {
  const key = `${CONTACT_PREFIX}${contact.id}`
  return await sealMetadata(enclave, accountAddress, key, JSON.stringify(contact), contact.updatedAt)
}

/** An opened record. */
interface Opened {
  readonly sealed: string
  /** Undefined if it doesn't open or parse. */
  readonly stored: StoredContact | undefined
}

/** The contacts of an account at one moment. */
export interface ReadContacts {
  /** Oldest first. The same list until one of them changes. */
  readonly contacts: readonly Contact[]
  /** As stored, including removed ones. */
  readonly stored: readonly StoredContact[]
  /** Ids of records that don't open or parse. */
  readonly unreadable: readonly string[]
}

const NONE: ReadContacts = { contacts: [], stored: [], unreadable: [] }

/** Caches opened contacts while the vault is unlocked, so that only changed ones are opened again. */
export class OpenedContacts {
  #opened: ReadonlyMap<string, Opened> = new Map()
  #last = NONE

  forget(): void {
    this.#opened = new Map()
    this.#last = NONE
  }

  /** Opens records. @throws VaultError OPERATION_FAILED, the plugin's code (VAULT_LOCKED) in `details` */
  async read(enclave: Enclave, records: readonly MetadataRecord[]): Promise<ReadContacts> {
    const before = this.#opened
    const fresh = records.filter(({ id, sealed }) => before.get(id)?.sealed !== sealed)
    if (fresh.length === 0 && records.length === before.size) return this.#last
    const texts = await openTexts(
      enclave,
      fresh.map(({ key, sealed }) => ({ context: metadataContext(key), text: sealed })),
    )
    const found = new Map(
      fresh.map((record, at) => [record.id, { sealed: record.sealed, stored: parsed(record, texts[at]) }]),
    )
    const opened = new Map(
      records.map(({ id, sealed }) => [id, found.get(id) ?? before.get(id) ?? { sealed, stored: undefined }]),
    )
    const stored = [...opened.values()].flatMap((each) => each.stored ?? [])
    const unreadable = [...opened].flatMap(([id, each]) => (each.stored ? [] : [id]))
    const all = { contacts: Object.freeze(resolved(stored)), stored, unreadable }
    // A lock cleared the cache in the meantime: don't refill it.
    if (this.#opened === before) {
      this.#opened = opened
      this.#last = all
    }
    return all
  }
}

function parsed({ key }: MetadataRecord, text: string | undefined): StoredContact | undefined {
  const result = v.safeParse(contactText, text)
  return result.success && key === `${CONTACT_PREFIX}${result.output.id}` ? result.output : undefined
}

/**
 * The account's contacts, oldest first. If two copies of the account gave a DID to different contacts, it belongs to
 * the one written last. Both records are kept: if that contact loses the DID, the other one has it again.
 */
export function resolved(stored: readonly StoredContact[]): Contact[] {
  const contacts = stored.filter((each): each is Contact => !('removed' in each))
  const owner = new Map<string, Contact>()
  for (const contact of contacts) {
    for (const did of contact.dids) {
      const other = owner.get(did)
      if (other === undefined || isLater(contact, other)) owner.set(did, contact)
    }
  }
  return contacts
    .map((contact) => {
      const dids = contact.dids.filter((did) => owner.get(did) === contact)
      return dids.length === contact.dids.length ? contact : { ...contact, dids }
    })
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
}

/** If both were written at the same time, the greater id wins, so every copy decides the same. */
function isLater(contact: Contact, other: Contact): boolean {
  if (contact.updatedAt !== other.updatedAt) return contact.updatedAt > other.updatedAt
  return contact.id > other.id
}
