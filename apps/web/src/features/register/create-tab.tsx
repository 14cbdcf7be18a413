import { useVaultSnapshot } from '@keyhole/vault-react'
import { Card } from '../../components/card.tsx'
import { NotLoaded, Opening } from '../account/gate.tsx'
import { CreateForm } from './create-form.tsx'
import { Made } from './made.tsx'
import { useMade } from './use-made.ts'

/** Makes a vault: a name, what opens it, and then what keeps it from being lost. */
export function CreateTab() {
  const { phase } = useVaultSnapshot()
  const [made, setMade] = useMade()
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
