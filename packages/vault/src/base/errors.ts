import type { VaultErrorCode as KeyVaultErrorCode } from '@keyhole/enclave'

/** The nine codes of the key-vault layer: those that the plugin's refusals carry. */
export type { KeyVaultErrorCode }

/** The three codes of the vault client. */
export type VaultClientErrorCode = 'WASM_NOT_LOADED' | 'NOT_INITIALIZED' | 'OPERATION_FAILED'

export type VaultErrorCode = KeyVaultErrorCode | VaultClientErrorCode

/** What an error says besides its code and message. Never a secret. */
export interface VaultErrorDetails {
  /** The plugin's own code, where the client reports it as OPERATION_FAILED. */
  readonly code?: string
  /** What went wrong underneath, in words. */
  readonly reason?: string
  /** The token refusal's name: MalformedToken, Expired, InvalidSignature, … */
  readonly name?: string
  /** CID of the token that a refusal is about. */
  readonly cid?: string
  /** The storage is full, so nothing was written. */
  readonly quota?: true
  /** Too soon after wrong attempts: when to try again, in milliseconds since 1970. */
  readonly retryAt?: number
  /** A newer revision of the account was found where this one was to be written. */
  readonly conflict?: true
  /** The store and id of the record that an error is about. */
  readonly store?: string
  readonly id?: string
}

/** Every refusal and failure of the vault: a literal code, a message that a person can act on, and never a secret. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
  readonly code: VaultErrorCode
  readonly details: VaultErrorDetails | undefined

  constructor(code: VaultErrorCode, message: string, details?: VaultErrorDetails, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.details = details
  }
}

const KEY_VAULT_CODES: ReadonlySet<string> = new Set<KeyVaultErrorCode>([
  'VAULT_NOT_INITIALIZED',
  'VAULT_ALREADY_INITIALIZED',
  'VAULT_LOCKED',
  'KEY_NOT_FOUND',
  'INVALID_KEY_TYPE',
  'OPERATION_FAILED',
  'INVALID_PASSPHRASE',
  'WASM_NOT_LOADED',
  'TIMEOUT',
])

function isKeyVaultCode(code: string | undefined): code is KeyVaultErrorCode {
  return code !== undefined && KEY_VAULT_CODES.has(code)
}

/** What a thrown value says, in words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * The error that the key-vault layer raises for one that the client raised: the plugin's own code comes to the
 * front, and the client's NOT_INITIALIZED is VAULT_NOT_INITIALIZED.
 */
export function toKeyVaultError(error: unknown): VaultError {
  if (!(error instanceof VaultError)) {
    // What a library or the browser says is for programs: no person is helped by it.
    const message = 'Something failed that should not have. Try again, and reload the page if it goes on.'
    return new VaultError('OPERATION_FAILED', message, { reason: reasonOf(error) }, { cause: error })
  }
  if (error.code === 'NOT_INITIALIZED') {
    return new VaultError('VAULT_NOT_INITIALIZED', error.message, error.details, { cause: error })
  }
  const { details } = error
  if (error.code === 'WASM_NOT_LOADED') {
    const code = details?.code === 'TIMEOUT' ? 'TIMEOUT' : 'WASM_NOT_LOADED'
    return new VaultError(code, details?.reason ?? error.message, details, { cause: error })
  }
  if (!isKeyVaultCode(details?.code) || details.code === error.code) return error
  return new VaultError(details.code, details.reason ?? error.message, details, { cause: error })
}

/** @returns the refusal of what was still at work on an account that has been left */
export function leftError(): VaultError {
  return new VaultError(
    'OPERATION_FAILED',
    'The account was left before this was done. Nothing was changed: open it again, then repeat.',
  )
}

/** @returns the refusal of every operation that needs an account where there is none */
export function noVault(): VaultError {
  return new VaultError(
    'VAULT_NOT_INITIALIZED',
    'There is no vault open here. Create one, open one, or restore one from a backup.',
  )
}
