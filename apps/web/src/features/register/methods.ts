/** How a new vault opens. */
export type Opening = 'passphrase' | 'passkey' | 'both'

export const OPENINGS: readonly { value: Opening; label: string; note: string }[] = [
  { value: 'passphrase', label: 'Passphrase', note: 'Words that you know. Works on any device.' },
  { value: 'passkey', label: 'Passkey', note: 'A finger, a face or a security key. Nothing to type.' },
  { value: 'both', label: 'Both', note: 'Either one opens it.' },
]
