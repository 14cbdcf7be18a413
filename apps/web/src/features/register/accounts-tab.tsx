import type { AccountInfo } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DidText } from '../../components/did-text.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { announce } from '../../components/toast.tsx'
import { NotLoaded, Opening } from '../account/gate.tsx'
import { UnlockForm } from '../account/unlock-form.tsx'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { explainText } from '../words/refusal.ts'
import { moment } from '../words/when.ts'
import { shorten } from '../words/who.ts'

/** Every account of this browser: open another, or remove one. */
export function AccountsTab() {
  const { phase, accounts } = useVaultSnapshot()
  if (phase === 'loading') return <Opening />
  if (phase === 'failed') return <NotLoaded />
  return (
    <div className="flex flex-col gap-6">
      <Card
        title="Accounts in this browser"
        description="One is open at a time. Switching locks the one you leave."
      >
        {accounts.length === 0 ? (
          <EmptyState
            title="None yet"
            actions={
              <Link to="/register" search={{ tab: 'create' }} className={buttonClass('primary')}>
                Create a vault
              </Link>
            }
          >
            Create one, or restore one from a backup file.
          </EmptyState>
        ) : (
          <ul className="flex flex-col gap-3">
            {accounts.map((account) => (
              <AccountItem key={account.address} account={account} />
            ))}
          </ul>
        )}
      </Card>
      {phase === 'locked' ? (
        <Card title="Unlock the one that is open">
          <UnlockForm />
        </Card>
      ) : null}
    </div>
  )
}

function AccountItem({ account }: { account: AccountInfo }) {
  const vault = useVault()
  const { phase } = useVaultSnapshot()
  const [removing, setRemoving] = useState(false)
  const open = useAction(async () => {
    await vault.openAccount(account.address)
    announce('Account opened', 'It is locked until you unlock it.')
  })
  const name = account.label ?? shorten(account.address, 8, 6)
  return (
    <li className="flex flex-col gap-3 rounded-control border border-line bg-raised p-4">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-semibold">{name}</span>
        {account.active ? (
          <Badge tone={phase === 'unlocked' ? 'brass' : 'plain'}>
            {phase === 'unlocked' ? 'unlocked' : 'locked'}
          </Badge>
        ) : null}
      </div>
      <DidText text={account.address} what="the address" />
      {account.lastAccessed ? (
        <p className="text-ink-faint text-sm">Last opened {moment(account.lastAccessed)}</p>
      ) : null}
      <Failure error={open.error} />
      <div className="flex flex-wrap gap-2">
        {account.active ? null : (
          <Button size="small" onClick={() => open.run()} busy={open.pending}>
            Switch to it
          </Button>
        )}
        <Button size="small" tone="bare" onClick={() => setRemoving(true)}>
          Remove
        </Button>
      </div>
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title={`Remove ${name} from this browser?`}
        phrase={account.address.slice(-6)}
        action="Remove the account"
        explain={explainText}
        onConfirm={async () => {
          await vault.removeAccount(account.address)
          announce('Account removed', 'Its keys and tokens are gone from this browser.')
        }}
      >
        <p>
          Its keys, its tokens and all it holds are deleted here. Without a backup file and its passphrase,
          nobody can bring them back.
        </p>
        <p>Grants that you signed stay valid until they end.</p>
      </ConfirmDialog>
    </li>
  )
}
