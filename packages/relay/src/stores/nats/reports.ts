// Reports in a key-value bucket, with keys `<owner>.<sender>`. A value is the report's end and the report. The last write
// of a sender counts.
import { Kvm } from '@nats-io/kv'
import type { RelayStore } from '../store.ts'
import { askAgain, type Cluster, digest, tryWrite, withTimeout } from './cluster.ts'
import { countSubjects } from './streams.ts'

/** Length of the end, a 64-bit number of milliseconds since 1970. */
const END_LENGTH = 8
/** Space for the headers that the client adds. */
const HEADERS_LENGTH = 1_024
/** Number of reserved owners that the bucket's size allows for. */
const RESERVED_OWNERS = 10

export async function natsReports(cluster: Cluster): Promise<Pick<RelayStore, 'putReport' | 'readReport'>> {
  const { bounds, replicas, name, timeout } = cluster.options
  const bucketName = `${name}_reports`
  const bucket = await new Kvm(cluster.js).create(bucketName, {
    ttl: bounds.reportLifetime,
    max_bytes: bounds.reportBytes + RESERVED_OWNERS * bounds.reportLength,
    maxValueSize: END_LENGTH + bounds.reportLength + HEADERS_LENGTH,
    replicas,
    history: 1,
    allow_direct: false,
  })
  const stream = `KV_${bucketName}`
  const keyOf = (owner: string, sender: string) => `${digest(owner)}.${digest(sender)}`

  const get = (key: string) => askAgain(cluster, () => bucket.get(key))

  async function fits(owner: string, key: string, length: number, isReserved: boolean): Promise<boolean> {
    const isKnown = (await get(key))?.operation === 'PUT'
    const filter = `$KV.${bucketName}.${digest(owner)}.*`
    if (!isKnown && (await countSubjects(cluster, stream, filter)) >= bounds.reportsPerOwner) return false
    if (isReserved) return true
    const { state } = await askAgain(cluster, () => cluster.jsm.streams.info(stream))
    return state.bytes + length <= bounds.reportBytes
  }

  return {
    putReport: ({ owner, sender, report, isReserved }, now) =>
      withTimeout(timeout, async () => {
        const key = keyOf(owner, sender)
        if (!(await fits(owner, key, report.length, isReserved))) return 'full'
        const end = Buffer.alloc(END_LENGTH)
        end.writeBigUInt64BE(BigInt(now + bounds.reportLifetime))
        const result = await tryWrite(() => bucket.put(key, Buffer.concat([end, report])))
        if (result === 'unsure') throw new Error('There was no answer.')
        return result === 'written' ? 'stored' : 'full'
      }),
    readReport: (owner, sender, now) =>
      withTimeout(timeout, async () => {
        const entry = await get(keyOf(owner, sender))
        if (entry?.operation !== 'PUT' || entry.value.length < END_LENGTH) return undefined
        const value = Buffer.from(entry.value)
        const until = Number(value.readBigUInt64BE())
        return until > now ? { until, report: Uint8Array.from(value.subarray(END_LENGTH)) } : undefined
      }),
  }
}
