import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Link } from '@tanstack/react-router'
import { Lock, LockOpen } from 'lucide-react'
import { useState } from 'react'
import { Button, buttonClass } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { KeyholeMark } from '../../components/keyhole-mark.tsx'
import { announce } from '../../components/toast.tsx'
import { isVaultKnown } from '../../shell/known-vault.ts'
import { useAction } from '../common/use-action.ts'
import { explainText } from '../words/refusal.ts'
import { shorten } from '../words/who.ts'
import { UnlockForm } from './unlock-form.tsx'

/** The account in the header: which one, open or locked, and the button that changes it. */
export function AccountState() {
  const vault = useVault()
  const { phase, label, address, lost, ended } = useVaultSnapshot()
  const [asking, setAsking] = useState(false)
  const lock = useAction(async () => {
    await vault.lock()
    announce('Locked', 'In every tab of this browser. The keys are gone from memory.')
  })

  if (phase === 'loading' && isVaultKnown()) return <span className="text-ink-faint text-sm">Opening…</span>
  if (phase === 'failed') return <span className="font-medium text-bad text-sm">Not loaded</span>
  // Who has lost a vault is no new visitor.
  if (phase === 'empty' && lost.length > 0) {
    return (
      <Link to="/" className={buttonClass('primary', 'small')}>
        Restore your vault
      </Link>
    )
  }
  // The page says so, and leads back.
  if (ended !== undefined) return null
  if (phase === 'empty' || phase === 'loading') {
    return (
      <Link to="/register" className={buttonClass('primary', 'small')}>
        Create a vault
      </Link>
    )
  }
  const open = phase === 'unlocked'
  return (
    <>
      <Link
        to="/identity"
        className="flex min-w-0 items-center gap-2 rounded-lg px-2 py-1.5 text-sm hover:bg-sunken max-sm:hidden"
        aria-label={`Account ${label ?? ''}: ${open ? 'unlocked' : 'locked'}`}
      >
        <KeyholeMark className="size-5 text-ink" lit={open} />
        <span className="hidden max-w-48 min-w-0 truncate font-medium max-md:block lg:block">
          {label ?? (address ? shorten(address, 6, 4) : 'Account')}
        </span>
        <span className="text-ink-faint max-lg:sr-only">{open ? 'Unlocked' : 'Locked'}</span>
      </Link>
      {open ? (
        <Button
          size="small"
          onClick={() => lock.run()}
          busy={lock.pending}
          icon={<Lock className="size-4" aria-hidden />}
          title={lock.error ? explainText(lock.error) : undefined}
        >
          Lock
        </Button>
      ) : (
        <Button
          size="small"
          tone="primary"
          onClick={() => setAsking(true)}
          icon={<LockOpen className="size-4" aria-hidden />}
        >
          Unlock
        </Button>
      )}
      <Dialog
        open={asking && !open}
        onOpenChange={setAsking}
        title={`Unlock ${label ?? 'the vault'}`}
        description="What you give goes to the enclave of this browser and nowhere else."
      >
        <UnlockForm autoFocus onUnlocked={() => setAsking(false)} />
      </Dialog>
    </>
  )
}
