// NATS JetStream, for several services (docs/decisions/058). One stream, whose leader accepts one message for each
// invocation.
import { createHash } from 'node:crypto'
import { DiscardPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { BudgetStore } from '../budgets/budget-store.ts'
import { natsBudgets, type SpendInNats } from '../budgets/nats-budgets.ts'
import { isWrongSequence, orStoreError } from '../stores/nats-calls.ts'
import { ensureStream } from '../stores/nats-stream.ts'
import type { ClaimStore } from './claim-store.ts'

export interface NatsClaimsOptions {
  /** Servers that store each claim. Default: 1. Use 3 on a cluster of three with `sync_interval: always`. */
  readonly replicas?: number
  /** Name of the stream. Budgets are in another, `<name>_budgets`. Default: `keyhole_claims`. */
  readonly name?: string
  /** How long to wait for the cluster, in milliseconds. Default: 2,000. */
  readonly timeout?: number
  /** How many claims, and how many budgets, are remembered; one beyond that fails. Default: 10,000,000. */
  readonly most?: number
}

/**
 * How much longer than necessary a claim is remembered, in seconds, so that services whose clocks differ by less accept
 * nothing twice.
 */
const MARGIN = 300

/**
 * Claims in NATS JetStream 2.11 or later, and budgets in 2.12 or later, shared by all services on the cluster. Creates
 * its streams if they are missing, and never changes existing ones. The caller opens and closes the connection. Without `sync_interval: always`, a
 * power failure can make used invocations usable again.
 *
 * @throws VerifyError STORE_FAILED if the cluster doesn't answer, or a stream of that name has another purpose
 */
export async function natsClaims(
  connection: NatsConnection,
  { replicas = 1, name = 'keyhole_claims', timeout = 2_000, most = 10_000_000 }: NatsClaimsOptions = {},
): Promise<ClaimStore & BudgetStore> {
  const js = jetstream(connection, { timeout })
  const manager = await orStoreError(timeout, async () => {
    const made = await jetstreamManager(connection, { timeout })
    await ensureStream({ manager: made, js, timeout }, name, {
      subjects: [`${name}.*`],
      max_msgs_per_subject: 1,
      discard_new_per_subject: true,
      // A full stream refuses claims. It never drops one.
      discard: DiscardPolicy.New,
      max_msgs: most,
      num_replicas: replicas,
      allow_msg_ttl: true,
    })
    return made
  })
  let isClosed = false

  /** Opened with the first budget: a service may have none. */
  let opening: Promise<SpendInNats> | undefined
  function budgets(): Promise<SpendInNats> {
    const shared = { connection, manager, js, replicas, timeout, most, margin: MARGIN }
    opening ??= natsBudgets({ ...shared, name: `${name}_budgets` }).catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }

  return {
    claim(cid, until, now) {
      if (until < now) return Promise.resolve(false)
      return orStoreError(timeout, async () => {
        if (isClosed) throw new Error('The store was closed.')
        try {
          await js.publish(`${name}.${digest(cid)}`, '', {
            expect: { lastSubjectSequence: 0 },
            ttl: `${until - now + MARGIN}s`,
            timeout,
          })
          return true
        } catch (error) {
          if (isWrongSequence(error)) return false
          throw error
        }
      })
    },
    spend(spends, now) {
      return orStoreError(timeout, async () => {
        if (isClosed) throw new Error('The store was closed.')
        return await (await budgets())(spends, now)
      })
    },
    async close() {
      isClosed = true
    },
  }
}

const digest = (cid: string) => createHash('sha256').update(cid).digest('base64url')
