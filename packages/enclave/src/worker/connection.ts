import type { EnclaveKind, EnclaveOptions } from '../types.ts'
import type { ClientPort } from './protocol.ts'

/** A client's line to a worker. */
export interface Connection {
  readonly port: ClientPort
  /** Whether answers are awaited: in Node, whether the process must stay alive for them. */
  busy(awaited: boolean): void
  /** Ends the line, and the worker if no other client uses it. */
  terminate(): void
}

/** Where to run the plugin, and what to do if it doesn't answer. */
export interface WorkerPlan {
  readonly kind: EnclaveKind
  /** Whether a call that hangs ends the worker, and another one is started. */
  readonly restarts: boolean
  /** Has no vault, so waiting calls can be sent again after a restart. */
  readonly stateless: boolean
  /** Web Locks, which tell each side whether the other is alive. */
  readonly locks: LockManager | undefined
  /** Starts the worker, or connects to the running one. @param gone called once, if the worker ends unexpectedly */
  spawn(gone: (reason: string) => void): Promise<Connection>
}

/** The options that decide where the plugin runs. */
export type PlanOptions = Pick<EnclaveOptions, 'keyless' | 'allowedHosts' | 'workers' | 'scriptUrl'>

/** Whether an enclave with these options has no vault. Only such an enclave can have an HTTP bridge. */
export function isKeyless({ keyless = false, allowedHosts = [] }: PlanOptions): boolean {
  return keyless || allowedHosts.length > 0
}
