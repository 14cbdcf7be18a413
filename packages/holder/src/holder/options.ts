import type { Resolve } from '../grants/signed.ts'
import type { HolderStore } from '../stores/store.ts'
import type { Sign } from '../token/envelope.ts'

/** What a holder works with. */
export interface HolderOptions {
  /** Where its key and its grants are kept. */
  readonly store: HolderStore
  /** Milliseconds since 1970. Default: the platform's clock. */
  readonly clock?: () => number
  /** So many random bytes. Default: the platform's. */
  readonly random?: (length: number) => Uint8Array
  /** Looks up who may sign for a DID that is no did:key. Without it such a signature is refused. */
  readonly resolve?: Resolve
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, and rejects with its reason. */
  readonly signal?: AbortSignal | undefined
}

/** What signs, and what is known at that moment. */
export interface Signer {
  readonly did: string
  readonly sign: Sign
  /** Seconds since 1970. */
  readonly now: number
  /** A random nonce for a token. */
  readonly nonce: Uint8Array
}

/** Does work that a caller may give up. */
export async function abortable<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  signal?.throwIfAborted()
  if (!signal) return await work()
  let abort = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason)
  })
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
