import type { Resolve } from '../grants/signed.ts'
import type { HolderStore } from '../stores/store.ts'
import type { Sign } from '../token/envelope.ts'

/** What a holder works with. */
export interface HolderOptions {
  /** Where its key and its grants are stored. */
  readonly store: HolderStore
  /** Milliseconds since 1970. Default: the platform's clock. */
  readonly clock?: () => number
  /** Returns that many random bytes. Default: the platform's. */
  readonly random?: (length: number) => Uint8Array
  /** Looks up who may sign for a DID that isn't a did:key. Without it, such signatures are refused. */
  readonly resolve?: Resolve
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** What is needed to sign now. */
export interface Signer {
  readonly did: string
  readonly sign: Sign
  /** Seconds since 1970. */
  readonly now: number
  /** A random nonce for a token. */
  readonly nonce: Uint8Array
}

/** Runs work that a caller may abort. */
export async function abortable<T>(options: CallOptions | undefined, work: () => Promise<T>): Promise<T> {
  const signal = options?.signal
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
