import type { AccountInfo, ActivityLine, KeyInfo, PaymentRecord, Session } from '@keyhole/vault'
import { t } from '@lingui/core/macro'
import type { SearchEntry } from '../search-index/token-messages.ts'
import { aboutFacts, actWords, outcomeWords } from '../words/activity.ts'
import { keyName, keyTypeName } from '../words/key-name.ts'
import { money, payeeWords } from '../words/payment.ts'
import { AUTHORIZE } from '../words/payment-commands.ts'

/** The account's keys, to be found by their names, kinds and DIDs. */
export function keyEntries(keys: readonly KeyInfo[]): SearchEntry[] {
  return keys.map((key) => ({
    id: `key:${key.key_id}`,
    kind: 'key',
    title: keyName(key),
    fields: [keyTypeName(key.key_type), key.did],
    at: key.created_at * 1000,
    target: { page: 'keys' },
  }))
}

/** Every account here, by what is known of it without opening it. */
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

/** Connected apps, by who they are and what for. */
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

/** What was paid, to be found by whom, how much and for which order. */
export function paymentEntries(payments: readonly PaymentRecord[]): SearchEntry[] {
  return payments.map(({ id, payee, amount, currency, digits, order, at, mandate, requester }) => {
    const [sum, site] = [money(amount, currency, digits), payeeWords(payee)]
    const fields = [order, currency, payee, requester ?? '', mandate ?? '', id].filter(
      (field) => field !== '',
    )
    return {
      id: `payment:${id}`,
      kind: 'payment',
      title: t`${sum} to ${site}`,
      fields,
      at,
      command: AUTHORIZE,
      target: { page: 'payment', cid: id },
    }
  })
}

/** What was done. */
export function activityEntries(lines: readonly ActivityLine[]): SearchEntry[] {
  return lines.map((line): SearchEntry => {
    const { seq, act, at, outcome } = line
    const about = aboutFacts(line).flatMap(({ name, value, finds }) => [
      value === '' ? name : `${name} ${value}`,
      ...(finds === undefined || finds === value ? [] : [finds]),
    ])
    return {
      id: `activity:${seq}`,
      kind: 'activity',
      title: actWords(act, outcome),
      fields: [...(outcome === 'done' ? [] : [outcomeWords(outcome)]), ...about],
      at,
      target: { page: 'activity' },
    }
  })
}
