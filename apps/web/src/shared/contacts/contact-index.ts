import type { Contact, KeyVault, VaultSnapshot } from '@keyhole/vault'
import { type Looks, loadLooks } from '../text/look-alike.ts'
import type { Contacts, Named } from '../words/who.ts'
import { RESERVED } from './reserved-names.ts'

/** What a name can be confused with. */
export interface Alike {
  /** Other contacts. */
  readonly contacts: readonly Contact[]
  /** What the owner calls the account or one of its keys. */
  readonly isOurs: boolean
  /** A word that Keyhole uses for people and keys, or an identifier. */
  readonly isReserved: boolean
}

/** The contacts of an unlocked account, prepared for lookups. */
export class ContactIndex {
  /** The oldest first. */
  readonly contacts: readonly Contact[]
  readonly byId: ReadonlyMap<string, Contact>
  /** By each of their DIDs. */
  readonly named: ReadonlyMap<string, Named>
  readonly #looks: Looks
  readonly #byLook = new Map<string, Contact[]>()
  readonly #ours: ReadonlySet<string>
  readonly #reserved: ReadonlySet<string>

  /** @param ours what the owner calls the account and its keys */
  constructor(contacts: readonly Contact[], ours: readonly string[], looks: Looks) {
    this.contacts = contacts
    this.byId = new Map(contacts.map((contact) => [contact.id, contact]))
    this.#looks = looks
    this.#ours = looksOfAll(ours, looks)
    this.#reserved = looksOfAll(RESERVED, looks)
    const all = contacts.map((contact) => [contact, looks(contact.name)] as const)
    for (const [contact, own] of all) {
      for (const look of own) {
        const known = this.#byLook.get(look)
        if (known) known.push(contact)
        else this.#byLook.set(look, [contact])
      }
    }
    this.named = new Map(all.flatMap(([contact, own]) => this.#entries(contact, own)))
  }

  /** What a name can be confused with, apart from the contact with this id. */
  alike(name: string, id?: string): Alike {
    const looks = this.#looks(name)
    const others = new Set(looks.flatMap((look) => this.#byLook.get(look) ?? []))
    return {
      contacts: [...others].filter((other) => other.id !== id),
      isOurs: this.#isOurs(looks),
      isReserved: this.#isReserved(looks),
    }
  }

  #isOurs(looks: readonly string[]): boolean {
    return looks.some((look) => this.#ours.has(look))
  }

  #isReserved(looks: readonly string[]): boolean {
    return looks.some((look) => this.#reserved.has(look) || IDENTIFIER.test(look))
  }

  #entries({ id, name, kind, dids }: Contact, looks: readonly string[]): [string, Named][] {
    // If many look alike, two are enough to show it.
    const hasOther = looks.some((look) => this.#byLook.get(look)?.some((other) => other.id !== id))
    const named = { id, name, kind, isAlike: hasOther || this.#isOurs(looks) || this.#isReserved(looks) }
    return dids.map((did) => [did, named])
  }
}

/** What a DID or an address looks like: "i" as "l", without punctuation. */
const IDENTIFIER = /^(?:dld(?:key|web|plc|pkh)|khl)[a-z0-9]{6,}/

function looksOfAll(names: readonly string[], looks: Looks): ReadonlySet<string> {
  return new Set(names.flatMap((name) => looks(name)).filter((look) => look !== ''))
}

/** If the look of names can't be loaded, any name could be mistaken for any other, so each shows the end of its DID. */
const ANYTHING: Looks = () => ['']

let loaded: Promise<Looks> | undefined

/** Names processed in one go, which takes a few milliseconds. */
const SLICE = 1_000

/** What names look like. Contacts' names are processed in advance, in small steps that leave time for the page. */
async function looksOf(contacts: readonly Contact[]): Promise<Looks> {
  loaded ??= loadLooks()
  const looks = await loaded.catch(() => {
    // Try again next time.
    loaded = undefined
    return ANYTHING
  })
  const known = new Map<string, readonly string[]>()
  for (const [at, { name }] of contacts.entries()) {
    if (at > 0 && at % SLICE === 0) await new Promise((resolve) => setTimeout(resolve))
    known.set(name, looks(name))
  }
  return (text) => known.get(text) ?? looks(text)
}

/** Prepared contacts, for as long as the vault returns the same list: until a contact changes or the vault locks. */
const indexes = new WeakMap<
  readonly Contact[],
  { readonly ours: string; readonly index: Promise<ContactIndex> }
>()

/** The contacts of an unlocked vault, prepared once for all callers. @throws VaultError VAULT_LOCKED */
export async function readContactIndex(vault: KeyVault): Promise<ContactIndex> {
  const contacts = await vault.contacts.list()
  const { label = '', keys } = vault.getSnapshot()
  const names = [label, ...keys.flatMap((key) => key.label ?? [])].filter((name) => name !== '')
  const ours = JSON.stringify(names)
  const known = indexes.get(contacts)
  if (known?.ours === ours) return await known.index
  const index = looksOf(contacts).then((looks) => new ContactIndex(contacts, names, looks))
  indexes.set(contacts, { ours, index })
  return await index
}

const NO_NAMES: ReadonlyMap<string, Named> = new Map()

/** The names an account knows. @param index undefined while its contacts can't be read */
export function contactsOf(
  {
    phase,
    keys,
    issuerDid,
  }: Pick<VaultSnapshot, 'phase' | 'keys'> & { readonly issuerDid?: string | undefined },
  index: ContactIndex | undefined,
): Contacts {
  const own = new Set(keys.map(({ did }) => did))
  if (issuerDid !== undefined) own.add(issuerDid)
  // Without an account there are no names.
  return { own, named: index?.named ?? NO_NAMES, isSealed: index === undefined && phase !== 'empty' }
}
