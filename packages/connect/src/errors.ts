/** Refusals by the person or the vault. */
export const REFUSALS = ['DECLINED', 'INVALID_REQUEST', 'TOO_BROAD', 'UNSUPPORTED'] as const

/** A refusal that comes from the vault. */
export type RefusalCode = (typeof REFUSALS)[number]

/**
 * Why there is no usable answer.
 * - `DECLINED`: the person said no.
 * - `INVALID_REQUEST`: the request isn't valid, so no one was asked. The message says which field.
 * - `TOO_BROAD`: no vault grants that on request: `/`, or authority over revocations.
 * - `UNSUPPORTED`: the vault does not know this kind of request, or uses another version.
 * - `BLOCKED`: the browser did not open the window. Ask from a click.
 * - `CLOSED`: the window was closed, or its opener is cut off (a page with `Cross-Origin-Opener-Policy: same-origin`).
 * - `TIMEOUT`: no one decided in time.
 */
export type ConnectErrorCode = RefusalCode | 'BLOCKED' | 'CLOSED' | 'TIMEOUT'

/** A failed request. The message can be shown to a person, and reveals nothing about their vault. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError'
  readonly code: ConnectErrorCode

  constructor(code: ConnectErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
