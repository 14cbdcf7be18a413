import { useVaultEvent, useVaultSnapshot } from '@keyhole/vault-react'
import { useState } from 'react'
import { Card } from '../../components/card.tsx'
import { NotLoaded, Opening } from '../account/gate.tsx'
import { CreateForm, type Made as MadeVault } from './create-form.tsx'
import { Made } from './made.tsx'

/** Makes a vault: a name, what opens it, and then what keeps it from being lost. */
export function CreateTab() {
  const { phase } = useVaultSnapshot()
  const [made, setMade] = useState<MadeVault>()
  // A code that was not given back is not left on a screen that nobody is at.
  useVaultEvent('vault:locked', ({ address }) => {
    if (made?.recoveryCode !== undefined && made.address === address) {
      setMade({ address: made.address, hidden: true })
    }
  })
  if (phase === 'loading') return <Opening />
  if (phase === 'failed') return <NotLoaded />
  if (made !== undefined) return <Made made={made} />
  return (
    <Card
      title="Create a vault"
      description="In under a minute. Your keys are made here, and sealed behind what only you have."
    >
      <CreateForm onMade={setMade} />
    </Card>
  )
}
