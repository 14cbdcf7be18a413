import type { Dexie } from 'dexie'
import * as v from 'valibot'
import { type TokenRecord, type TokenType, tokenRecord } from './schema.ts'

/** A list of tokens, the soonest to expire first, then those without expiry, newest first. */
export interface FirstQuery {
  readonly types: readonly TokenType[]
  /** Milliseconds since 1970. */
  readonly now: number
  /** The most records to read of each sort. */
  readonly most: number
}

/** What a list begins with. */
export interface FirstTokens {
  /** Tokens of the list from its start on, without a gap. In order of their ids, as all tokens are read. */
  readonly tokens: readonly TokenRecord[]
  /** Whether the list has no others. */
  readonly isAll: boolean
  /** Every stored revocation. */
  readonly revocations: readonly TokenRecord[]
}

/**
 * Reads what a list begins with, at one moment. However many tokens there are, it reads no more than a few times `most`.
 * @returns undefined if that isn't enough to know, or there are no more tokens than that: then all can be read as well
 */
export async function readFirst(
  db: Dexie,
  { types, now, most }: FirstQuery,
): Promise<FirstTokens | undefined> {
  const table = db.table<unknown, string>('tokens')
  const ofType = (type: TokenType) =>
    table
      .where('type')
      .equals(type)
      .limit(most + 1)
  return await db.transaction('r', table, async () => {
    const [some, revocations, ...ids] = await Promise.all([
      table
        .toCollection()
        .limit(most + 1)
        .primaryKeys(),
      ofType('revocation').toArray(),
      ...types.map((type) => ofType(type).primaryKeys()),
    ])
    if (some.length <= most || revocations.length > most) return undefined
    const answer = (found: readonly unknown[], isAll = false) => ({
      ...{ tokens: inOrder(readable(found), types), isAll },
      revocations: readable(revocations),
    })
    if (ids.flat().length <= most) return answer(await table.bulkGet(ids.flat()), true)
    const expiring = await table.where('expiresAt').aboveOrEqual(now).limit(most).toArray()
    if (expiring.length === most) return answer(expiring)
    const newest = readable(await table.orderBy('createdAt').reverse().limit(most).toArray())
    // Others may have been stored at the same time as the last of these, and come before it.
    const last = newest.at(-1)?.createdAt ?? Number.POSITIVE_INFINITY
    const endless = newest.filter(({ expiresAt, createdAt }) => expiresAt === undefined && createdAt > last)
    return answer([...expiring, ...endless])
  })
}

function inOrder(records: readonly TokenRecord[], types: readonly TokenType[]): TokenRecord[] {
  return records.filter(({ type }) => types.includes(type)).sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** The records that parse. */
export function readable(found: readonly unknown[]): TokenRecord[] {
  return found.flatMap((each) => {
    const parsed = v.safeParse(tokenRecord, each)
    return parsed.success ? [parsed.output] : []
  })
}
