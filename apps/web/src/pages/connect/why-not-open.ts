import type { VaultSnapshot } from '@keyhole/vault'
import { t } from '@lingui/core/macro'

/** Why no vault here can grant anything, besides that it is locked. The card below the request leads on. */
export function whyNotOpen({ phase, accounts, lost }: VaultSnapshot): string | undefined {
  if (phase === 'failed') return t`The vault isn’t loaded, so it can’t grant anything.`
  if (phase !== 'empty') return undefined
  if (accounts.length > 0) return t`Choose a vault to grant it.`
  return lost.length > 0 ? t`Restore your vault to grant it.` : t`Create a vault to grant it.`
}
