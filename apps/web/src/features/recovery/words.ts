import type { VaultSnapshot } from '@keyhole/vault'

/** An account that was here and whose database is gone. */
export type Lost = VaultSnapshot['lost'][number]

/** What is left of a lost account and what is gone, plainly. */
export function lostWords({ mirror, tokens }: Pick<Lost, 'mirror' | 'tokens'>): {
  tone: 'good' | 'warn' | 'bad'
  title: string
  text: string
} {
  const held = tokens ? (tokens === 1 ? ', one token' : `, ${tokens} tokens`) : ''
  switch (mirror) {
    case 'whole':
      return {
        tone: 'good',
        title: 'A second copy is here, and it is whole.',
        text: `Your keys${held} and everything else up to the last change can be put back from it. It opens as before.`,
      }
    case 'partial':
      return {
        tone: 'warn',
        title: 'A second copy is here, and a part of it is damaged.',
        text: `Your keys${held} and whatever else can be read can be put back. Tokens and names that cannot be read are gone from this browser; a backup file may have them: restore the copy first, then merge the backup in.`,
      }
    case 'none':
      return {
        tone: 'bad',
        title: 'Nothing of it is left in this browser.',
        text: 'Its keys and all it held are gone here. A backup file brings back everything up to the day it was written. Without one, nobody can: not by the passphrase, not by a passkey.',
      }
  }
}

/** What a restore brought back. */
export function restoredWords({ tokens, unreadable }: { tokens: number; unreadable: number }): string {
  const back = tokens === 1 ? 'Your keys and one token are back.' : `Your keys and ${tokens} tokens are back.`
  if (unreadable === 0) return `${back} Unlock the vault as before.`
  const lost = unreadable === 1 ? 'One record could not be read' : `${unreadable} records could not be read`
  return `${back} ${lost}: merge a backup in to fill the gaps.`
}
