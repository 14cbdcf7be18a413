// Connections to a NATS cluster.
import type { NatsPlace } from '@keyhole/verify/nats'
import type { NatsConnection } from '@nats-io/transport-node'
import { CommandError, FAILED, wrongUsage } from './errors.ts'

/** How long a service waits for its cluster when it starts, in milliseconds: servers that restart elect leaders first. */
const LONGEST_WAIT = 60_000
const BETWEEN = 500

/**
 * The cluster that is named on the command line, or in `KEYHOLE_NATS`: addresses with commas between, where the first
 * may have a user and a password.
 *
 * @throws CommandError
 */
export async function namedCluster(named: readonly string[], env: NodeJS.ProcessEnv): Promise<NatsPlace> {
  if (named.some((each) => each.includes('@')))
    wrongUsage('Set KEYHOLE_NATS to an address with a password: other users can see the command line.')
  const addresses = named.length > 0 ? named : (env.KEYHOLE_NATS ?? '').split(',').map((each) => each.trim())
  const { natsPlace } = await import('@keyhole/verify/nats')
  try {
    return natsPlace(addresses)
  } catch {
    return wrongUsage('Name the servers of the NATS cluster: --nats HOST:PORT, or KEYHOLE_NATS.')
  }
}

/** Connects, and reconnects for as long as it takes. @throws CommandError NATS if no server answers */
export async function connectTo(place: NatsPlace): Promise<NatsConnection> {
  const { connectNats } = await import('@keyhole/verify/nats')
  try {
    return await connectNats(place)
  } catch (error) {
    throw new CommandError(FAILED, 'NATS', error instanceof Error ? error.message : '')
  }
}

/**
 * Opens something in a cluster that was reached, and tries again while it can't store anything. The first failure is told at once.
 *
 * @throws the last error, after a minute; at once if no server can be reached
 */
export async function whenClusterAnswers<T>(
  open: () => Promise<T>,
  tell: (text: string) => void,
): Promise<T> {
  const end = performance.now() + LONGEST_WAIT
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await open()
    } catch (error) {
      if (!hasNoLeader(error) || performance.now() > end) throw error
      if (isFirst) tell(`${error.message} Trying again for a minute.`)
    }
    await new Promise((resolve) => setTimeout(resolve, BETWEEN))
  }
}

/** Whether a cluster was reached but didn't answer: a relay says so itself, a gate by the cause. */
const hasNoLeader = (error: unknown): error is Error =>
  error instanceof CommandError
    ? error.code === 'STORE_FAILED'
    : error instanceof Error &&
      Object(error).code === 'CLUSTER_FAILED' &&
      Object(error.cause).code === 'STORE_FAILED'
