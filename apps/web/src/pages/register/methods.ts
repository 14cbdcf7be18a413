import { t } from '@lingui/core/macro'

/** How a new vault is unlocked. */
export type Opening = 'passkey' | 'passphrase' | 'both'

const OPENINGS: readonly Opening[] = ['passkey', 'passphrase', 'both']

/** Tells a stored choice from anything else. */
export function isOpening(value: unknown): value is Opening {
  return OPENINGS.some((each) => each === value)
}

/** What is chosen before anyone chooses: a passkey, in a browser that has them. */
export function firstOpening(): Opening {
  return typeof globalThis.PublicKeyCredential === 'function' ? 'passkey' : 'passphrase'
}

/** The ways to unlock a new vault, in words. */
export function openings(): { value: Opening; label: string; note: string }[] {
  return [
    { value: 'passkey', label: t`Passkey`, note: t`Your face, your fingerprint or a security key.` },
    { value: 'passphrase', label: t`Passphrase`, note: t`Words you know. Works on any device.` },
    { value: 'both', label: t`Both`, note: t`Either one unlocks it.` },
  ]
}
