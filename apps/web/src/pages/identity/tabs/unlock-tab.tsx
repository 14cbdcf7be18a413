import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Lock } from 'lucide-react'
import { Gate } from '../../../features/account/gate.tsx'
import { AutoLockCard } from '../../../features/unlock/auto-lock-card.tsx'
import { KIND_PARTS } from '../../../features/unlock/kind-parts.tsx'
import { MethodsCard } from '../../../features/unlock/methods-card.tsx'
import { announce } from '../../../shared/browser/announce.ts'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'

/** How the vault opens and closes: its unlock methods, when it locks by itself, and locking it now. */
export function UnlockTab() {
  const { t } = useLingui()
  return (
    <Gate need="unlocked" purpose={t`change how it unlocks`}>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <MethodsCard />
          <KindCards beside={false} />
          <AutoLockCard />
          <LockNow />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <KindCards beside />
        </div>
      </div>
    </Gate>
  )
}

/** The cards of the kinds that have one, of one of the two columns. */
function KindCards({ beside }: { beside: boolean }) {
  const parts = Object.entries(KIND_PARTS).filter(([, kind]) => (kind.beside ?? false) === beside)
  return parts.map(([kind, { Card }]) => (Card ? <Card key={kind} /> : null))
}

function LockNow() {
  const { t } = useLingui()
  const vault = useVault()
  const lock = useAction(async () => {
    await vault.lock()
    announce(t`Locked`, t`In every tab of this browser.`)
  })
  return (
    <Card
      title={t`Lock now`}
      description={t`Wipes the keys from memory, in every tab. Closing or reloading the last tab does the same.`}
    >
      <div className="flex flex-col gap-4">
        <Failure error={lock.error} />
        <Button
          onClick={() => lock.run()}
          busy={lock.pending}
          icon={<Lock className="size-4" aria-hidden />}
          className="self-start"
        >
          <Trans>Lock the vault</Trans>
        </Button>
      </div>
    </Card>
  )
}
