import { toBase64Url } from '../base/base64url.ts'
import { VaultError } from '../base/errors.ts'
import type { NewPasskey, PasskeyAnswer } from './passkey.ts'
import { normalisePassphrase } from './passphrase.ts'

/** What opens an account, or shows anew that its owner is there: exactly one of the three. */
export type Proof =
  | { readonly passphrase: string }
  | { readonly passkey: PasskeyAnswer }
  | { readonly recoveryCode: string }

/**
 * Does something with secrets that came from passkeys, and overwrites their bytes, whatever came of it: a passkey is
 * asked again for each call.
 */
export async function overwriting<T>(
  secrets: readonly (Proof | NewPasskey | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } finally {
    for (const secret of secrets) {
      if (secret === undefined) continue
      if ('passkey' in secret) secret.passkey.prf.fill(0)
      else if ('prf' in secret) secret.prf.fill(0)
    }
  }
}

/** A passkey that is to open the account from now on, in the plugin's shape. @throws VaultError OPERATION_FAILED */
export function passkeyInput(passkey: NewPasskey): object {
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
export function asProof(proof: string | Proof): Proof {
  return typeof proof === 'string' ? { passphrase: proof } : proof
}

/** How the proof was given, for the log. */
export function kindOf(proof: Proof): 'passphrase' | 'passkey' | 'recovery_code' {
  if ('passphrase' in proof) return 'passphrase'
  return 'passkey' in proof ? 'passkey' : 'recovery_code'
}

/** A proof in the plugin's shape. @throws VaultError OPERATION_FAILED for a passkey's answer that was used already */
export function proofInput(proof: Proof): object {
  if ('passphrase' in proof) return { passphrase: normalisePassphrase(proof.passphrase) }
  if ('recoveryCode' in proof) return { recovery_code: proof.recoveryCode }
  const { credential, prf } = proof.passkey
  requirePrf(proof.passkey)
  return { passkey: { credential, prf: toBase64Url(prf) } }
}

/** All zeros is what is left of an answer that has been handed over once. */
function requirePrf({ prf }: PasskeyAnswer): void {
  if (prf.length === 64 && prf.some((byte) => byte !== 0)) return
  throw new VaultError(
    'OPERATION_FAILED',
    'This passkey answer has been used already. Ask the passkey again.',
  )
}
