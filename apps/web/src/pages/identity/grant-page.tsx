import type { StoredToken } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Gate } from '../../features/account/gate.tsx'
import { GrantDetails } from '../../features/grants/grant-details.tsx'
import { narrowing } from '../../features/grants/narrowing.ts'
import { invokeFormKey } from '../../features/received/invoke-form-key.ts'
import { requestForm } from '../../shared/hooks/requested-forms.ts'
import { useRevoked, useToken } from '../../shared/tokens/use-tokens.ts'
import { BackButton } from '../../shared/ui/buttons/back-button.tsx'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Skeleton } from '../../shared/ui/feedback/skeleton.tsx'
import { EmptyState } from '../../shared/ui/layout/empty-state.tsx'
import { useVaultQuery } from '../../shared/vault/vault-query.ts'
import type { IdentitySearch } from './search-params.ts'

interface GrantPageProps {
  /** CID of the grant. */
  cid: string
  /** The list that it belongs to. */
  list: 'grants' | 'received'
  /** Puts what is looked at into the address; the tab stays. */
  onSearchChange: (search: Omit<IdentitySearch, 'tab'>) => void
}

/** A grant by its address, given or received. It can be read while the vault is locked. */
export function GrantPage({ cid, list, onSearchChange }: GrantPageProps) {
  const { t } = useLingui()
  const { loading, token } = useToken(cid)
  const leave = () => onSearchChange({})
  const shown = {
    onNarrow: () => {
      onSearchChange({ narrow: cid })
      requestForm(narrowing(cid))
    },
    onUse: () => {
      onSearchChange({ use: cid })
      requestForm(invokeFormKey(cid))
    },
    onRemoved: leave,
  }
  return (
    <Gate need="account" purpose={t`see this grant`}>
      <div className="flex flex-col gap-6">
        <BackButton onClick={leave}>
          {list === 'grants' ? <Trans>All grants</Trans> : <Trans>All received</Trans>}
        </BackButton>
        {token ? (
          <GrantDetails stored={token} {...shown} />
        ) : loading ? (
          <Skeleton />
        ) : (
          <Gate need="unlocked" purpose={t`see grants that have expired`}>
            <Expired cid={cid} onLeave={leave} shown={shown} />
          </Gate>
        )}
      </div>
    </Gate>
  )
}

interface ExpiredProps {
  cid: string
  onLeave: () => void
  shown: Omit<React.ComponentProps<typeof GrantDetails>, 'stored'>
}

/** A grant that expired: the vault keeps it sealed for 90 days. */
function Expired({ cid, onLeave, shown }: ExpiredProps) {
  const { t } = useLingui()
  const vault = useVault()
  const [revoked] = useRevoked([cid])
  const { data, failed } = useVaultQuery<StoredToken[]>('ended-tokens', () => vault.tokens.ended())
  const token = data?.find((each) => each.cid === cid)
  if (token) return <GrantDetails stored={{ ...token, revoked: revoked !== undefined }} {...shown} />
  if (failed) return <Failure error={failed} />
  if (data === undefined) return <Skeleton />
  return (
    <EmptyState
      title={t`This grant isn’t in this vault`}
      actions={
        <Button onClick={onLeave}>
          <Trans>See all grants</Trans>
        </Button>
      }
    >
      <Trans>It may be in another vault, or it was removed.</Trans>
    </EmptyState>
  )
}
