import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense } from 'react'
import type { ListedToken } from '../tokens/use-tokens.ts'
import { Button } from '../ui/buttons/button.tsx'
import { whyFixed } from '../words/refusals/why-fixed.ts'
import { useAsked } from './use-asked.ts'

const RenewDialog = lazy(async () => ({ default: (await import('./dialogs.ts')).RenewDialog }))

/** Signs grants again with a later end. */
export function RenewButton({ grants }: { grants: readonly ListedToken[] }) {
  const { t } = useLingui()
  const vault = useVaultSnapshot()
  const { phase } = vault
  const why = phase === 'unlocked' ? whyFixed(vault) : t`Unlock to renew it`
  const { asked, isOpen, setOpen, ask } = useAsked()
  return (
    <>
      <Button
        size="small"
        why={why}
        disabled={grants.length === 0}
        focusableWhenDisabled
        onClick={() => ask(grants)}
      >
        <Trans>Renew…</Trans>
      </Button>
      {asked.length > 0 ? (
        <Suspense fallback={null}>
          <RenewDialog grants={asked} open={isOpen} onOpenChange={setOpen} />
        </Suspense>
      ) : null}
    </>
  )
}
