import type { TokenError, TokenErrorName } from '@keyhole/enclave'
import type { KeyVaultErrorCode, VaultClientErrorCode, VaultErrorCode } from './codes.ts'
import { type OwnRefusalArgs, type OwnRefusalName, type RefusalArgs, sentenceOf } from './refusals.ts'

export type { KeyVaultErrorCode, VaultClientErrorCode, VaultErrorCode }

/** What an error says besides its code and message. Never a secret. */
export interface VaultErrorDetails {
  /** The plugin's own code, if the client reports OPERATION_FAILED. */
  readonly code?: string
  /** The underlying failure, in words. */
  readonly reason?: string
  /** The refusal's name, for programs: `BackupDamaged`, or the rule that a token broke, such as `Expired`. */
  readonly name?: string
  /** The values in the refusal's sentence. */
  readonly args?: RefusalArgs
  /** CID of the refused token. */
  readonly cid?: string
  /** The storage is full, so nothing was written. */
  readonly quota?: true
  /** Too soon after wrong attempts: when to try again, in milliseconds since 1970. */
  readonly retryAt?: number
  /** The stored account has a newer revision than the one being written. */
  readonly conflict?: true
  /** The store and id of the record. */
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

/** What a refusal carries besides its name and arguments. */
interface Circumstances {
  readonly details?: Omit<VaultErrorDetails, 'name' | 'args'>
  readonly cause?: unknown
}

/**
 * Creates one of the vault's own refusals. The name decides the code and the sentence; `details` gets the name and
 * arguments.
 * @param given the values in its sentence; omit if there are none
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

/** The refusal of a token that the enclave found invalid. Texts and numbers it is about become arguments. */
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

/** Whether something was refused because a token broke a rule. */
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
 * Converts a client error to the key-vault layer's error: the plugin's own code becomes the error's code, and the
 * client's NOT_INITIALIZED becomes VAULT_NOT_INITIALIZED.
 */
export function toKeyVaultError(error: unknown): VaultError {
  if (!(error instanceof VaultError)) {
    // Text from a library or the browser goes into `reason`: it doesn't help a person.
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

/** @returns the refusal of work that was still running when its account was left */
export function leftError(): VaultError {
  return refused('AccountLeft')
}

/** @returns the refusal of an operation that needs an account when none is open */
export function noVault(): VaultError {
  return refused('NoVault')
}
