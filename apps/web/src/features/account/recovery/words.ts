import type { VaultSnapshot } from '@keyhole/vault'
import { plural, t } from '@lingui/core/macro'

/** An account that was here and whose database is gone. */
export type Lost = VaultSnapshot['lost'][number]

/** What is left of a lost account and what is gone, plainly. */
export function lostWords({ mirror, tokens = 0, noAnswer }: Pick<Lost, 'mirror' | 'tokens' | 'noAnswer'>): {
  tone: 'good' | 'warn' | 'bad'
  title: string
  text: string
} {
  if (noAnswer)
    return {
      tone: 'warn',
      title: t`It may be whole.`,
      text: t`Close other tabs of Keyhole, or restart the browser. Then look again.`,
    }
  switch (mirror) {
    case 'whole':
      return {
        tone: 'good',
        title: t`The second copy is here, and complete.`,
        text: plural(tokens, {
          0: 'Your keys and everything else up to the last change can be put back from it. The vault unlocks as before.',
          one: 'Your keys, one token and everything else up to the last change can be put back from it. The vault unlocks as before.',
          other:
            'Your keys, # tokens and everything else up to the last change can be put back from it. The vault unlocks as before.',
        }),
      }
    case 'partial':
      return {
        tone: 'warn',
        title: t`The second copy is here, but part of it is damaged.`,
        text: plural(tokens, {
          0: 'Your keys and whatever else can be read can be put back. Tokens and names that can’t be read are gone from this browser. A backup file may have them. Restore the copy first, then merge the backup in.',
          one: 'Your keys, one token and whatever else can be read can be put back. Tokens and names that can’t be read are gone from this browser. A backup file may have them. Restore the copy first, then merge the backup in.',
          other:
            'Your keys, # tokens and whatever else can be read can be put back. Tokens and names that can’t be read are gone from this browser. A backup file may have them. Restore the copy first, then merge the backup in.',
        }),
      }
    case 'none':
      return {
        tone: 'bad',
        title: t`Nothing of it is left in this browser.`,
        text: t`It’s gone from this browser. A backup file or another device of yours can bring it back. A passphrase or passkey alone can’t.`,
      }
  }
}

/** What a restore brought back. */
export function restoredWords({ tokens, unreadable }: { tokens: number; unreadable: number }): string {
  const back = plural(tokens, {
    0: 'Your keys are back.',
    one: 'Your keys and one token are back.',
    other: 'Your keys and # tokens are back.',
  })
  const then =
    unreadable === 0
      ? t`Unlock the vault as before.`
      : plural(unreadable, {
          one: 'One record could not be read: merge a backup in to fill the gaps.',
          other: '# records could not be read: merge a backup in to fill the gaps.',
        })
  return `${back} ${then}`
}
