import type { VaultSnapshot } from '@keyhole/vault'
import { t } from '@lingui/core/macro'

/** Why nothing in the open vault can be changed. Undefined if it can be. */
export function whyFixed({ fromCopy }: VaultSnapshot): string | undefined {
  return fromCopy ? t`You can’t change a vault that is open from its second copy.` : undefined
}
