import type { Refusal } from './types.ts'

/** What can go wrong between a caller and the plugin. */
export type EnclaveErrorCode = 'WASM_NOT_LOADED' | 'TIMEOUT' | 'OPERATION_FAILED'

/** A failure to load, start or reach the plugin. The plugin's own refusals are values: `Refusal`. */
export class EnclaveError extends Error {
  override readonly name = 'EnclaveError'
  readonly code: EnclaveErrorCode
  /** Details for programs; never a secret. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: EnclaveErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.details = details
  }
}

/** Whether a call's result is a refusal by the plugin. */
export function isRefusal(value: unknown): value is Refusal {
  return (
    typeof value === 'object' &&
    value !== null &&
    'error' in value &&
    typeof value.error === 'string' &&
    'code' in value &&
    typeof value.code === 'string'
  )
}

/**
 * The answer of a call. @throws EnclaveError OPERATION_FAILED for a refusal, with its text, and its code, `name` and
 * `cid` in `details`
 */
export function answerOf<Answer>(result: Answer | Refusal): Answer {
  if (!isRefusal(result)) return result
  const { error, ...details } = result
  throw new EnclaveError('OPERATION_FAILED', error, details)
}

/** The message of a thrown value. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
