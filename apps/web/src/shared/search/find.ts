import { contactsOf, readBook } from '../contacts/contact-book.ts'
import { readQuery } from '../search-index/query.ts'
import { tokenClient } from '../search-index/token-client.ts'
import type { Target } from '../search-index/token-messages.ts'
import { clientVault } from '../vault/vault.ts'
import { accountEntries, contactEntries, keyEntries } from './entries.ts'
import { present, type Shown } from './present.ts'

/** Something that the vault holds. */
export interface Found {
  /** Unlike every other's. */
  id: string
  kind: Shown['kind']
  title: string
  /** What it is beyond its name, where there is more to say. */
  detail?: string
  /** Where it leads: `useOpenTarget` goes there. */
  target: Target
}

/**
 * What the vault holds that fits a text, the likeliest first; nothing where no vault is open. Labels are searched while
 * the vault is unlocked.
 *
 * @param text words, all of which must be found, and filters as the search page takes them
 * @param limit at most this many
 * @throws VaultError where the stored tokens cannot be read, and where the vault was locked meanwhile
 */
export async function find(text: string, limit: number): Promise<Found[]> {
  const vault = clientVault()
  const { phase, keys, accounts } = vault.getSnapshot()
  if (phase !== 'unlocked' && phase !== 'locked') return []
  const client = tokenClient()
  client.put('keys', keys, keyEntries)
  client.put('accounts', accounts, accountEntries)
  // Who has names that cannot be read is found by their DIDs.
  const book = phase === 'unlocked' ? await readBook(vault).catch(() => undefined) : undefined
  if (book) {
    client.put('contacts', book.contacts, contactEntries)
    client.name(book.named)
  }
  const now = Date.now()
  const { items } = await client.ask({
    ask: 'find',
    query: readQuery(text).query,
    from: 0,
    count: limit,
    now,
  })
  const contacts = contactsOf(vault.getSnapshot(), book)
  return items.flatMap((item) => {
    const shown = present(item, contacts, now)
    if (!shown) return []
    const { id, kind, title, target, fields } = shown
    const [detail] = fields
    return { id, kind, title, target, ...(detail !== undefined && { detail }) }
  })
}
