// NATS JetStream, for several relays (docs/decisions/051).
import type { NatsConnection } from '@nats-io/transport-node'
import { BOUNDS, type Bounds } from '../bounds.ts'
import { Cluster, withTimeout } from './nats/cluster.ts'
import { natsMailboxes } from './nats/mailboxes.ts'
import { natsRecords } from './nats/records.ts'
import { natsReports } from './nats/reports.ts'
import { natsRevocations } from './nats/revocations.ts'
import type { RelayStore } from './store.ts'

export interface NatsStoreOptions {
  readonly bounds?: Bounds
  /** Servers that store each message. Default: 1. Use 3 on a cluster of three with `sync_interval: always`. */
  readonly replicas?: number
  /** Prefix of all stream and subject names, so that several relays can share a cluster. Default: `keyhole`. */
  readonly name?: string
  /** How long to wait for the cluster, in milliseconds. Default: 2,000. */
  readonly timeout?: number
}

/**
 * A store in NATS JetStream 2.11 or later. Creates its streams if they are missing, and never changes existing ones.
 * The caller opens and closes the connection.
 *
 * @throws StoreError if the cluster doesn't answer, or a stream of that name has another purpose
 */
export async function natsStore(
  connection: NatsConnection,
  { bounds = BOUNDS, replicas = 1, name = 'keyhole', timeout = 2_000 }: NatsStoreOptions = {},
): Promise<RelayStore> {
  const cluster = await withTimeout(timeout, () =>
    Cluster.connect({ connection, bounds, replicas, name, timeout }),
  )
  const [mailboxes, revocations, records, reports] = await withTimeout(timeout, () =>
    Promise.all([
      natsMailboxes(cluster),
      natsRevocations(cluster),
      natsRecords(cluster),
      natsReports(cluster),
    ]),
  ).catch((error) => {
    cluster.close()
    throw error
  })
  return {
    ...mailboxes,
    ...revocations,
    ...records,
    ...reports,
    watch: (changed) => cluster.hints.watch(changed),
    close: async () => cluster.close(),
  }
}
