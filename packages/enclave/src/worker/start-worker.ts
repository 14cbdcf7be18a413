import { EnclaveError } from '../errors.ts'
import type { VerifiedWasm } from '../loading/digest.ts'
import { whenReleased } from '../locks.ts'
import type { Connection, WorkerPlan } from './connection.ts'
import type { WorkerMessage } from './protocol.ts'

/** What starting a worker needs. */
export interface StartOptions {
  readonly plan: WorkerPlan
  readonly wasm: Promise<VerifiedWasm>
  readonly account: string | undefined
  readonly allowedHosts: readonly string[]
  /** The Web Lock by which the worker knows that this client lives. */
  readonly lock: string | undefined
  /** Milliseconds the worker may take to be ready, once the plugin is loaded. */
  readonly timeout: number
  readonly signal: AbortSignal | undefined
  /** Hears what the worker says once it is ready. */
  receive(message: WorkerMessage): void
  /** Hears, once, that a worker that was ready has ended by itself. */
  gone(connection: Connection, reason: string): void
}

/**
 * Starts a worker, or connects to the one that runs, and opens the plugin in it.
 *
 * @throws EnclaveError as the plugin or the worker fails; TIMEOUT; the signal's reason
 */
export async function startWorker(options: StartOptions): Promise<Connection> {
  const { plan, wasm, account, allowedHosts, lock, timeout, signal } = options
  let ended = (reason: string): void => fail(couldNotStart(reason))
  let fail: (error: EnclaveError) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => {})
  // The script loads while the plugin does.
  const connection = await plan.spawn((reason) => ended(reason))
  const { port } = connection
  const abort = () => fail(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    const verified = await Promise.race([wasm, failed])
    signal?.throwIfAborted()
    timer = setTimeout(() => fail(notReady(timeout)), timeout)
    const ready = new Promise<string | undefined>((resolve) => {
      port.listen((message) => {
        if (message.type === 'ready') resolve(message.lock)
        else if (message.type === 'failed') fail(new EnclaveError(message.code, message.message))
        else options.receive(message)
      })
    })
    port.post({ type: 'open', wasm: verified, account, allowedHosts, lock })
    const workerLock = await Promise.race([ready, failed])
    ended = (reason) => options.gone(connection, reason)
    return watched(connection, plan.locks, workerLock, ended)
  } catch (error) {
    connection.terminate()
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Waits for the end of the worker, by the lock that it holds, until the connection is ended from here. */
function watched(
  connection: Connection,
  locks: LockManager | undefined,
  lock: string | undefined,
  ended: (reason: string) => void,
): Connection {
  if (!locks || lock === undefined) return connection
  const watching = new AbortController()
  const terminate = connection.terminate
  connection.terminate = () => {
    watching.abort()
    terminate()
  }
  void whenReleased(locks, lock, watching.signal).then(() => ended('it has ended'))
  return connection
}

function couldNotStart(reason: string): EnclaveError {
  return new EnclaveError('OPERATION_FAILED', `The enclave's worker could not be started: ${reason}.`)
}

function notReady(timeout: number): EnclaveError {
  return new EnclaveError('TIMEOUT', `The enclave's worker was not ready within ${timeout} ms.`, { timeout })
}
