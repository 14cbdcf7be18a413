import { useVaultSnapshot } from '@keyhole/vault-react'
import { NotLoaded } from '../../features/account/not-loaded.tsx'
import { Opening } from '../../features/account/opening.tsx'
import { useSetup } from '../../features/account/setup.ts'
import { isOpening } from '../../shared/vault/is-opening.ts'
import { useIsNew } from '../../shared/vault/use-is-new.ts'
import { NewVault } from './new-vault.tsx'
import { Made } from './steps/made.tsx'

/** Makes a vault, one step a screen: its name, how it is unlocked, then what keeps it from being lost. */
export function CreateTab() {
  const { phase, accounts } = useVaultSnapshot()
  const setup = useSetup()
  const isNew = useIsNew()
  if (isOpening(phase) && !isNew) return <Opening />
  if (phase === 'failed') return <NotLoaded />
  const isStored = accounts.some(({ address }) => address === setup?.address)
  if (setup?.tab === 'create' && isStored) return <Made setup={setup} />
  return <NewVault />
}
