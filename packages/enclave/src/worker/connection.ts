import type { EnclaveKind, EnclaveOptions } from '../types.ts'
import type { ClientPort } from './protocol.ts'

/** A client's line to a worker. */
export interface Connection {
  readonly port: ClientPort
  /** Whether answers are awaited: in Node, whether the process is to stay alive for them. */
  busy(awaited: boolean): void
  /** Ends the line, and the worker where it is this client's alone. */
  terminate(): void
}

/** Where the plugin is to run, and what may be done when it does not answer. */
export interface WorkerPlan {
  readonly kind: EnclaveKind
  /** A call that hangs ends the worker, and another one is started. */
  readonly restarts: boolean
  /** Holds no vault: calls that wait when it is started anew are sent again. */
  readonly stateless: boolean
  /** Web Locks, by which each side knows that the other lives. */
  readonly locks: LockManager | undefined
  /** Starts the worker, or connects to the one that runs. @param gone called once, when the worker ends by itself */
  spawn(gone: (reason: string) => void): Promise<Connection>
}

/** The part of the options that decides where the plugin runs. */
export type PlanOptions = Pick<EnclaveOptions, 'keyless' | 'allowedHosts' | 'workers' | 'scriptUrl'>

/** Whether an enclave of these options holds no vault. An HTTP bridge is only for those. */
export function isKeyless({ keyless = false, allowedHosts = [] }: PlanOptions): boolean {
  return keyless || allowedHosts.length > 0
}
