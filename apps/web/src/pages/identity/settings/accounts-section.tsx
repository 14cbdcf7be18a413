import { useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../../shared/ui/buttons/button-class.ts'

/** How many vaults there are, and the ways to all of them and to another one. */
export function AccountsSection() {
  const { accounts } = useVaultSnapshot()
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-soft text-sm">
        <Plural
          value={accounts.length}
          _0="There is no vault in this browser yet."
          one="There is # vault in this browser."
          other="There are # vaults in this browser."
        />{' '}
        {accounts.length > 1 ? <Trans>One is open at a time.</Trans> : null}
      </p>
      <div className="flex flex-wrap gap-2">
        <Link to="/register" search={{ tab: 'accounts' }} className={buttonClass('quiet', 'small')}>
          <Trans>Manage vaults</Trans>
        </Link>
        <Link to="/register" search={{ tab: 'create' }} className={buttonClass('bare', 'small')}>
          <Trans>Create another vault</Trans>
        </Link>
        <Link to="/register" search={{ tab: 'restore' }} className={buttonClass('bare', 'small')}>
          <Trans>Restore a vault</Trans>
        </Link>
      </div>
    </div>
  )
}
