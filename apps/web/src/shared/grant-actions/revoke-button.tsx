import { useVaultSnapshot } from '@keyhole/vault-react'
import { useLingui } from '@lingui/react/macro'
import { lazy, Suspense } from 'react'
import type { ListedToken } from '../tokens/use-tokens.ts'
import { Button } from '../ui/buttons/button.tsx'
import { whyFixed } from '../words/refusals/why-fixed.ts'
import { useAsked } from './use-asked.ts'

const RevokeDialog = lazy(async () => ({ default: (await import('./dialogs.ts')).RevokeDialog }))

interface RevokeButtonProps {
  grants: readonly ListedToken[]
  /** Called once they are revoked. */
  onRevoked?: () => void
  /** Where the focus goes after a revocation removed the button. */
  leadsTo?: () => HTMLElement | null
  /** Where nothing is left to revoke, what the button does instead: it stays the same one, so that the focus stays on it. */
  instead?: { readonly label: string; readonly expanded: boolean; readonly press: () => void } | undefined
}

/** Asks once, then revokes. */
export function RevokeButton({ grants, onRevoked, leadsTo, instead }: RevokeButtonProps) {
  const { t } = useLingui()
  const vault = useVaultSnapshot()
  const { phase } = vault
  const why = phase === 'unlocked' ? whyFixed(vault) : t`Unlock to revoke it`
  const { asked, isOpen, setOpen, ask } = useAsked()
  return (
    <>
      <Button
        size="small"
        why={why}
        disabled={grants.length === 0}
        focusableWhenDisabled
        aria-expanded={instead?.expanded}
        onClick={instead ? instead.press : () => ask(grants)}
      >
        {instead ? instead.label : t`Revoke…`}
      </Button>
      {asked.length > 0 ? (
        <Suspense fallback={null}>
          <RevokeDialog
            grants={asked}
            open={isOpen}
            onOpenChange={setOpen}
            {...(onRevoked && { onRevoked })}
            {...(leadsTo && { leadsTo })}
          />
        </Suspense>
      ) : null}
    </>
  )
}
