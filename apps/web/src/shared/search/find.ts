import { contactsOf, readContactIndex } from '../contacts/contact-index.ts'
import { readQuery } from '../search-index/query.ts'
import { tokenClient } from '../search-index/token-client.ts'
import type { Target } from '../search-index/token-messages.ts'
import { clientVault } from '../vault/vault.ts'
import { accountEntries, contactEntries, keyEntries } from './entries.ts'
import { present, type Shown } from './present.ts'

/** Something in the vault. */
export interface Found {
  /** Unique. */
  id: string
  kind: Shown['kind']
  title: string
  /** What it is apart from its name, if there is more to say. */
  detail?: string
  /** Whether it is a grant that can be revoked. */
  isRevocable: boolean
  /** Where it leads. `useOpenTarget` goes there. */
  target: Target
}

/**
 * What in the vault matches a text: accounts, keys and contacts first, then tokens with a word in their label, newest first. Empty if no vault is open. Labels are searched while the vault is unlocked.
 * @param text words, which must all be found, and filters as on the search page
 * @param limit at most this many
 * @throws VaultError if the stored tokens can't be read, or the vault was locked in the meantime
 */
export async function find(text: string, limit: number): Promise<Found[]> {
  const vault = clientVault()
  const { phase, keys, accounts } = vault.getSnapshot()
  if (phase !== 'unlocked' && phase !== 'locked') return []
  const client = tokenClient()
  client.put('keys', keys, keyEntries)
  client.put('accounts', accounts, accountEntries)
  // If names can't be read, people are found by their DIDs.
  const index = phase === 'unlocked' ? await readContactIndex(vault).catch(() => undefined) : undefined
  if (index) {
    client.put('contacts', index.contacts, contactEntries)
    client.name(index.named)
  }
  const now = Date.now()
  const { items } = await client.ask({
    ask: 'find',
    query: readQuery(text).query,
    from: 0,
    count: limit,
    now,
  })
  const contacts = contactsOf(vault.getSnapshot(), index)
  return items.flatMap((item) => {
    const shown = present(item, contacts, now)
    if (!shown) return []
    const { id, kind, title, target, fields, status } = shown
    const isRevocable = kind === 'grant' && (status === 'live' || status === 'soon')
    const [detail] = fields
    return { id, kind, title, target, isRevocable, ...(detail !== undefined && { detail }) }
  })
}
