// Where a gate counts used calls and budgets: in its folder, or with other gates in a NATS cluster.
import { join } from 'node:path'
import type { ClaimStore } from '@keyhole/verify'
import { type BudgetStore, embeddedClaims } from '@keyhole/verify/embedded'
import type { NatsConnection } from '@nats-io/transport-node'
import type { ClusterConfig } from '../config/config.ts'
import { readCredential } from '../config/credential.ts'
import { GateError } from '../errors.ts'

export interface GateCounts extends ClaimStore, BudgetStore {
  /** Whether it can be reached. */
  isThere(): Promise<boolean>
}

/** How long a server of the cluster may take to answer that it is there, in milliseconds. */
const PATIENCE = 1_000

/** @throws GateError CREDENTIAL_MISSING, CLUSTER_FAILED @throws VerifyError STORE_FAILED */
export async function openCounts(
  folder: string,
  cluster: ClusterConfig | undefined,
  env: NodeJS.ProcessEnv,
): Promise<GateCounts> {
  if (!cluster) {
    const store = embeddedClaims(join(folder, 'claims'))
    return { ...store, isThere: async () => true }
  }
  const connection = await connectTo(cluster, env)
  try {
    const { natsClaims } = await import('@keyhole/verify/nats')
    const { servers, name = 'keyhole_claims' } = cluster
    const replicas = cluster.replicas ?? (servers.length >= 3 ? 3 : 1)
    const store = await natsClaims(connection, { name, replicas, timeout: 5_000 })
    return {
      ...store,
      isThere: () => answers(connection),
      async close() {
        await store.close()
        await connection.close()
      },
    }
  } catch (cause) {
    await connection.close()
    throw new GateError(
      'CLUSTER_FAILED',
      `The NATS cluster can't count calls: ${cause instanceof Error ? cause.message : ''}`,
      { cause },
    )
  }
}

async function connectTo({ servers, login }: ClusterConfig, env: NodeJS.ProcessEnv): Promise<NatsConnection> {
  const secret = login === undefined ? undefined : await readCredential('login of the cluster', login, env)
  const [, user, pass] = /^([^:]+):(.+)$/s.exec(secret ?? '') ?? []
  if (secret !== undefined && user === undefined)
    throw new GateError('CREDENTIAL_MISSING', 'The login of the cluster has the form user:password.')
  const { connectNats } = await import('@keyhole/verify/nats')
  try {
    return await connectNats({
      servers,
      ...(user !== undefined && pass !== undefined && { user, pass }),
    })
  } catch (cause) {
    throw new GateError('CLUSTER_FAILED', cause instanceof Error ? cause.message : '', { cause })
  }
}

/** Whether a server answers in time. */
async function answers(connection: NatsConnection): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE)
  })
  const answer = connection.rtt().then(
    () => true,
    () => false,
  )
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
