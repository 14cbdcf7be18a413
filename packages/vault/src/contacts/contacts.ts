import type { ActivityAbout } from '../base/act.ts'
import { refused } from '../base/errors.ts'
import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'
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
  OpenedContacts,
  type ReadContacts,
  type RemovedContact,
  sealContact,
} from './contact-records.ts'

/** How many removals and merges can be undone. */
const MOST_UNDONE = 50

/** What to write: new or changed contacts, and the ids of those to remove. */
interface Edit {
  readonly put: readonly Contact[]
  readonly remove?: readonly string[]
}

/** Contacts before a removal or merge, still sealed. */
interface Before {
  readonly address: string
  readonly records: readonly MetadataRecord[]
}

/** The contacts an edit starts from. */
interface Basis {
  readonly contacts: readonly Contact[]
  /** Later than anything stored for these contacts, even if the clock was set back. Milliseconds since 1970. */
  readonly now: (...ids: readonly string[]) => number
}

/**
 * The people, apps, agents, devices and services that the owner has named. Each is a separate sealed record. Grants
 * don't depend on contacts.
 */
export class Contacts {
  readonly #context: VaultContext
  readonly #changes: Changes
  readonly #opened = new OpenedContacts()
  /** Without persistence: the records of each of this page's accounts. */
  readonly #held = new Map<string, Map<string, MetadataRecord>>()
  /** By the id passed to `restore`. */
  readonly #before = new Map<string, Before>()
  /** Ids of records already reported. */
  readonly #reported = new Set<string>()

  constructor(context: VaultContext, changes: Changes) {
    this.#context = context
    this.#changes = changes
    context.events.on('vault:locked', () => this.#opened.forget())
    context.events.on('vault:initialized', () => this.#opened.forget())
  }

  /**
   * Every contact, oldest first: the same list until something changes.
   * @throws VaultError VAULT_LOCKED
   */
  async list(): Promise<readonly Contact[]> {
    this.#context.requireUnlocked()
    return (await this.#read()).all.contacts
  }

  /** One contact, if it exists. @throws VaultError VAULT_LOCKED */
  async get(id: string): Promise<Contact | undefined> {
    return (await this.list()).find((contact) => contact.id === id)
  }

  /** The contact that a DID belongs to. @throws VaultError VAULT_LOCKED */
  async find(did: string): Promise<Contact | undefined> {
    return (await this.list()).find(({ dids }) => dids.includes(did))
  }

  /**
   * Saves a new contact, or changes to an existing one.
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED by name: `ContactUnknown`, `ContactNameRequired`,
   *   `ContactNameTooLong`, `ContactNameIsDid`, `ContactNoteTooLong`, `ContactDidInvalid`, `ContactDidOwn`,
   *   `ContactDidTaken`, `ContactDidsTooMany`, `ContactsTooMany`. Nothing was changed
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

  /** Adds a DID to a contact. Does nothing if it has it already. @throws VaultError as `save` */
  async addDid(id: string, did: string): Promise<Contact> {
    return await this.#edit('changeContact', ({ contacts, now }) => {
      const contact = find(contacts, id)
      return { put: [this.#changed(contact, { dids: [...contact.dids, did] }, now(id))] }
    })
  }

  /** Removes a DID from a contact, which may leave it without any. @throws VaultError as `save` */
  async removeDid(id: string, did: string): Promise<Contact> {
    return await this.#edit('changeContact', ({ contacts, now }) => {
      const contact = find(contacts, id)
      return { put: [this.#changed(contact, { dids: contact.dids.filter((each) => each !== did) }, now(id))] }
    })
  }

  /**
   * Merges contacts: one keeps its name and kind, and gets the DIDs and notes of the others, which are removed.
   * `restore` undoes it.
   * @param id the contact to keep
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

  /**
   * Removes a contact. Its grants stay. `restore` undoes it. @throws VaultError VAULT_LOCKED; OPERATION_FAILED
   * `ContactUnknown`
   */
  async remove(id: string): Promise<void> {
    await this.#edit('removeContact', ({ contacts }) => ({ put: [], remove: [find(contacts, id).id] }))
  }

  /**
   * Undoes this tab's last removal of a contact, or its last merge into it. A DID that now belongs to another contact
   * stays there.
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED `ContactNotRestorable` if it was changed since, or can't be
   *   undone any more
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

  /** A contact with changes applied. @throws VaultError OPERATION_FAILED */
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
   * Applies an edit to what is stored by then, and writes it with its log line in one transaction.
   * @returns the first contact written, or the one removed
   */
  async #edit(act: string, make: (basis: Basis) => Edit): Promise<Contact> {
    const context = this.#context
    context.requireUnlocked()
    const { enclave } = context.client
    const { address = '' } = context.snapshot
    let result: Contact | undefined
    let ids: string[] = []
    let before: MetadataRecord[] = []
    // Filled in below; the log line is built after the records.
    const about: Record<string, string | number | boolean> = {}
    const batch = async (): Promise<StateBatch> => {
      const { all, records } = await this.#read()
      const { contacts, stored } = all
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

  /** Remembers how to undo a removal or merge. Any other change to the contact ends that. */
  #remember(act: string, ids: readonly string[], before: Before): void {
    for (const id of ids) this.#before.delete(id)
    const [first] = ids
    if (first === undefined || (act !== 'removeContact' && act !== 'mergeContacts')) return
    this.#before.set(first, before)
    const [oldest] = this.#before.keys()
    if (this.#before.size > MOST_UNDONE && oldest !== undefined) this.#before.delete(oldest)
  }

  async #read(): Promise<{ all: ReadContacts; records: readonly MetadataRecord[] }> {
    const { client, isPersistent, snapshot } = this.#context
    const { address = '' } = snapshot
    const { enclave } = client
    const records = isPersistent
      ? await client.storage.readMetadataUnder(CONTACT_PREFIX)
      : [...(this.#held.get(address)?.values() ?? [])]
    const all = await this.#opened.read(enclave, records)
    for (const id of all.unreadable) this.#report(address, id)
    return { all, records }
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

/** What the log says about an edit: ids, kinds and numbers, never a name. */
function aboutOf(contact: Contact | undefined, gone: readonly string[]): ActivityAbout {
  if (contact === undefined) return {}
  const others = gone.filter((id) => id !== contact.id).length
  return {
    ...{ contact: contact.id, kind: contact.kind, dids: contact.dids.length },
    ...(others > 0 && { merged: others }),
  }
}
