import { pairingRefused } from './pairing-refusals.ts'

/** What a new device shows, read. */
export interface PairingText {
  /** As it was typed: the enclave checks it. */
  readonly code: string
  /** The relay where the new device waits, if the text says so. */
  readonly relay: string | undefined
  /** The DID of the new device's own key, if it is to be a limited one. */
  readonly did: string | undefined
}

/** What the QR code of a new device carries: its code, the relay where it waits, and its DID if it is to be a limited one. */
export function pairingText(code: string, relay: string, did?: string): string {
  return did === undefined ? `${code} ${relay}` : `${code} ${relay} ${did}`
}

/** The longest text that is read, in characters: a code, and a relay's address. */
const LONGEST_TEXT = 2_000

/**
 * Reads what was scanned, pasted or typed: a code, alone or with a relay's address and a DID.
 * @throws VaultError `PairingCode` if it is too long
 */
export function readPairingText(text: string): PairingText {
  if (text.length > LONGEST_TEXT) throw pairingRefused('PairingCode')
  const words = text.trim().split(/\s+/)
  const isAddress = (word: string) => /^https?:\/\//i.test(word)
  const isDid = (word: string) => /^did:key:z\w+$/.test(word)
  return {
    code: words.filter((word) => !isAddress(word) && !isDid(word)).join(' '),
    relay: words.find(isAddress),
    did: words.find(isDid),
  }
}
