import type { KeyVault, UnlockProof } from '@keyhole/vault'

/** How long the proof that created a vault also counts for its first backup, in milliseconds. */
export const RECENT = 5 * 60_000

/** A remembered proof. Its secret is ciphertext under a key that no script can read. */
interface Kept {
  readonly address: string
  readonly until: number
  readonly key: CryptoKey
  readonly nonce: Uint8Array<ArrayBuffer>
  readonly sealed: ArrayBuffer
  /** For a passkey. Without it, the proof is a passphrase. */
  readonly credential?: string
}

let kept: Kept | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let unhear: (() => void) | undefined

/** A sealed proof, to remember once its account exists. */
export type SealedProof = Omit<Kept, 'address' | 'until'>

/** Seals a proof before the vault takes and overwrites it. Never used for the recovery code. */
export async function sealProof(proof: Exclude<UnlockProof, { recoveryCode: string }>): Promise<SealedProof> {
  const isPasskey = 'passkey' in proof
  const secret = isPasskey ? proof.passkey.prf.slice() : new TextEncoder().encode(proof.passphrase)
  try {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ])
    const nonce = crypto.getRandomValues(new Uint8Array(12))
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, secret)
    return { key, nonce, sealed, ...(isPasskey && { credential: proof.passkey.credential }) }
  } finally {
    secret.fill(0)
  }
}

/** Remembers the proof that an account was created with, for at most five minutes, until the account locks or this tab leaves it. */
export function keepProof(
  vault: Pick<KeyVault, 'subscribe' | 'getSnapshot'>,
  address: string,
  sealed: SealedProof,
): void {
  forgetProof()
  kept = { ...sealed, address, until: Date.now() + RECENT }
  timer = setTimeout(forgetProof, RECENT)
  unhear = vault.subscribe(() => {
    const now = vault.getSnapshot()
    if (now.phase !== 'unlocked' || now.address !== address) forgetProof()
  })
}

/** Whether an account was created here so recently that its proof is still known. */
export function hasRecentProof(address: string | undefined): boolean {
  // Timers don't run while the machine sleeps, and a clock that was set back would keep the proof for longer.
  const left = kept && kept.until - Date.now()
  if (left !== undefined && (left <= 0 || left > RECENT)) forgetProof()
  return kept !== undefined && kept.address === address
}

/** The proof that an account was created with. Undefined once forgotten. The vault overwrites what it can of it. */
export async function recentProof(address: string | undefined): Promise<UnlockProof | undefined> {
  if (!hasRecentProof(address) || !kept) return undefined
  const { key, nonce, sealed, credential } = kept
  const secret = new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, key, sealed))
  if (credential !== undefined) return { passkey: { credential, prf: secret } }
  const passphrase = new TextDecoder().decode(secret)
  secret.fill(0)
  return { passphrase }
}

export function forgetProof(): void {
  clearTimeout(timer)
  unhear?.()
  unhear = undefined
  kept = undefined
}
