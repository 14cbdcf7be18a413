/** Why a token is refused, by the names of the UCAN fixtures and of `docs/ucan.md`. */
export type TokenErrorCode =
  | 'MalformedToken'
  | 'UnsupportedVersion'
  | 'InvalidSignature'
  | 'Expired'
  | 'TooEarly'
  | 'InvalidAudience'
  | 'InvalidSubject'
  | 'InvalidCommand'
  | 'InvalidClaim'
  | 'MatchError'
  | 'UnavailableProof'
  | 'TooMuchWork'

/**
 * Why a holder could not do something.
 * - A {@link TokenErrorCode}: a token, or a chain of them, breaks that rule.
 * - `InvalidInput`: an argument is wrong.
 * - `NoGrant`: the holder has no grant over this subject.
 * - `TooManyGrants`: the holder has reached its maximum number of grants.
 * - `NoKey`: there is no key, or it can't be read.
 * - `KeyExposed`: other users of this machine can read the key's file.
 * - `StoreFailed`: the store can't be read or written. `cause` says why.
 * - `Unsupported`: this platform has no Ed25519 or X25519 in WebCrypto.
 * - `Declined`: the person said no.
 * - `RequestExpired`: no one answered in time.
 * - `RequestRefused`: the vault could not take the request, so no person saw it.
 * - `InvalidAnswer`: the answer does not belong to this request.
 * - `RelayFailed`: the relay can't be reached, or its answer makes no sense.
 */
export type HolderErrorCode =
  | TokenErrorCode
  | 'InvalidInput'
  | 'NoGrant'
  | 'TooManyGrants'
  | 'NoKey'
  | 'KeyExposed'
  | 'StoreFailed'
  | 'Unsupported'
  | 'Declined'
  | 'RequestExpired'
  | 'RequestRefused'
  | 'InvalidAnswer'
  | 'RelayFailed'

/** Details of a {@link HolderError}. */
export interface HolderErrorDetails extends ErrorOptions {
  /** CID of the token it is about. */
  readonly cid?: string | undefined
  /** The policy statement that the arguments break, in DAG-JSON. */
  readonly statement?: unknown
  /** Why each candidate grant could not be used, closest first. */
  readonly refusals?: readonly HolderError[]
}

/** A failed operation. Programs compare `code`; the message is for people, and contains no secret. */
export class HolderError extends Error {
  override readonly name = 'HolderError'
  readonly code: HolderErrorCode
  /** CID of the token it is about. */
  readonly cid: string | undefined
  /** The policy statement that the arguments break, in DAG-JSON. */
  readonly statement: unknown
  /** Why each candidate grant could not be used, closest first. */
  readonly refusals: readonly HolderError[]

  constructor(code: HolderErrorCode, message: string, details: HolderErrorDetails = {}) {
    super(message, details)
    this.code = code
    const { cid, statement, refusals = [] } = details
    this.cid = cid
    this.statement = statement
    this.refusals = refusals
  }
}

/** Refuses. @throws HolderError always */
export function refuse(code: HolderErrorCode, message: string, details?: HolderErrorDetails): never {
  throw new HolderError(code, message, details)
}

/** The result of `work`, or its refusal as a value. */
export function attempt<T>(work: () => T): T | HolderError {
  try {
    return work()
  } catch (error) {
    if (error instanceof HolderError) return error
    throw error
  }
}

/** Refuses a token that can't be read. @throws HolderError MalformedToken */
export function malformed(message: string, cid?: string): never {
  refuse('MalformedToken', message, { cid })
}

/** Refuses a wrong argument. @throws HolderError InvalidInput */
export function wrongInput(message: string): never {
  refuse('InvalidInput', message)
}
