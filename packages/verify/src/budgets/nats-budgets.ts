// Budgets in NATS JetStream: one message for each budget and period, which says how much of it was used. All budgets of
// a call change in one atomic batch, and only if none has changed since it was read (docs/decisions/079).
import { createHash } from 'node:crypto'
import {
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
} from '@nats-io/jetstream'
import { headers, type MsgHdrs, type NatsConnection, nuid } from '@nats-io/transport-node'
import { VerifyError } from '../errors.ts'
import { isWrongSequence } from '../stores/nats-calls.ts'
import { ensureStream } from '../stores/nats-stream.ts'
import type { Spend } from './budget-store.ts'

export interface NatsBudgetOptions {
  readonly connection: NatsConnection
  readonly manager: JetStreamManager
  readonly js: JetStreamClient
  readonly replicas: number
  /** Name of the stream. */
  readonly name: string
  /** How long to wait for an answer, in milliseconds. */
  readonly timeout: number
  /** How many budgets are remembered; one beyond that fails. */
  readonly most: number
  /** How much longer than its period a budget is remembered, in seconds. */
  readonly margin: number
}

/** A batch has at most 1,000 messages. */
const MOST_BUDGETS = 500
/** How long the leader may take to answer, in milliseconds. There may be a new one, so it is asked again. */
const READ = 500
/** Longest pause before a write is tried again that met another, in milliseconds. */
const LONGEST_PAUSE = 20

/** A budget as it was read. */
interface Used {
  /** Sequence of its message; 0 if there is none. */
  readonly seq: number
  readonly used: number
}

/** A call that waits for its turn. */
interface Waiting {
  readonly spends: readonly Spend[]
  readonly now: number
  resolve(short: number | undefined): void
  reject(error: unknown): void
}

/** Uses parts of budgets: of all, or of none. @throws an error of NATS, or of JetStream */
export type SpendInNats = (spends: readonly Spend[], now: number) => Promise<number | undefined>

