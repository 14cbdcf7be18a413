import type { EnclaveAnswer, EnclaveInput, UnlockProofInput } from '@keyhole/enclave'
import { toBase64Url } from '../base/base64url.ts'
import { refused } from '../base/errors.ts'
import type { NewPasskey, PasskeyAnswer } from './passkey.ts'

/** The kinds of unlock methods that there are. */
export type UnlockMethodKind = EnclaveAnswer<'list_unlock_methods'>['methods'][number]['kind']

/** The operation that each method of `unlockMethods` is. The log has those that change something by these names. */
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

/** Those whose refusal the log keeps: all that change how the account opens. */
export const UNLOCK_ACTS: readonly string[] = Object.values(UNLOCK_OPERATIONS).filter(
  (operation) => operation !== 'unlockMethods' && operation !== 'keepRecoveryCode',
)

/** What opens an account, or shows anew that its owner is there: exactly one of the three. */
export type UnlockProof =
  | { readonly passphrase: string }
  | { readonly passkey: PasskeyAnswer }
  | { readonly recoveryCode: string }

/**
 * Does something with what was given, and overwrites the bytes that came from passkeys, whatever came of it: a passkey is
 * asked again for each call.
 *
 * @param given passkeys and proofs, or requests that have one as their `passkey` or `proof`; of anything else nothing is
 * overwritten
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

/** A passkey that is to open the account from now on, in the plugin's shape. @throws VaultError OPERATION_FAILED */
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

/** A passphrase as a proof, for calls that take one or the other. */
export function asUnlockProof(proof: string | UnlockProof): UnlockProof {
  return typeof proof === 'string' ? { passphrase: proof } : proof
}

/** How the proof was given, for the log. */
export function kindOf(proof: UnlockProof): UnlockMethodKind {
  if ('passphrase' in proof) return 'passphrase'
  return 'passkey' in proof ? 'passkey' : 'recovery_code'
}

/** The one form of a passphrase that reaches the enclave, so that two keyboards that compose differently agree. */
export function normalisePassphrase(passphrase: string): string {
  return passphrase.normalize('NFKC')
}

/** A proof in the plugin's shape. @throws VaultError OPERATION_FAILED for a passkey's answer that was used already */
export function unlockProofInput(proof: UnlockProof): UnlockProofInput {
  if ('passphrase' in proof) return { passphrase: normalisePassphrase(proof.passphrase) }
  if ('recoveryCode' in proof) return { recovery_code: proof.recoveryCode }
  const { credential, prf } = proof.passkey
  requirePrf(proof.passkey)
  return { passkey: { credential, prf: toBase64Url(prf) } }
}

/** All zeros is what is left of an answer that has been handed over once. */
function requirePrf({ prf }: PasskeyAnswer): void {
  if (prf.length === 64 && prf.some((byte) => byte !== 0)) return
  throw refused('PasskeyAnswerUsed')
}
