import type { Mandate, PaymentRecord } from '@keyhole/vault'
import type { QueryClient } from '@tanstack/react-query'
import { contactsOf, readContactIndex } from '../contacts/contact-index.ts'
import { readQuery } from '../search-index/query.ts'
import { tokenClient } from '../search-index/token-client.ts'
import type { FoundItem, Target } from '../search-index/token-messages.ts'
import { askedQuery } from '../tokens/asked.ts'
import { clientVault } from '../vault/vault.ts'
import { REQUEST } from '../words/payment-commands.ts'
import { accountEntries, contactEntries, keyEntries, namedPayments, paymentEntries } from './entries.ts'
import { present, type Shown } from './present.ts'

/** Something in the vault. */
export interface Found {
  /** Unique. */
  id: string
  kind: Shown['kind']
  title: string
  /** What it is apart from its name, if there is more to say. */
  detail?: string
  /** What a grant says, if it is one: the title, or the detail. */
  sentence?: Shown['sentence']
  /** A token's status, if it has one. */
  status: Shown['status']
  /** Whether it is a grant that can be revoked. */
  isRevocable: boolean
  /** Where it leads. `useOpenTarget` goes there. */
  target: Target
}

/**
 * What in the vault matches a text: accounts, keys, contacts and payments first, then tokens with a word in their label, newest first. Empty if no vault is open. Labels are searched while the vault is unlocked.
 * @param queries where what requests ask for is kept
 * @param text words, which must all be found, and filters as on the search page
 * @param limit at most this many
 * @param payments the vault's payments, once they are read
 * @throws VaultError if the stored tokens can't be read, or the vault was locked in the meantime
 */
export async function find(
  queries: QueryClient,
  text: string,
  limit: number,
  payments?: readonly PaymentRecord[],
): Promise<Found[]> {
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
  if (phase === 'unlocked' && payments) {
    const named = contactsOf(vault.getSnapshot(), index)
    client.put('payments', namedPayments(payments, named), (list) => paymentEntries(list, named))
  }
  const now = Date.now()
  const { items } = await client.ask({
    ask: 'find',
    query: readQuery(text).query,
    from: 0,
    count: limit,
    now,
  })
  const mandates = phase === 'unlocked' ? await mandatesAmong(items) : []
  const asked = await Promise.all(items.map((item) => askedBy(queries, item)))
  const contacts = contactsOf(vault.getSnapshot(), index)
  return items.flatMap((item, at) => {
    const shown = present(item, { contacts, mandates, asked: asked[at] }, now)
    if (!shown) return []
    const { id, kind, title, target, fields, status, sentence } = shown
    const isRevocable = kind === 'grant' && (status === 'live' || status === 'soon')
    const [detail] = fields
    return {
      ...{ id, kind, title, target, status, isRevocable },
      ...(detail !== undefined && { detail }),
      ...(sentence && { sentence }),
    }
  })
}

/** The vault's mandates, if one may be among the results. */
async function mandatesAmong(items: readonly FoundItem[]): Promise<readonly Mandate[]> {
  const isAmong = items.some(({ token }) => token?.command === REQUEST && token.type !== 'invocation')
  // Without them, mandates are shown as other grants are.
  return isAmong
    ? await clientVault()
        .mandates.list()
        .catch(() => [])
    : []
}

/** What a result asks for, if it is a request. */
async function askedBy(queries: QueryClient, { token }: FoundItem) {
  if (token?.type !== 'invocation') return undefined
  const asked = await queries.fetchQuery(askedQuery(clientVault(), token)).catch(() => undefined)
  return asked ?? undefined
}
