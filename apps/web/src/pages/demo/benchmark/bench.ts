import { createEnclave, createPool, type Enclave, type EnclaveOptions, type Pool } from '@keyhole/enclave'
import { Sandbox, textOf } from '../engine/sandbox.ts'

/** The number of delegations behind each invocation, and the number of invocations in a batch. */
const LINKS = 5
export const BATCH = 256

/** What the benchmark runs on: its own vault, enclaves without keys, and tokens made in advance. */
export interface Bench {
  readonly vault: Sandbox
  /** Without keys. */
  readonly enclave: Enclave
  readonly pool: Pool
  /** A single delegation. */
  readonly token: string
  /** Invocations with five delegations behind each. */
  readonly invocations: readonly string[]
  close(): Promise<void>
}

/** Creates the tokens and starts the workers. @param onProgress is called with 0 to 1 */
export async function makeBench(
  options: EnclaveOptions,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<Bench> {
  const started: { close(): Promise<void> }[] = []
  const close = async () => {
    await Promise.all(started.map((each) => each.close()))
  }
  try {
    const vault = await Sandbox.make({ ...options, signal })
    started.push(vault.enclave)
    const invocations = await makeInvocations(vault, signal, onProgress)
    const enclave = await createEnclave({ ...options, signal, keyless: true })
    started.push(enclave)
    const pool = await createPool({ ...options, signal })
    started.push(pool)
    return { vault, enclave, pool, token: vault.token, invocations, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function makeInvocations(
  vault: Sandbox,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<string[]> {
  let [held, leaf, holder] = [vault.token, vault.cid, vault.helper]
  for (let link = 1; link < LINKS; link += 1) {
    const made = await vault.ask('generate_key', {})
    const key: unknown = Reflect.get(Object(made), 'key')
    const next = { keyId: textOf(key, 'key_id'), did: textOf(key, 'did') }
    const narrowed = await vault.ask('new_attenuated_token', {
      parent_token: held,
      leaf,
      key_id: holder.keyId,
      audience_did: next.did,
      command: '/msg/send',
    })
    held = textOf(narrowed, 'token')
    leaf = textOf(narrowed, 'cid')
    holder = next
  }
  const invocations: string[] = []
  while (invocations.length < BATCH) {
    signal.throwIfAborted()
    const some = await Promise.all(
      Array.from({ length: 32 }, () => vault.invocation({ proof_token: held, leaf, key_id: holder.keyId })),
    )
    invocations.push(...some.map((one) => textOf(one, 'token')))
    onProgress(invocations.length / BATCH)
  }
  return invocations
}
