import type { ActivityAbout } from '../base/act.ts'
import { refused } from '../base/errors.ts'
import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import type { StateBatch } from '../storage/account/account-storage.ts'
import type { MetadataRecord } from '../storage/schema.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import {
  CONTACTS_MAX,
  type Contact,
  type ContactDraft,
  checkDids,
  checkName,
  checkNote,
  cutName,
} from './contact.ts'
import {
  CONTACT_PREFIX,
  type ContactBook,
  OpenedContacts,
  type RemovedContact,
  sealContact,
} from './contact-records.ts'

/** Removals and merges that can be taken back. */
const MOST_UNDONE = 50

/** What is to be written: contacts that are new or changed, and the ids of those that go. */
interface Edit {
  readonly put: readonly Contact[]
  readonly remove?: readonly string[]
}

/** Contacts as they were before a removal or a merge, still sealed. */
interface Before {
  readonly address: string
  readonly records: readonly MetadataRecord[]
}

/** What is there when an edit is made. */
interface Book {
  readonly contacts: readonly Contact[]
  /** Later than anything that is stored of these, also where the clock was set back. Milliseconds since 1970. */
  readonly now: (...ids: readonly string[]) => number
}

/**
 * The people, apps, agents, devices and services that the owner has named. Each is a sealed record of its own. What was granted to one
 * does not depend on its contact.
 */
export class Contacts {
  readonly #context: VaultContext
  readonly #changes: Changes
  readonly #opened = new OpenedContacts()
  /** Without persistence: the records of each account of this page. */
  readonly #held = new Map<string, Map<string, MetadataRecord>>()
  /** By the id that `restore` takes. */
  readonly #before = new Map<string, Before>()
  /** Ids of records that were reported. */
  readonly #reported = new Set<string>()

