// Streams of a cluster: created if missing, and never changed.
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream'
import { VerifyError } from '../errors.ts'
import { isFull, isWrongSequence } from './nats-calls.ts'

const STREAM_NOT_FOUND = 10_059
/** How often it is looked whether someone else has created a stream, in milliseconds. */
const BETWEEN = 50
/** How long the answer to a first write is waited for, and the pause before the next one, in milliseconds. */
const FIRST_WRITE = 500
const BETWEEN_WRITES = 20
/** How long an answer is waited for, in milliseconds. */
const PATIENCE = 250

/** How long a stream that someone else is creating may take to get a leader, in milliseconds. */
const LONGEST_ELECTION = 5_000

/**
 * @throws VerifyError STORE_FAILED if a stream of that name has another purpose
 * @throws an error of NATS, or of JetStream; also if the stream gets no leader
 */
export async function ensureStream(
  { manager, js, timeout }: Writer,
  name: string,
  config: Partial<StreamConfig> & { readonly subjects: string[] },
): Promise<void> {
  const known = await knownConfig(manager, name)
  const found = known ?? (await create(manager, name, config))
  // A server that doesn't know an option leaves it out.
  const isUsable =
    (found.allow_msg_ttl || !config.allow_msg_ttl) &&
    (found.allow_direct || !config.allow_direct) &&
    Boolean(found.allow_atomic) === Boolean(config.allow_atomic) &&
    found.discard === DiscardPolicy.New &&
    found.max_age === 0 &&
    String(found.subjects) === String(config.subjects)
  if (isUsable) {
    refuseUnsafe(found, config.num_replicas ?? 1)
    return await answersWrites(js, String(found.subjects[0]).replaceAll('*', 'none'), timeout)
  }
  const why = known ? "exists and isn't one for this. Choose another name" : 'needs a newer NATS server'
  throw new VerifyError('STORE_FAILED', `The stream ${name} ${why}.`)
}

/** Who writes to a stream. */
interface Writer {
  readonly manager: JetStreamManager
  readonly js: JetStreamClient
  /** How long to wait for the first answer, in milliseconds. */
  readonly timeout: number
}

/** Resolves when writes over this connection reach the stream. Those to a new one get lost for a moment. */
async function answersWrites(js: JetStreamClient, subject: string, timeout: number): Promise<void> {
  const end = performance.now() + timeout
  for (;;) {
    try {
      // Nothing is written: there is no such message.
      await js.publish(subject, '', { expect: { lastSubjectSequence: 1 }, timeout: FIRST_WRITE })
    } catch (error) {
      if (isWrongSequence(error) || isFull(error)) return
      if (performance.now() > end) throw error
    }
    await pause(BETWEEN_WRITES)
  }
}

/**
 * Makes sure that someone else's stream is there, with these subjects.
 * @param what whose stream it is
 * @throws VerifyError STORE_FAILED if it isn't, or keeps too little
 */
export async function findStream(
  manager: JetStreamManager,
  name: string,
  {
    subjects,
    replicas,
    what,
  }: { readonly subjects: string; readonly replicas: number; readonly what: string },
): Promise<void> {
  const found = await knownConfig(manager, name)
  if (!found?.allow_direct || String(found.subjects) !== subjects)
    throw new VerifyError(
      'STORE_FAILED',
      `The stream ${name} ${found ? `isn't ${what}'s` : "isn't there"}. Start ${what} that stores in this cluster, and give its \`name\`.`,
    )
  refuseUnsafe(found, replicas)
}

/** On fewer servers, or in memory, what was accepted could be forgotten. */
function refuseUnsafe({ name, num_replicas, storage }: StreamConfig, replicas: number): void {
  if (num_replicas >= replicas && storage === StorageType.File) return
  throw new VerifyError(
    'STORE_FAILED',
    `The stream ${name} is on ${num_replicas} of ${replicas} servers, or in memory. Change it with \`nats stream edit\`, or choose another name.`,
  )
}

/**
 * Waits for the leader of a stream that is there: several services of a cluster that start together create it once. Without
 * a leader, a question may get no answer at all, so it is asked again.
 */
async function knownConfig(manager: JetStreamManager, name: string): Promise<StreamConfig | undefined> {
  const end = performance.now() + LONGEST_ELECTION
  for (let patience = PATIENCE; ; patience *= 2) {
    const asked = configOf(manager, name).catch((error) => {
      if (error instanceof NoLeader && performance.now() < end) return 'late' as const
      throw error
    })
    asked.catch(() => {})
    const found = await Promise.race([asked, pause(patience).then(() => 'late' as const)])
    if (found !== 'late') return found
    if (performance.now() > end) throw new NoLeader(`The stream ${name} has no leader.`)
    await pause(BETWEEN)
  }
}

class NoLeader extends Error {}

async function configOf(manager: JetStreamManager, name: string): Promise<StreamConfig | undefined> {
  try {
    const { config, cluster } = await manager.streams.info(name)
    // A new stream has no leader at first. What is written then gets lost.
    if (!cluster || cluster.leader) return config
    throw new NoLeader(`The stream ${name} has no leader.`)
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND) return undefined
    throw error
  }
}

/** Of several that create it at the same time in a cluster, some get no answer: they see that it is there. */
async function create(
  manager: JetStreamManager,
  name: string,
  config: Partial<StreamConfig>,
): Promise<StreamConfig> {
  let isOver = false
  const added = manager.streams.add({ name, ...config }).finally(() => {
    isOver = true
  })
  added.catch(() => {})
  for (;;) {
    const wasOver = isOver
    // Without a leader there is no answer at all.
    const there = await Promise.race([configOf(manager, name).catch(() => undefined), pause(PATIENCE)])
    if (there) return there
    // The caller gives up on it if it never gets a leader.
    if (wasOver) await added
    await pause(BETWEEN)
  }
}

const pause = (length: number) => new Promise<undefined>((resolve) => setTimeout(resolve, length))
