/**
 * - `INVALID_OPTIONS`: the verifier can't be created from these options, or can't do this with them.
 * - `BUSY`: too many tokens are waiting to be checked.
 * - `STORE_FAILED`: the claim store can't answer or has no space.
 * - `REVOCATIONS_UNKNOWN`: the verifier can't know which grants are revoked.
 * - `CHECK_FAILED`: the enclave failed.
 * - `NO_CLUSTER`: no NATS server can be reached, or it refuses the login.
 */
export type VerifyErrorCode =
  | 'INVALID_OPTIONS'
  | 'BUSY'
  | 'STORE_FAILED'
  | 'REVOCATIONS_UNKNOWN'
  | 'CHECK_FAILED'
  | 'NO_CLUSTER'

/** No decision could be made, so nothing was authorized. Answer 503. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError'
  readonly code: VerifyErrorCode

  constructor(code: VerifyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
