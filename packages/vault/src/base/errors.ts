import type { TokenError, TokenErrorName } from '@keyhole/enclave'
import type { KeyVaultErrorCode, VaultClientErrorCode, VaultErrorCode } from './codes.ts'
import { type OwnRefusalArgs, type OwnRefusalName, type RefusalArgs, sentenceOf } from './refusals.ts'

export type { KeyVaultErrorCode, VaultClientErrorCode, VaultErrorCode }

/** What an error says besides its code and message. Never a secret. */
export interface VaultErrorDetails {
  /** The plugin's own code, where the client reports it as OPERATION_FAILED. */
  readonly code?: string
  /** What went wrong underneath, in words. */
  readonly reason?: string
  /** What is refused, for programs: `BackupDamaged`, or the rule that a token broke, as `Expired`. */
  readonly name?: string
  /** What the refusal is about: the values in its sentence. */
  readonly args?: RefusalArgs
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

/** What goes with a refusal besides its name and its arguments. */
interface Circumstances {
  readonly details?: Omit<VaultErrorDetails, 'name' | 'args'>
  readonly cause?: unknown
}

/**
 * One of the vault's own refusals: its code and its sentence are those of its name, and `details` has the name and the arguments.
 *
 * @param given the values in its sentence; may be left out where there are none
 */
export function refused<Name extends OwnRefusalName>(
  name: Name,
  ...[args, { details, ...options } = {}]: Record<never, never> extends OwnRefusalArgs<Name>
    ? [args?: OwnRefusalArgs<Name>, circumstances?: Circumstances]
    : [args: OwnRefusalArgs<Name>, circumstances?: Circumstances]
): VaultError {
  const given: RefusalArgs = { ...args }
  const { code, message } = sentenceOf(name, given)
  const has = Object.keys(given).length > 0
  return new VaultError(code, message, { ...details, name, ...(has && { args: given }) }, options)
}

/** The refusal of a token that the enclave has checked, and that does not hold; with what it is about, where that is a text or a number. */
export function refusedToken({ name, message, cid, why, expected, found }: TokenError): VaultError {
  const about = Object.entries({ why, expected, found }).filter(
    (entry): entry is [string, string | number] =>
      typeof entry[1] === 'string' || typeof entry[1] === 'number',
  )
  const args: RefusalArgs = Object.fromEntries(about)
  return new VaultError('OPERATION_FAILED', message, {
    name,
    ...(about.length > 0 && { args }),
    ...(cid && { cid }),
  })
}

const TOKEN_RULES: Readonly<Record<TokenErrorName, true>> = {
  MalformedToken: true,
  UnsupportedVersion: true,
  InvalidSignature: true,
  Expired: true,
  TooEarly: true,
  InvalidAudience: true,
  InvalidSubject: true,
  InvalidCommand: true,
  InvalidClaim: true,
  UnavailableProof: true,
  MatchError: true,
  Revoked: true,
  RevocationUnknown: true,
  Replayed: true,
  TooMuchWork: true,
}

/** Whether something was refused for a rule that a token broke. */
export function isAboutToken(error: unknown): boolean {
  return error instanceof VaultError && Object.hasOwn(TOKEN_RULES, error.details?.name ?? '')
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
    return refused('Unexpected', {}, { details: { reason: reasonOf(error) }, cause: error })
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
  return refused('AccountLeft')
}

/** @returns the refusal of every operation that needs an account where there is none */
export function noVault(): VaultError {
  return refused('NoVault')
}
