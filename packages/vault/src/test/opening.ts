import type { CreateRequest } from '../accounts/accounts.ts'
import type { UnlockProof } from '../unlock/unlock-proof.ts'

const CREDENTIAL = 'AQIDBA'

/** A proof for an account of `openedByPasskey`. One each time: its bytes are overwritten once it was used. */
export function passkeyProof(secret = 7): UnlockProof {
  return { passkey: { credential: CREDENTIAL, prf: new Uint8Array(64).fill(secret) } }
}

/**
 * How an account is made where how it opens is not the point: by a passkey and a recovery code, for which no key is derived from a
 * passphrase, which takes a fifth of a second each time.
 */
export function openedByPasskey(
  more: Pick<CreateRequest, 'label' | 'keyType'> = {},
  secret = 7,
): CreateRequest {
  const prf = new Uint8Array(64).fill(secret)
  const passkey = { credential: CREDENTIAL, prf, relyingParty: 'localhost', salt: new Uint8Array(64).fill(1) }
  return { ...more, passkey, recoveryCode: true }
}
