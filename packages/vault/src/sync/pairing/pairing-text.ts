/** What a new device shows, read. */
export interface PairingText {
  /** As it was typed: the enclave checks it. */
  readonly code: string
  /** The relay where the new device waits, if the text says so. */
  readonly relay: string | undefined
}

/** What the QR code of a new device carries: its code, and the relay where it waits. */
export function pairingText(code: string, relay: string): string {
  return `${code} ${relay}`
}

/** Reads what was scanned, pasted or typed: a code, alone or with a relay's address. */
export function readPairingText(text: string): PairingText {
  const words = text.trim().split(/\s+/)
  const isAddress = (word: string) => /^https?:\/\//i.test(word)
  return { code: words.filter((word) => !isAddress(word)).join(' '), relay: words.find(isAddress) }
}