export async function natsBudgets(options: NatsBudgetOptions): Promise<SpendInNats> {
  const { connection, manager, js, name, replicas, most, timeout, margin } = options
  await ensureStream({ manager, js, timeout }, name, {
    subjects: [`${name}.*`],
    max_msgs_per_subject: 1,
    // A full stream refuses new budgets. It never drops one.
    discard: DiscardPolicy.New,
    max_msgs: most,
    num_replicas: replicas,
    allow_msg_ttl: true,
    allow_atomic: true,
  })
  const subjectOf = (id: string) => `${name}.${createHash('sha256').update(id).digest('base64url')}`
  const waiting: Waiting[] = []
  let isRunning = false

  const reader = await jetstreamManager(connection, { timeout: Math.min(timeout, READ), checkAPI: false })

  /** Asks the leader. */
  async function read(id: string): Promise<Used> {
    const message = await reader.streams.getMessage(name, { last_by_subj: subjectOf(id) })
    return message ? { seq: message.seq, used: amountIn(message.data) } : { seq: 0, used: 0 }
  }

  async function readAll(ids: readonly string[]): Promise<ReadonlyMap<string, Used>> {
    return new Map(await Promise.all(ids.map(async (id) => [id, await read(id)] as const)))
  }

  /** Calls that wait are answered together: one read of each budget, and one write. */
  async function settle(group: readonly Waiting[]): Promise<(number | undefined)[]> {
    const ids = [...new Set(group.flatMap(({ spends }) => spends.map(({ id }) => id)))]
    const end = performance.now() + timeout
    for (let attempt = 1; ; attempt += 1) {
      const isLast = performance.now() > end
      const before = await readAll(ids).catch((error) => {
        if (isLast || error instanceof VerifyError) throw error
        return undefined
      })
      if (before) {
        const after = new Map<string, Change>()
        const answers = group.map(({ spends, now }) => use(spends, now, before, after))
        if (await write(options, subjectOf, before, after, margin)) return answers
      }
      if (isLast) throw new Error('Others have changed these budgets each time.')
      // Of several that meet, one goes first.
      const pause = Math.random() * Math.min(LONGEST_PAUSE, 2 ** attempt)
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const group = nextGroup(waiting)
      try {
        const answers = await settle(group)
        for (const [at, { resolve }] of group.entries()) resolve(answers[at])
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    isRunning = false
  }

  return (spends, now) =>
    new Promise((resolve, reject) => {
      waiting.push({ spends, now, resolve, reject })
      if (!isRunning) void run()
    })
}

/** A budget as it is written. */
interface Change {
  readonly used: number
  /** For how long, in seconds. */
  readonly lasts: number
}

/** Counts a call. @returns the place of what is short */
function use(
  spends: readonly Spend[],
  now: number,
  before: ReadonlyMap<string, Used>,
  after: Map<string, Change>,
): number | undefined {
  const usedOf = (id: string) => after.get(id)?.used ?? before.get(id)?.used ?? 0
  const short = spends.findIndex(({ id, amount, most, until }) => until < now || usedOf(id) + amount > most)
  if (short >= 0) return short
  for (const { id, amount, until } of spends)
    after.set(id, { used: usedOf(id) + amount, lasts: Math.max(until - now, after.get(id)?.lasts ?? 0) })
  return undefined
}

/** Takes those that come next, as many as fit in a batch. */
function nextGroup(waiting: Waiting[]): Waiting[] {
  let budgets = 0
  const end = waiting.findIndex(({ spends }) => {
    budgets += spends.length
    return budgets > MOST_BUDGETS
  })
  return waiting.splice(0, end < 0 ? waiting.length : Math.max(end, 1))
}

interface Message {
  readonly subject: string
  readonly text: string
  readonly head: MsgHdrs
}

/** Writes all changes, or none. @returns false if a budget has changed since it was read */
async function write(
  { connection, js, timeout }: NatsBudgetOptions,
  subjectOf: (id: string) => string,
  before: ReadonlyMap<string, Used>,
  after: ReadonlyMap<string, Change>,
  margin: number,
): Promise<boolean> {
  const batch = nuid.next()
  const messages = [...after].map(([id, { used, lasts }], at): Message => {
    const head = headers()
    head.set('Nats-Expected-Last-Subject-Sequence', String(before.get(id)?.seq ?? 0))
    head.set('Nats-TTL', `${lasts + margin}s`)
    if (after.size > 1) {
      head.set('Nats-Batch-Id', batch)
      head.set('Nats-Batch-Sequence', String(at + 1))
    }
    return { subject: subjectOf(id), text: JSON.stringify({ used }), head }
  })
  const last = messages.pop()
  if (!last) return true
  const [first, ...others] = messages
  // Nothing counts before the last one. If the first gets lost, as while a leader changes, all can be sent again.
  if (first && !(await isTaken(connection, first))) return false
  for (const { subject, text, head } of others) connection.publish(subject, text, { headers: head })
  if (first) last.head.set('Nats-Batch-Commit', '1')
  try {
    // The client's own batches pass on no expected sequence, and no error.
    const ack = await js.publish(last.subject, last.text, { headers: last.head, timeout })
    if (first && Object(ack).count !== after.size)
      throw new VerifyError('STORE_FAILED', 'Budgets need NATS 2.12 or later.')
    return true
  } catch (error) {
    if (isWrongSequence(error)) return false
    throw error
  }
}

/** Whether the first message of a batch arrived: its answer is empty. */
async function isTaken(connection: NatsConnection, { subject, text, head }: Message): Promise<boolean> {
  const answer = await connection
    .request(subject, text, { headers: head, timeout: READ })
    .catch(() => undefined)
  return answer?.data.length === 0
}

function amountIn(data: Uint8Array): number {
  const { used } = Object(JSON.parse(new TextDecoder().decode(data)))
  if (Number.isSafeInteger(used) && used >= 0) return used
  throw new VerifyError('STORE_FAILED', 'The stream of budgets has a message that no gate wrote.')
}
