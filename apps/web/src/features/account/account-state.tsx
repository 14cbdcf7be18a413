import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Plus, Settings2 } from 'lucide-react'
import { isVaultKnown } from '../../shared/browser/known-vault.ts'
import { buttonClass } from '../../shared/ui/buttons/button-class.ts'
import { CurrentAccount } from './current-account.tsx'

/** The account in the client's header: the one at hand, or the way to the first. */
export function AccountState() {
  const { phase, lost, ended } = useVaultSnapshot()
  switch (phase) {
    case 'uninitialized':
    case 'loading':
      // Until it is known which, a browser that has never had a vault is taken for a new one.
      return isVaultKnown() ? (
        <span className="text-ink-faint text-sm">
          <Trans>Opening…</Trans>
        </span>
      ) : (
        <Create />
      )
    case 'failed':
      return (
        <span className="font-medium text-bad text-sm">
          <Trans>Not loaded</Trans>
        </span>
      )
    case 'empty':
      // The page says so, and leads back.
      if (ended !== undefined) return null
      // Someone who has lost a vault isn't a new visitor.
      return lost.length > 0 ? (
        <Link to="/" className={buttonClass('primary', 'small')}>
          <Trans>Restore your vault</Trans>
        </Link>
      ) : (
        <Create />
      )
    default:
      return <CurrentAccount links={(leave) => <AccountLinks onLeave={leave} />} />
  }
}

function Create() {
  return (
    <Link to="/register" className={buttonClass('primary', 'small')}>
      <Trans>Create vault</Trans>
    </Link>
  )
}

/** Where accounts are made and managed. */
function AccountLinks({ onLeave }: { onLeave: () => void }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Link
        to="/register"
        search={{ tab: 'accounts' }}
        onClick={onLeave}
        className={buttonClass('quiet', 'small')}
      >
        <Settings2 className="size-4" aria-hidden />
        <Trans>Manage vaults</Trans>
      </Link>
      <Link
        to="/register"
        search={{ tab: 'create' }}
        onClick={onLeave}
        className={buttonClass('bare', 'small')}
      >
        <Plus className="size-4" aria-hidden />
        <Trans>Create another vault</Trans>
      </Link>
    </div>
  )
}
