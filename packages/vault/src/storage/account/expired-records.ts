import * as v from 'valibot'
import {
  ENDED_PREFIX,
  ENDED_RETENTION,
  type EndedRecord,
  type Expiry,
  endedSession,
  endedToken,
  parseEnded,
} from '../expiry.ts'
import { type AccountDatabase, sessionRecord, tokenRecord } from '../schema.ts'
import type { StateBatch } from './state-batch.ts'

/** What a clean-up at `now` (milliseconds) would do, at most so many records of each kind. */
export async function findExpired(db: AccountDatabase, now: number, most: number): Promise<Expiry> {
  const expired = async <S extends v.GenericSchema>(store: 'tokens' | 'sessions', schema: S) => {
    const due = db.table<unknown, string>(store).where('expiresAt').below(now)
    return (await due
      .filter((record) => v.is(schema, record))
      .limit(most)
      .toArray()) as v.InferOutput<S>[]
  }
  const ended = db.metadata.where('key').startsWith(ENDED_PREFIX)
  const over = ended.filter(({ updatedAt }) => updatedAt < now - ENDED_RETENTION).limit(most)
  return {
    tokens: await expired('tokens', tokenRecord),
    sessions: await expired('sessions', sessionRecord),
    forgotten: (await over.toArray()).flatMap((record) => parseEnded(record) ?? []),
  }
}

/** What has ended after `now` (milliseconds), although it was removed. */
export async function findEndedAfter(db: AccountDatabase, now: number): Promise<EndedRecord[]> {
  const found = await db.metadata
    .where('updatedAt')
    .above(now)
    .filter(({ key }) => key.startsWith(ENDED_PREFIX))
    .toArray()
  return found.flatMap((record) => parseEnded(record) ?? [])
}

/** The records to write and delete for a clean-up. What is kept after it ends moves to the metadata. */
export function batchOf(address: string, { tokens, sessions, forgotten }: Expiry): StateBatch {
  const ended = [
    ...tokens.flatMap((token) => endedToken(address, token) ?? []),
    ...sessions.map((session) => endedSession(address, session)),
  ]
  const ids = (records: readonly { id: string }[]) => records.map(({ id }) => id)
  return {
    metadata: ended,
    removed: { tokens: ids(tokens), sessions: ids(sessions), metadata: ids(forgotten) },
    // Clocks differ: each device decides what has expired.
    unmarked: true,
  }
}
