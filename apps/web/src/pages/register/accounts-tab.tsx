import type { AccountInfo } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { NotLoaded } from '../../features/account/not-loaded.tsx'
import { Opening } from '../../features/account/opening.tsx'
import { endSetup } from '../../features/account/setup.ts'
import { UnlockForm } from '../../features/account/unlock-form.tsx'
import { BeforeRemoval } from '../../features/backup/before-removal.tsx'
import { announce } from '../../shared/browser/announce.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button, buttonClass } from '../../shared/ui/buttons/button.tsx'
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { Badge } from '../../shared/ui/feedback/badge.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../shared/ui/layout/empty-state.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { TimeText } from '../../shared/ui/text/time-text.tsx'
import { forgetUnconfirmedCode } from '../../shared/unlock-proof/unconfirmed-code.ts'
import { isOpening } from '../../shared/vault/is-opening.ts'
import { explainText } from '../../shared/words/explain-refusal.ts'
import { shorten } from '../../shared/words/who.ts'

/** Every account of this browser: open another, or remove one. */
export function AccountsTab() {
  const { t } = useLingui()
  const { phase, accounts } = useVaultSnapshot()
  if (isOpening(phase)) return <Opening />
  if (phase === 'failed') return <NotLoaded />
  return (
    <div className="flex flex-col gap-6">
      <Card
        title={t`Vaults in this browser`}
        description={<Trans>One is open at a time. Switching locks the one you leave.</Trans>}
        actions={
          accounts.length === 0 ? undefined : (
            <Link
              to="/register"
              search={{ tab: 'create' }}
              onClick={endSetup}
              className={buttonClass('quiet', 'small')}
            >
              <Trans>Add another</Trans>
            </Link>
          )
        }
      >
        {accounts.length === 0 ? (
          <EmptyState
            title={t`None yet`}
            actions={
              <>
                <Link to="/register" search={{ tab: 'create' }} className={buttonClass('primary')}>
                  <Trans>Create vault</Trans>
                </Link>
                <Link to="/register" search={{ tab: 'restore' }} className={buttonClass()}>
                  <Trans>Restore a vault</Trans>
                </Link>
              </>
            }
          >
            <Trans>Create one, or restore one from a backup file.</Trans>
          </EmptyState>
        ) : (
          <ul className="flex flex-col">
            {accounts.map((account) => (
              <AccountItem key={account.address} account={account} />
            ))}
          </ul>
        )}
      </Card>
      {phase === 'locked' ? (
        <Card title={t`Unlock the one that is open`}>
          <UnlockForm />
        </Card>
      ) : null}
    </div>
  )
}

function AccountItem({ account }: { account: AccountInfo }) {
  const { t } = useLingui()
  const vault = useVault()
  const { phase } = useVaultSnapshot()
  const [removing, setRemoving] = useState(false)
  const open = useAction(async () => {
    await vault.accounts.open(account.address)
    announce(t`Vault opened`, t`It is locked until you unlock it.`)
  })
  const name = account.label ?? shorten(account.address, 8, 6)
  return (
    <li className="flex flex-col gap-3 border-line border-t py-4">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-semibold">{name}</span>
        {account.active ? (
          <Badge tone={phase === 'unlocked' ? 'good' : 'plain'}>
            {phase === 'unlocked' ? t`unlocked` : t`locked`}
          </Badge>
        ) : null}
      </div>
      <DidText text={account.address} what={t`the address`} />
      {account.lastAccessed ? (
        <p className="text-ink-faint text-sm">
          <Trans>
            Last opened <TimeText at={account.lastAccessed} />
          </Trans>
        </p>
      ) : null}
      <Failure error={open.error} />
      <div className="flex flex-wrap gap-2">
        {account.active ? null : (
          <Button size="small" onClick={() => open.run()} busy={open.pending} aria-description={name}>
            <Trans>Switch to it</Trans>
          </Button>
        )}
        <Button size="small" tone="bare" onClick={() => setRemoving(true)} aria-description={name}>
          <Trans>Remove</Trans>
        </Button>
      </div>
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title={t`Remove ${name} from this browser?`}
        phrase={account.address.slice(-6)}
        phraseHint={t`The last 6 characters of its address.`}
        action={t`Remove the vault`}
        explain={explainText}
        onConfirm={async () => {
          await vault.accounts.remove(account.address)
          forgetUnconfirmedCode(account.address)
          // The service worker forgets when its grants end, and takes their number from the icon.
          const worker = await navigator.serviceWorker?.getRegistration()
          worker?.active?.postMessage({ remind: 'gone' })
          announce(t`Vault removed`, t`Its keys and tokens are gone from this browser.`)
        }}
      >
        <BeforeRemoval account={account} />
        <p>
          <Trans>
            All of it is deleted from this browser. Without a backup file you can open or another device with
            this vault, it’s lost for good.
          </Trans>
        </p>
        <p>
          <Trans>
            Grants that you signed stay valid until they expire. You can’t revoke them from here any more.
          </Trans>
        </p>
      </ConfirmDialog>
    </li>
  )
}
