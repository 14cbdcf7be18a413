// Mailboxes in a key-value bucket. A value is the mailbox's end and its message. Reads go to the stream's leader, which
// also decides which of several writers is first.
import { Kvm } from '@nats-io/kv'
import type { RelayStore } from '../store.ts'
import { askAgain, type Cluster, tryWrite, writeAgain } from './cluster.ts'

/** Length of the end, a 64-bit number of milliseconds since 1970. */
const END_LENGTH = 8
/** Space for the headers that the client adds. */
const HEADERS_LENGTH = 1_024

export async function natsMailboxes(
  cluster: Cluster,
): Promise<Pick<RelayStore, 'openMailbox' | 'putMessage' | 'readMailbox'>> {
  const { bounds, replicas, name } = cluster.options
  const bucket = await new Kvm(cluster.js).create(`${name}_mailboxes`, {
    // Writing the message restarts the age of the entry.
    ttl: 2 * bounds.mailboxLifetime,
    max_bytes: bounds.messageBytes,
    maxValueSize: END_LENGTH + bounds.messageLength + HEADERS_LENGTH,
    replicas,
    history: 1,
    allow_direct: false,
  })
  const keyOf = (mailbox: string) => Buffer.from(mailbox).toString('base64url')

  /** Reads a mailbox, open or closed. */
  async function entryOf(mailbox: string) {
    const entry = await askAgain(cluster, () => bucket.get(keyOf(mailbox)))
    const revision = entry?.revision ?? 0
    if (entry?.operation !== 'PUT' || entry.value.length < END_LENGTH)
      return { until: 0, revision, message: Buffer.alloc(0) }
    const value = Buffer.from(entry.value)
    return { until: Number(value.readBigUInt64BE()), revision, message: value.subarray(END_LENGTH) }
  }

  const write = (mailbox: string, value: Buffer, previousSeq: number, timeout: number) =>
    tryWrite(() => bucket.put(keyOf(mailbox), value, { previousSeq, timeout }))

  return {
    openMailbox: (mailbox, now) =>
      writeAgain<'open' | 'full'>(cluster, async ({ patience }) => {
        const { until, revision } = await entryOf(mailbox)
        if (until > now) return 'open'
        const result = await write(mailbox, encodeEnd(now + bounds.mailboxLifetime), revision, patience)
        return result === 'written' ? 'open' : result
      }),
    putMessage: (mailbox, message, now) =>
      writeAgain<'stored' | 'unknown' | 'taken' | 'full'>(cluster, async ({ patience, isUnsure }) => {
        const { until, revision, message: known } = await entryOf(mailbox)
        if (until <= now) return 'unknown'
        const isThere = isUnsure && known.equals(message)
        if (known.length > 0 && !isThere) return 'taken'
        const value = Buffer.concat([encodeEnd(until), message])
        const result = isThere ? 'written' : await write(mailbox, value, revision, patience)
        if (result !== 'written') return result
        cluster.publish({ mailbox })
        return 'stored'
      }),
    readMailbox: async (mailbox, now) => {
      const { until, message } = await entryOf(mailbox)
      if (until <= now) return undefined
      return { until, message: message.length > 0 ? Uint8Array.from(message) : undefined }
    },
  }
}

function encodeEnd(until: number): Buffer {
  const bytes = Buffer.alloc(END_LENGTH)
  bytes.writeBigUInt64BE(BigInt(until))
  return bytes
}
