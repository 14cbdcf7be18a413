import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useState } from 'react'
import { activeGrants } from '../../shared/grant-actions/revoke-all.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { type ListedToken, useTokenPage } from '../../shared/tokens/use-tokens.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'

const RevokeDialog = lazy(async () => ({
  default: (await import('../../shared/grant-actions/dialogs.ts')).RevokeDialog,
}))

interface RevokeContactProps {
  /** The contact's name, in words. */
  name: string
  dids: readonly string[]
  /** Called with the CIDs of what was revoked. */
  onRevoked: (cids: readonly string[]) => void
  /** Where the focus goes then. */
  leadsTo: () => HTMLElement | null
}

/** Revokes all that a contact holds of this account, after saying who loses what. Nothing where it holds nothing. */
export function RevokeContact({ name, dids, onRevoked, leadsTo }: RevokeContactProps) {
  const { t } = useLingui()
  const vault = useVaultSnapshot()
  const { phase } = vault
  const why = whyFixed(vault)
  const [isOpen, setOpen] = useState(false)
  const [grants, setGrants] = useState<readonly ListedToken[]>([])
  const { total } = useTokenPage({ list: 'given', live: true, people: dids, limit: 1 })
  const ask = useAction(async () => {
    setGrants(await activeGrants(dids, Date.now()))
    setOpen(true)
  })
  if (total === 0 && !isOpen) return null
  return (
    <>
      <Failure error={ask.error} />
      <Button
        size="small"
        tone="danger"
        why={why}
        disabled={phase !== 'unlocked'}
        busy={ask.pending}
        onClick={() => ask.run()}
      >
        <Trans>Revoke everything…</Trans>
      </Button>
      {why === undefined ? null : <p className="text-ink-soft text-sm">{why}</p>}
      {grants.length === 0 ? null : (
        <Suspense fallback={null}>
          <RevokeDialog
            grants={grants}
            open={isOpen}
            onOpenChange={setOpen}
            title={t`Revoke everything for ${name}?`}
            action={t`Revoke everything`}
            onRevoked={() => onRevoked(grants.map(({ cid }) => cid))}
            leadsTo={leadsTo}
          />
        </Suspense>
      )}
    </>
  )
}
