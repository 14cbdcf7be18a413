import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Lock, LockOpen } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button, buttonClass } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { KeyholeMark } from '../../components/keyhole-mark.tsx'
import { announce } from '../../components/toast.tsx'
import { isVaultKnown } from '../../shell/known-vault.ts'
import { useAction } from '../common/use-action.ts'
import { explain } from '../words/refusal.ts'
import { shorten } from '../words/who.ts'
import { UnlockForm } from './unlock-form.tsx'

const AccountList = lazy(() => import('./account-list.tsx'))

/** The account in the header: which one, open or locked, the button that changes it, and the way to the others. */
export function AccountState() {
  const { phase, lost, ended } = useVaultSnapshot()
  switch (phase) {
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
      // Who has lost a vault is no new visitor.
      return lost.length > 0 ? (
        <Link to="/" className={buttonClass('primary', 'small')}>
          <Trans>Restore your vault</Trans>
        </Link>
      ) : (
        <Create />
      )
    default:
      return <AtHand />
  }
}

function Create() {
  return (
    <Link to="/register" className={buttonClass('primary', 'small')}>
      <Trans>Create a vault</Trans>
    </Link>
  )
}

/** The account that is at hand. */
function AtHand() {
  const { t } = useLingui()
  const vault = useVault()
  const { phase, label, address } = useVaultSnapshot()
  const [asking, setAsking] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const open = phase === 'unlocked'
  const lock = useAction(async () => {
    try {
      await vault.lock()
      announce(t`Locked`, t`In every tab of this browser. The keys are gone from memory.`)
    } catch (error) {
      const { title, advice } = explain(error)
      announce(title, advice)
    }
  })
  const name = label ?? (address ? shorten(address, 6, 4) : t`Account`)
  return (
    <>
      <Button
        tone="bare"
        size="small"
        onClick={() => setChoosing(true)}
        aria-haspopup="dialog"
        aria-label={t`Accounts: ${name}`}
        className="min-w-0 max-sm:px-1.5"
        icon={<KeyholeMark className="size-5 shrink-0 text-ink" lit={open} />}
      >
        <span className="max-w-48 truncate max-lg:hidden">{name}</span>
      </Button>
      {open ? (
        <Button
          size="small"
          onClick={() => lock.run()}
          busy={lock.pending}
          icon={<Lock className="size-4" aria-hidden />}
        >
          <Trans>Lock</Trans>
        </Button>
      ) : (
        <Button
          size="small"
          tone="primary"
          onClick={() => setAsking(true)}
          icon={<LockOpen className="size-4" aria-hidden />}
        >
          <Trans>Unlock</Trans>
        </Button>
      )}
      <Dialog
        open={asking && !open}
        onOpenChange={setAsking}
        title={label ? t`Unlock ${label}` : t`Unlock the vault`}
        description={t`What you give goes to the enclave of this browser and nowhere else.`}
      >
        <UnlockForm autoFocus onUnlocked={() => setAsking(false)} />
      </Dialog>
      <Dialog
        open={choosing}
        onOpenChange={setChoosing}
        title={t`Accounts in this browser`}
        description={t`One is open at a time. Switching locks the one you leave.`}
      >
        <Suspense fallback={null}>
          <AccountList
            onLeave={() => setChoosing(false)}
            onSwitched={() => {
              setChoosing(false)
              setAsking(true)
            }}
          />
        </Suspense>
      </Dialog>
    </>
  )
}
