import type { AccountInfo } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { announce } from '../../shared/browser/announce.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Badge } from '../../shared/ui/feedback/badge.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { distance } from '../../shared/words/when.ts'
import { shorten } from '../../shared/words/who.ts'

interface AccountListProps {
  /** Another account is at hand now, and locked. */
  onSwitched?: () => void
}

/** The accounts of this browser, to change from one to another. */
export default function AccountList({ onSwitched }: AccountListProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { accounts } = useVaultSnapshot()
  const change = useAction(async (address: string) => {
    await vault.accounts.open(address)
    announce(t`Vault opened`, t`It is locked until you unlock it.`)
    onSwitched?.()
  })
  return (
    <div className="flex flex-col gap-4">
      <ul className="flex flex-col">
        {accounts
          .toSorted((a, b) => Number(b.active) - Number(a.active))
          .map((account) => (
            <Entry
              key={account.address}
              account={account}
              busy={change.pending}
              onChoose={() => change.run(account.address)}
            />
          ))}
      </ul>
      <Failure error={change.error} />
    </div>
  )
}

interface EntryProps {
  account: AccountInfo
  busy: boolean
  onChoose: () => void
}

function Entry({ account, busy, onChoose }: EntryProps) {
  const { t } = useLingui()
  const { phase } = useVaultSnapshot()
  const now = useNow()
  const short = shorten(account.address, 8, 6)
  const when = account.lastAccessed === undefined ? undefined : distance(account.lastAccessed, now)
  return (
    <li className="flex items-center justify-between gap-3 border-line border-t py-3">
      <div className="min-w-0">
        <p className="wrap-anywhere font-medium">{account.label ?? short}</p>
        <p className="wrap-anywhere text-ink-faint text-sm">
          {account.label ? <code>{short}</code> : when ? <Trans>Last opened {when}</Trans> : null}
        </p>
      </div>
      {account.active ? (
        <Badge tone={phase === 'unlocked' ? 'good' : 'plain'}>
          {phase === 'unlocked' ? <Trans>unlocked</Trans> : <Trans>locked</Trans>}
        </Badge>
      ) : (
        <Button
          size="small"
          onClick={onChoose}
          busy={busy}
          aria-label={phase === 'empty' ? t`Open ${short}` : t`Switch to ${short}`}
        >
          {phase === 'empty' ? <Trans>Open</Trans> : <Trans>Switch</Trans>}
        </Button>
      )}
    </li>
  )
}
