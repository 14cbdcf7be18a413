// Records in one stream, with subjects `<stream>.<account>.<place>.<record>`. The leader appends a message only after
// the last one that the writer has seen, so places have no gaps, and two relays can't append two heads.
import { setTimeout as wait } from 'node:timers/promises'
import { DiscardPolicy, type StoredMsg } from '@nats-io/jetstream'
import {
  type AccountRecords,
  NO_RECORDS,
  PAGE_BYTES,
  page,
  recordId,
  refusal,
  withRecord,
} from '../record-limits.ts'
import { type Appended, type NewRecord, type PlacedRecord, type RelayStore, StoreError } from '../store.ts'
import { type Cluster, digest, tryWrite, withTimeout, writeAgain } from './cluster.ts'
import { ensureStream, lastMessage, readPage } from './streams.ts'

/** Two 64-bit numbers before each record: the heads and the bytes of its account up to it. */
const COUNTS_LENGTH = 16
/** Pause before a lagging replica is asked again, in milliseconds. */
const RETRY = 20
/** More than a message's subject, headers and counts take, in bytes. */
const OVERHEAD = 512

interface Last {
  readonly seq: number
  readonly has: AccountRecords
}

export async function natsRecords(
  cluster: Cluster,
): Promise<Pick<RelayStore, 'appendRecord' | 'recordsFrom'>> {
  const { bounds, replicas, name, timeout } = cluster.options
  const { js } = cluster
  const stream = `${name}_records`
  await ensureStream(cluster, stream, {
    subjects: [`${stream}.*.*.*`],
    discard: DiscardPolicy.New,
    max_bytes: bounds.recordBytes,
    num_replicas: replicas,
    allow_direct: true,
  })
  const subjectOf = (account: string, place: number | '*' = '*', id = '*') =>
    `${stream}.${digest(account)}.${place}.${id}`

  const lastOf = (filter: string) => lastMessage(cluster, stream, filter)

  async function last(account: string): Promise<Last> {
    const message = await lastOf(subjectOf(account))
    return message ? { seq: message.seq, has: counts(message) } : { seq: 0, has: NO_RECORDS }
  }

  const append = (added: NewRecord): Promise<Appended> => {
    const { account, record } = added
    const id = recordId(record)
    return writeAgain<Appended>(cluster, async ({ patience, isUnsure }) => {
      // In this order: a record that is added in between changes the last one, and the write fails.
      const { seq, has } = await last(account)
      const there = await lastOf(subjectOf(account, '*', id))
      if (there && isUnsure) cluster.publish({ account })
      if (there) return { result: 'known', place: placeOf(there) }
      const refused = refusal(added, has, 0, { ...bounds, recordBytes: Number.POSITIVE_INFINITY })
      if (refused) return refused
      const now = withRecord(has, added)
      const result = await tryWrite(() =>
        js.publish(subjectOf(account, now.records, id), encode(now, record), {
          expect: { lastSubjectSequence: seq, lastSubjectSequenceSubject: subjectOf(account) },
          timeout: patience,
        }),
      )
      if (result === 'full') return { result: 'full', limit: 'relay' }
      if (result !== 'written') return result
      cluster.publish({ account })
      return { result: 'appended', place: now.records }
    })
  }

  async function from(account: string, place: number, limit: number): Promise<PlacedRecord[]> {
    const end = (await last(account)).has.records
    if (place > end) return []
    const first = await lastOf(subjectOf(account, place))
    if (!first) throw new StoreError("The relay's stream lacks a record.")
    const query = { seq: first.seq, batch: limit, max_bytes: PAGE_BYTES, next_by_subj: subjectOf(account) }
    for (const until = Date.now() + timeout; Date.now() < until; await wait(RETRY)) {
      const records = (await readPage(cluster, stream, query)).map(decode)
      const isWhole = records.every((each, at) => each.place === place + at)
      if (isWhole && (records.length >= Math.min(limit, end - place + 1) || isFull(records)))
        return page(records, limit)
    }
    throw new StoreError("A replica of the relay's NATS cluster lags behind.")
  }

  /** Whether the next record might not have fit on the page. A shorter page comes from a replica that lags. */
  const isFull = (records: readonly PlacedRecord[]) =>
    records.reduce((bytes, { record }) => bytes + record.length + OVERHEAD, bounds.recordLength) >= PAGE_BYTES

  return {
    appendRecord: append,
    recordsFrom: (account, place, limit) => withTimeout(timeout, () => from(account, place, limit)),
  }
}

const placeOf = ({ subject }: { readonly subject: string }) => Number(subject.split('.').at(-2))

function encode({ heads, bytes }: AccountRecords, record: Uint8Array): Buffer {
  const counted = Buffer.alloc(COUNTS_LENGTH)
  counted.writeBigUInt64BE(BigInt(heads))
  counted.writeBigUInt64BE(BigInt(bytes), 8)
  return Buffer.concat([counted, record])
}

function counts(message: StoredMsg): AccountRecords {
  const data = Buffer.from(message.data)
  return {
    records: placeOf(message),
    heads: Number(data.readBigUInt64BE()),
    bytes: Number(data.readBigUInt64BE(8)),
  }
}

const decode = (message: StoredMsg): PlacedRecord => ({
  place: placeOf(message),
  record: Uint8Array.from(message.data.subarray(COUNTS_LENGTH)),
})
