import type { CreateRequest } from '../accounts/accounts.ts'
import type { UnlockProof } from '../unlock/unlock-proof.ts'

const CREDENTIAL = 'AQIDBA'

/** A proof for an account of `openedByPasskey`. Make a new one each time: its bytes are overwritten after use. */
export function passkeyProof(secret = 7): UnlockProof {
  return { passkey: { credential: CREDENTIAL, prf: new Uint8Array(64).fill(secret) } }
}

/**
 * How tests create an account when unlocking isn't the point: with a passkey and a recovery code, which skips deriving
 * a key from a passphrase (a fifth of a second each time).
 */
export function openedByPasskey(
  more: Pick<CreateRequest, 'label' | 'keyType'> = {},
  secret = 7,
): CreateRequest {
  const prf = new Uint8Array(64).fill(secret)
  const passkey = { credential: CREDENTIAL, prf, relyingParty: 'localhost', salt: new Uint8Array(64).fill(1) }
  return { ...more, passkey, recoveryCode: true }
}
