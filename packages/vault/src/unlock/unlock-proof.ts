import type { EnclaveAnswer, EnclaveInput, UnlockProofInput } from '@keyhole/enclave'
import { toBase64Url } from '../base/base64url.ts'
import { refused } from '../base/errors.ts'
import type { NewPasskey, PasskeyAnswer } from './passkey.ts'

/** The kinds of unlock methods. */
export type UnlockMethodKind = EnclaveAnswer<'list_unlock_methods'>['methods'][number]['kind']

/**
 * The operation behind each method of `unlockMethods`. The log records those that change something under these names.
 */
export const UNLOCK_OPERATIONS = {
  list: 'unlockMethods',
  changePassphrase: 'changePassphrase',
  setPassphrase: 'setPassphrase',
  addPasskey: 'addPasskey',
  newRecoveryCode: 'newRecoveryCode',
  recoveryCodeConfirmed: 'unlockMethods',
  confirmRecoveryCode: 'keepRecoveryCode',
  remove: 'removeUnlockMethod',
  label: 'labelUnlockMethod',
} as const

/** Operations whose refusal the log records: all that change how the account is unlocked. */
export const UNLOCK_ACTS: readonly string[] = Object.values(UNLOCK_OPERATIONS).filter(
  (operation) => operation !== 'unlockMethods' && operation !== 'keepRecoveryCode',
)

/** Unlocks an account, or proves again that its owner is present: exactly one of the three. */
export type UnlockProof =
  | { readonly passphrase: string }
  | { readonly passkey: PasskeyAnswer }
  | { readonly recoveryCode: string }

/**
 * Runs `work`, then overwrites the secret bytes of passkeys in `given`, even if it failed. A passkey is asked again for
 * each call.
 * @param given passkeys and proofs, or requests with one as their `passkey` or `proof`; anything else is left alone
 */
export async function overwriting<T>(given: readonly unknown[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    for (const each of given) for (const prf of prfsIn(each)) prf.fill(0)
  }
}

function prfsIn(given: unknown): Uint8Array[] {
  if (typeof given !== 'object' || given === null) return []
  const prf: unknown = Reflect.get(given, 'prf')
  const inner = [Reflect.get(given, 'passkey'), Reflect.get(given, 'proof')]
  return [...(prf instanceof Uint8Array ? [prf] : []), ...inner.flatMap(prfsIn)]
}

/** A new passkey in the plugin's shape. @throws VaultError OPERATION_FAILED */
export function passkeyInput(passkey: NewPasskey): EnclaveInput<'add_passkey'>['passkey'] {
  const { credential, relyingParty, salt, prf, label } = passkey
  requirePrf(passkey)
  return {
    credential,
    relying_party: relyingParty,
    salt: toBase64Url(salt),
    prf: toBase64Url(prf),
    ...(label?.trim() && { label: label.trim() }),
  }
}

/** Turns a passphrase into a proof, for calls that take either. */
export function asUnlockProof(proof: string | UnlockProof): UnlockProof {
  return typeof proof === 'string' ? { passphrase: proof } : proof
}

/** The kind of proof, for the log. */
export function kindOf(proof: UnlockProof): UnlockMethodKind {
  if ('passphrase' in proof) return 'passphrase'
  return 'passkey' in proof ? 'passkey' : 'recovery_code'
}

/**
 * The form of a passphrase that reaches the enclave, so that keyboards that compose characters differently give the
 * same result.
 */
export function normalisePassphrase(passphrase: string): string {
  return passphrase.normalize('NFKC')
}

/** A proof in the plugin's shape. @throws VaultError OPERATION_FAILED if the passkey's answer was used before */
export function unlockProofInput(proof: UnlockProof): UnlockProofInput {
  if ('passphrase' in proof) return { passphrase: normalisePassphrase(proof.passphrase) }
  if ('recoveryCode' in proof) return { recovery_code: proof.recoveryCode }
  const { credential, prf } = proof.passkey
  requirePrf(proof.passkey)
  return { passkey: { credential, prf: toBase64Url(prf) } }
}

/** An answer that was already used is all zeros. */
function requirePrf({ prf }: PasskeyAnswer): void {
  if (prf.length === 64 && prf.some((byte) => byte !== 0)) return
  throw refused('PasskeyAnswerUsed')
}
