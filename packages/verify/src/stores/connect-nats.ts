import { connect, type NatsConnection } from '@nats-io/transport-node'
import { VerifyError } from '../errors.ts'
import { type NatsPlace, natsPlace } from './nats-place.ts'

/** The client waits so long for a server that dies while it connects to it, in milliseconds. Then it tries another one. */
const LONGEST_GREETING = 2_000
/** Pause before it connects again, in milliseconds. */
const BETWEEN = 250
/**
 * How often it asks its server for a sign of life, in milliseconds, and how many may be missing. A server that is cut off closes no
 * connection: after about six seconds the client goes to another one.
 */
const SIGNS = { pingInterval: 2_000, maxPingOut: 2 }

/**
 * Connects to a cluster, and reconnects for as long as it takes. The client's own defaults would give up after ten times, wait 20
 * seconds for a server that dies while it connects to it, and six minutes for one that was cut off.
 *
 * @param place its servers may have a user and a password in front, as in {@link natsPlace}
 * @throws VerifyError NO_CLUSTER if no server answers now, or the login is refused; INVALID_OPTIONS
 */
export async function connectNats({ servers: addresses, ...login }: NatsPlace): Promise<NatsConnection> {
  // Split here too: the client would overlook a login in an address, and the error would repeat it.
  const { servers, ...named } = natsPlace(addresses)
  try {
    return await connect({
      servers: [...servers],
      maxReconnectAttempts: -1,
      reconnectTimeWait: BETWEEN,
      timeout: LONGEST_GREETING,
      ...SIGNS,
      ...named,
      ...login,
    })
  } catch (cause) {
    const message = `No NATS server can be reached at ${servers.join(', ')}, or it refuses this user.`
    throw new VerifyError('NO_CLUSTER', message, { cause })
  }
}
