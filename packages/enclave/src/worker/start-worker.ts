import { EnclaveError } from '../errors.ts'
import type { VerifiedWasm } from '../loading/digest.ts'
import { whenReleased } from '../locks.ts'
import type { Connection, WorkerPlan } from './connection.ts'
import type { WorkerMessage } from './protocol.ts'

/** What it takes to start a worker. */
export interface StartOptions {
  readonly plan: WorkerPlan
  readonly wasm: Promise<VerifiedWasm>
  readonly account: string | undefined
  readonly allowedHosts: readonly string[]
  /** The Web Lock that tells the worker whether this client is alive. */
  readonly lock: string | undefined
  /** How long the worker may take once the plugin is loaded, in milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal | undefined
  /** Gets the worker's messages once it has started. */
  receive(message: WorkerMessage): void
  /** Called once if a started worker ends unexpectedly. */
  gone(connection: Connection, reason: string): void
}

/**
 * Starts a worker, or connects to the running one, and opens the plugin in it.
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
  // Loads the script in parallel with the plugin.
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

/** Watches the worker's lock to notice its end, until this side closes the connection. */
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
