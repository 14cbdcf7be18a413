import type { AccountInfo, ActivityLine, Contact, KeyInfo, PaymentRecord, Session } from '@keyhole/vault'
import { t } from '@lingui/core/macro'
import { kindName } from '../contacts/kind-words.ts'
import type { SearchEntry } from '../search-index/token-messages.ts'
import { visible } from '../text/visible.ts'
import { aboutFacts, actWords, deviceWords, outcomeWords } from '../words/activity.ts'
import { keyName, keyTypeName } from '../words/key-name.ts'
import { amountsToFind, money, payeeName } from '../words/payment.ts'
import { AUTHORIZE } from '../words/payment-commands.ts'
import type { Contacts } from '../words/who.ts'

/** The contacts, found by their names, kinds, notes and DIDs. */
export function contactEntries(contacts: readonly Contact[]): SearchEntry[] {
  return contacts.map(({ id, name, kind, note, dids, createdAt }) => ({
    id: `contact:${id}`,
    kind: 'contact',
    title: visible(name),
    fields: [kindName(kind), ...(note === undefined ? [] : [visible(note)]), ...dids],
    at: createdAt,
    target: { page: 'contact', id },
  }))
}

/** The names of these DIDs that have one. */
function namesOf(dids: readonly (string | undefined)[], { named }: Contacts): string[] {
  return dids.flatMap((did) => (did === undefined ? [] : (named.get(did)?.name ?? []))).map(visible)
}

/** The names of contacts by their ids, for as long as the names stay the same. */
const namesById = new WeakMap<Contacts['named'], ReadonlyMap<string, string>>()

/** The name of the contact that a line of the log is about, if it has a DID. */
function contactNames({ about }: ActivityLine, { named }: Contacts): string[] {
  if (typeof about?.contact !== 'string') return []
  const known = namesById.get(named) ?? new Map([...named.values()].map(({ id, name }) => [id, name]))
  namesById.set(named, known)
  const name = known.get(about.contact)
  return name === undefined ? [] : [visible(name)]
}

/** The account's keys, found by their names, kinds and DIDs. */
export function keyEntries(keys: readonly KeyInfo[]): SearchEntry[] {
  return keys.map((key) => ({
    id: `key:${key.key_id}`,
    kind: 'key',
    title: keyName(key, keys),
    fields: [keyTypeName(key.key_type), key.did],
    at: key.created_at * 1000,
    target: { page: 'keys' },
  }))
}

/** All accounts here, found by what is known without opening them. */
export function accountEntries(accounts: readonly AccountInfo[]): SearchEntry[] {
  return accounts.map(({ address, label, createdAt }) => ({
    id: `account:${address}`,
    kind: 'account',
    title: label ?? address,
    fields: label === undefined ? [] : [address],
    ...(createdAt !== undefined && { at: createdAt }),
    target: { page: 'accounts' },
  }))
}

/** Connected apps, found by their name and purpose. */
export function sessionEntries(sessions: readonly Session[]): SearchEntry[] {
  return sessions.map(({ id, createdAt, origin = t`Session`, reason, cid }) => ({
    id: `session:${id}`,
    kind: 'session',
    title: origin,
    fields: [reason, cid, id].filter((text) => text !== undefined),
    at: createdAt,
    target: { page: 'sessions' },
  }))
}

/** Payments with the names that they were last prepared with, and the list for the search index. */
const withNames = new WeakMap<
  readonly PaymentRecord[],
  { named: Contacts['named']; list: readonly PaymentRecord[] }
>()

/** The payments as a list that changes with the names of contacts too, because entries are prepared again for another list only. */
export function namedPayments(
  payments: readonly PaymentRecord[],
  { named }: Contacts,
): readonly PaymentRecord[] {
  const known = withNames.get(payments)
  if (known?.named === named) return known.list
  const list = payments.slice()
  withNames.set(payments, { named, list })
  return list
}

/** Payments, found by payee, amount and order. */
export function paymentEntries(payments: readonly PaymentRecord[], contacts: Contacts): SearchEntry[] {
  return payments.map(({ id, payee, amount, currency, digits, order, at, mandate, requester }) => {
    const [sum, site] = [money(amount, currency, digits), payeeName(payee, contacts)]
    const names = namesOf([payee, requester], contacts)
    const fields = [...names, order, currency, payee, requester ?? '', mandate ?? '', id].filter(
      (field) => field !== '',
    )
    return {
      id: `payment:${id}`,
      kind: 'payment',
      title: t`${sum} to ${site}`,
      fields,
      words: amountsToFind(amount, currency, digits),
      at,
      command: AUTHORIZE,
      target: { page: 'payment', cid: id },
    }
  })
}

/** The activity log. */
export function activityEntries(lines: readonly ActivityLine[], contacts: Contacts): SearchEntry[] {
  return lines.map((line): SearchEntry => {
    const { seq, act, at, outcome, device } = line
    const facts = aboutFacts(line)
    // The first field is shown even if it doesn't match, so names come before identifiers.
    const names = [
      ...namesOf(
        facts.map(({ finds }) => finds),
        contacts,
      ),
      ...contactNames(line, contacts),
    ]
    const about = facts.flatMap(({ name, value, finds }) => [
      value === '' ? name : `${name} ${value}`,
      ...(finds === undefined || finds === value ? [] : [finds]),
    ])
    return {
      id: `activity:${device?.id ?? ''}:${seq}`,
      kind: 'activity',
      title: actWords(act, outcome),
      fields: [
        ...(outcome === 'done' ? [] : [outcomeWords(outcome)]),
        ...names,
        ...(device ? [deviceWords(device)] : []),
        ...about,
      ],
      at,
      target: { page: 'activity' },
    }
  })
}
