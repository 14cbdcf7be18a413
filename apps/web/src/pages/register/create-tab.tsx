import { useVaultSnapshot } from '@keyhole/vault-react'
import { useLingui } from '@lingui/react/macro'
import { NotLoaded } from '../../features/account/not-loaded.tsx'
import { Opening } from '../../features/account/opening.tsx'
import { useSetup } from '../../features/account/setup.ts'
import { Card } from '../../shared/ui/layout/card.tsx'
import { isOpening } from '../../shared/vault/is-opening.ts'
import { CreateForm } from './create-form.tsx'
import { Made } from './made.tsx'
import { Steps } from './steps.tsx'

/** Makes a vault: a name, what opens it, and then what keeps it from being lost. */
export function CreateTab() {
  const { t } = useLingui()
  const { phase, accounts } = useVaultSnapshot()
  const setup = useSetup()
  if (isOpening(phase)) return <Opening />
  if (phase === 'failed') return <NotLoaded />
  const isStored = accounts.some(({ address }) => address === setup?.address)
  if (setup?.tab === 'create' && isStored) return <Made setup={setup} />
  return (
    <div className="flex flex-col gap-6">
      <Steps
        steps={[
          { words: t`Make it`, state: 'now' },
          { words: t`Recovery code`, state: 'ahead' },
          { words: t`Backup`, state: 'ahead' },
        ]}
      />
      <Card
        title={t`Create a vault`}
        description={t`In under a minute. Your keys are made here, and sealed behind what only you have.`}
      >
        <CreateForm />
      </Card>
    </div>
  )
}