  constructor(context: VaultContext, changes: Changes) {
    this.#context = context
    this.#changes = changes
    context.events.on('vault:locked', () => this.#opened.forget())
    context.events.on('vault:initialized', () => this.#opened.forget())
  }

  /**
   * Every contact, the oldest first: the same list until something changes.
   *
   * @throws VaultError VAULT_LOCKED
   */
  async list(): Promise<readonly Contact[]> {
    this.#context.requireUnlocked()
    return (await this.#read()).book.contacts
  }

  /** One contact; undefined where there is none of that id. @throws VaultError VAULT_LOCKED */
  async get(id: string): Promise<Contact | undefined> {
    return (await this.list()).find((contact) => contact.id === id)
  }

  /** The contact that a DID belongs to. @throws VaultError VAULT_LOCKED */
  async find(did: string): Promise<Contact | undefined> {
    return (await this.list()).find(({ dids }) => dids.includes(did))
  }

  /**
   * Saves a new contact, or what is to change of one that is there.
   *
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED by name: `ContactUnknown`, `ContactNameRequired`, `ContactNameTooLong`,
   * `ContactNameIsDid`, `ContactNoteTooLong`, `ContactDidInvalid`, `ContactDidOwn`, `ContactDidTaken`, `ContactDidsTooMany`,
   * `ContactsTooMany`. Nothing is changed then
   */
  async save(draft: ContactDraft): Promise<Contact> {
    const { id } = draft
    const isNew = id === undefined
    return await this.#edit(isNew ? 'addContact' : 'changeContact', ({ contacts, now }) => {
      if (!isNew) return { put: [this.#changed(find(contacts, id), draft, now(id))] }
      if (contacts.length >= CONTACTS_MAX) throw refused('ContactsTooMany', { most: CONTACTS_MAX })
      const at = now()
      const blank = {
        id: crypto.randomUUID(),
        kind: 'person',
        dids: [],
        createdAt: at,
        updatedAt: at,
      } as const
      return { put: [this.#changed({ ...blank, name: '' }, { name: '', ...draft }, at)] }
    })
  }

  /** @throws VaultError as `save` */
  async rename(id: string, name: string): Promise<Contact> {
    return await this.save({ id, name })
  }

  /** Gives a contact another DID. One that it has already changes nothing. @throws VaultError as `save` */
  async addDid(id: string, did: string): Promise<Contact> {
    return await this.#edit('changeContact', ({ contacts, now }) => {
      const contact = find(contacts, id)
      return { put: [this.#changed(contact, { dids: [...contact.dids, did] }, now(id))] }
    })
  }

  /** Takes a DID from a contact, which may then have none. @throws VaultError as `save` */
  async removeDid(id: string, did: string): Promise<Contact> {
    return await this.#edit('changeContact', ({ contacts, now }) => {
      const contact = find(contacts, id)
      return { put: [this.#changed(contact, { dids: contact.dids.filter((each) => each !== did) }, now(id))] }
    })
  }

  /**
   * Makes one contact of several: it keeps its name and kind, and gets the DIDs and notes of the others, which go. `restore` takes it
   * back.
   *
   * @param id of the one that stays
   * @throws VaultError as `save`
   */
  async merge(id: string, others: readonly string[]): Promise<Contact> {
    return await this.#edit('mergeContacts', ({ contacts, now }) => {
      const into = find(contacts, id)
      const merged = [...new Set(others)]
        .filter((other) => other !== id)
        .map((other) => find(contacts, other))
      const dids = [into, ...merged].flatMap((each) => each.dids)
      const notes = [into, ...merged].flatMap(({ note }) => note ?? [])
      const gone = merged.map((each) => each.id)
      const note = [...new Set(notes)].join('\n')
      return { put: [this.#changed(into, { dids, note }, now(id, ...gone))], remove: gone }
    })
  }

  /** Removes a contact. What was granted to it stays. `restore` takes it back. @throws VaultError VAULT_LOCKED; OPERATION_FAILED `ContactUnknown` */
  async remove(id: string): Promise<void> {
    await this.#edit('removeContact', ({ contacts }) => ({ put: [], remove: [find(contacts, id).id] }))
  }

  /**
   * Takes back what this tab did last of removing a contact or merging others into it. A DID that another contact has got meanwhile stays
   * with that one.
   *
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED `ContactNotRestorable` where it was changed since, or is not known here any more
   */
  async restore(id: string): Promise<void> {
    const before = this.#before.get(id)
    if (before?.address !== this.#context.snapshot.address || before === undefined) {
      throw refused('ContactNotRestorable', {}, { details: { id } })
    }
    const { contacts: back } = await new OpenedContacts().read(this.#context.client.enclave, before.records)
    const ids = new Set(back.map((each) => each.id))
    await this.#edit('restoreContact', ({ contacts, now }) => {
      const taken = new Set(contacts.filter((each) => !ids.has(each.id)).flatMap(({ dids }) => dids))
      const updatedAt = now(...ids)
      const put = back.map((each) => {
        const dids = each.dids.filter((did) => !taken.has(did))
        return { ...each, dids, updatedAt }
      })
      return { put }
    })
  }

  /** A contact with what is to change of it. @throws VaultError OPERATION_FAILED */
  #changed(contact: Contact, draft: Omit<ContactDraft, 'id'>, updatedAt: number): Contact {
    const {
      name,
      kind = contact.kind,
      dids,
      note = contact.note,
      suggestedName = contact.suggestedName,
    } = draft
    const own = new Set(this.#context.snapshot.keys.map((key) => key.did))
    const { note: _, suggestedName: __, ...rest } = contact
    const [noted, suggested] = [checkNote(note ?? ''), cutName(suggestedName ?? '')]
    return {
      ...rest,
      name: name === undefined ? contact.name : checkName(name),
      kind,
      dids: dids === undefined ? contact.dids : checkDids(dids, own),
      ...(noted !== '' && { note: noted }),
      ...(suggested !== '' && { suggestedName: suggested }),
      updatedAt,
    }
  }

  /**
   * Makes an edit of what is stored by then, and writes it with its line in the log, in one transaction.
   *
   * @returns the first contact that was written, or the one that was removed
   */
  async #edit(act: string, make: (book: Book) => Edit): Promise<Contact> {
    const context = this.#context
    context.requireUnlocked()
    const { enclave } = context.client
    const { address = '' } = context.snapshot
    let result: Contact | undefined
    let ids: string[] = []
    let before: MetadataRecord[] = []
    // The line is made after the records: by then it is filled in.
    const about: Record<string, string | number | boolean> = {}
    const batch = async (): Promise<StateBatch> => {
      const { book, records } = await this.#read()
      const { contacts, stored } = book
      const times = new Map(stored.map(({ id, updatedAt }) => [id, updatedAt]))
      const now = (...of: readonly string[]) =>
        Math.max(context.clock.now(), ...of.map((id) => (times.get(id) ?? Number.NEGATIVE_INFINITY) + 1))
      const { put, remove = [] } = make({ contacts, now })
      requireFree(put, contacts, new Set(remove))
      result = put[0] ?? contacts.find(({ id }) => id === remove[0])
      Object.assign(about, aboutOf(result, remove))
      const gone = remove.map((id): RemovedContact => ({ id, removed: true, updatedAt: now(id) }))
      const metadata: MetadataRecord[] = []
      for (const each of [...put, ...gone]) metadata.push(await sealContact(enclave, address, each))
      ids = [...put, ...gone].map(({ id }) => id)
      const touched = new Set(metadata.map(({ id }) => id))
      before = records.filter(({ id }) => touched.has(id))
      return { metadata }
    }
    if (context.isPersistent) await this.#changes.record(act, about, batch, enclave)
    else await this.#hold(address, batch)
    this.#remember(act, ids, { address, records: before })
    context.changed('contacts')
    if (result === undefined) throw refused('ContactUnknown')
    return result
  }

  async #hold(address: string, make: () => Promise<StateBatch>): Promise<void> {
    await withWriteLock(address, async () => {
      const held = this.#held.get(address) ?? new Map<string, MetadataRecord>()
      for (const record of (await make()).metadata ?? []) held.set(record.id, record)
      this.#held.set(address, held)
    })
  }

  /** What a removal or a merge can be taken back to. After any other change of a contact it cannot any more. */
  #remember(act: string, ids: readonly string[], before: Before): void {
    for (const id of ids) this.#before.delete(id)
    const [first] = ids
    if (first === undefined || (act !== 'removeContact' && act !== 'mergeContacts')) return
    this.#before.set(first, before)
    const [oldest] = this.#before.keys()
    if (this.#before.size > MOST_UNDONE && oldest !== undefined) this.#before.delete(oldest)
  }

  async #read(): Promise<{ book: ContactBook; records: readonly MetadataRecord[] }> {
    const { client, isPersistent, snapshot } = this.#context
    const { address = '' } = snapshot
    const { enclave } = client
    const records = isPersistent
      ? await client.storage.readMetadataUnder(CONTACT_PREFIX)
      : [...(this.#held.get(address)?.values() ?? [])]
    const book = await this.#opened.read(enclave, records)
    for (const id of book.unreadable) this.#report(address, id)
    return { book, records }
  }

  #report(address: string, id: string): void {
    const key = `${address} ${id}`
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.#context.raiseUnreadable('metadata', id)
  }
}

/** @throws VaultError OPERATION_FAILED `ContactUnknown` */
function find(contacts: readonly Contact[], id: string): Contact {
  const contact = contacts.find((each) => each.id === id)
  if (contact) return contact
  throw refused('ContactUnknown', {}, { details: { id } })
}

/** @throws VaultError OPERATION_FAILED `ContactDidTaken`, the other contact's id in `details` */
function requireFree(put: readonly Contact[], contacts: readonly Contact[], gone: ReadonlySet<string>): void {
  const changing = new Set(put.map(({ id }) => id))
  const owner = new Map(
    contacts
      .filter(({ id }) => !gone.has(id) && !changing.has(id))
      .flatMap(({ id, dids }) => dids.map((did) => [did, id] as const)),
  )
  for (const did of put.flatMap(({ dids }) => dids)) {
    const id = owner.get(did)
    if (id !== undefined) throw refused('ContactDidTaken', {}, { details: { id } })
  }
}

/** What the log says of an edit: ids, kinds and numbers, and never a name. */
function aboutOf(contact: Contact | undefined, gone: readonly string[]): ActivityAbout {
  if (contact === undefined) return {}
  const others = gone.filter((id) => id !== contact.id).length
  return {
    ...{ contact: contact.id, kind: contact.kind, dids: contact.dids.length },
    ...(others > 0 && { merged: others }),
  }
}
