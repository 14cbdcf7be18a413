// Mailboxes in a key-value bucket. A value is the mailbox's end and its message. Reads go to the stream's leader, which
// also decides which of several writers is first.
import { Kvm } from '@nats-io/kv'
import type { RelayStore } from '../store.ts'
import { type Cluster, tryWrite, withTimeout } from './cluster.ts'

/** Length of the end, a 64-bit number of milliseconds since 1970. */
const END_LENGTH = 8
/** Space for the headers that the client adds. */
const HEADERS_LENGTH = 1_024

export async function natsMailboxes(
  cluster: Cluster,
): Promise<Pick<RelayStore, 'openMailbox' | 'putMessage' | 'readMailbox'>> {
  const { bounds, replicas, name, timeout } = cluster.options
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
    const entry = await bucket.get(keyOf(mailbox))
    if (entry?.operation !== 'PUT' || entry.value.length < END_LENGTH) return undefined
    const value = Buffer.from(entry.value)
    const until = Number(value.readBigUInt64BE())
    return { until, revision: entry.revision, message: value.subarray(END_LENGTH) }
  }

  return {
    openMailbox: (mailbox, now) =>
      withTimeout(timeout, async () => {
        const empty = encodeEnd(now + bounds.mailboxLifetime)
        for (;;) {
          const known = await entryOf(mailbox)
          if (known && known.until > now) return 'open'
          const result = await tryWrite(() =>
            known
              ? bucket.update(keyOf(mailbox), empty, known.revision)
              : bucket.create(keyOf(mailbox), empty),
          )
          if (result !== 'conflict') return result === 'full' ? 'full' : 'open'
        }
      }),
    putMessage: (mailbox, message, now) =>
      withTimeout(timeout, async () => {
        const known = await entryOf(mailbox)
        if (!known || known.until <= now) return 'unknown'
        if (known.message.length > 0) return 'taken'
        const value = Buffer.concat([encodeEnd(known.until), message])
        const result = await tryWrite(() => bucket.update(keyOf(mailbox), value, known.revision))
        if (result === 'conflict') return 'taken'
        if (result === 'full') return 'full'
        cluster.publish({ mailbox })
        return 'stored'
      }),
    readMailbox: (mailbox, now) =>
      withTimeout(timeout, async () => {
        const known = await entryOf(mailbox)
        if (!known || known.until <= now) return undefined
        const { until, message } = known
        return { until, message: message.length > 0 ? Uint8Array.from(message) : undefined }
      }),
  }
}

function encodeEnd(until: number): Buffer {
  const bytes = Buffer.alloc(END_LENGTH)
  bytes.writeBigUInt64BE(BigInt(until))
  return bytes
}
