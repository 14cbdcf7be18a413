import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Lock, LockOpen } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { pageStart } from '../../shared/browser/focus-memory.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx'
import { KeyholeMark } from '../../shared/ui/layout/keyhole-mark.tsx'
import { explain } from '../../shared/words/explain-refusal.ts'
import { shorten } from '../../shared/words/who.ts'
import { UnlockForm } from './unlock-form.tsx'

const AccountList = lazy(() => import('./account-list.tsx'))

interface CurrentAccountProps {
  /** Where else the list of accounts leads, given what closes it; nowhere, in a window that was called up for one thing. */
  links?: (leave: () => void) => ReactNode
}

/** The account that is at hand: open or locked, the button that changes it, and the way to the others. */
export function CurrentAccount({ links }: CurrentAccountProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { phase, label, address = '' } = useVaultSnapshot()
  // One dialog for both: where one closed and another opened at once, the one that closes could take the focus from a field of the other.
  const [shown, setShown] = useState(false)
  const [view, setView] = useState<'accounts' | 'unlock'>('accounts')
  const open = phase === 'unlocked'
  // Unlocked in another tab, it is not asked for any more, and not by itself after the next lock.
  if (open && shown && view === 'unlock') setShown(false)
  const show = (next: 'accounts' | 'unlock') => {
    setView(next)
    setShown(true)
  }
  const lock = useAction(async () => {
    try {
      await vault.lock()
      announce(t`Locked`, t`In every tab of this browser. The keys are gone from memory.`)
    } catch (error) {
      const { title, advice } = explain(error)
      announce(title, advice)
    }
  })
  const name = label ?? shorten(address, 6, 4)
  return (
    <>
      <Button
        tone="bare"
        size="small"
        onClick={() => show('accounts')}
        aria-haspopup="dialog"
        aria-label={t`Vaults: ${name}`}
        className="min-w-0 pointer-coarse:min-w-11 max-sm:px-1.5"
        icon={<KeyholeMark className="size-5 shrink-0 text-ink" lit={open} />}
      >
        <span className="max-w-48 truncate max-lg:hidden">{name}</span>
      </Button>
      {open ? (
        <Button
          // Another button than the one that unlocks, which stood here: what was pressed or focused there is nothing of this one's.
          key="lock"
          size="small"
          onClick={() => lock.run()}
          busy={lock.pending}
          icon={<Lock className="size-4 max-[26rem]:hidden" aria-hidden />}
        >
          <Trans>Lock</Trans>
        </Button>
      ) : (
        <Button
          key="unlock"
          size="small"
          tone="primary"
          onClick={() => show('unlock')}
          icon={<LockOpen className="size-4 max-[26rem]:hidden" aria-hidden />}
        >
          <Trans>Unlock</Trans>
        </Button>
      )}
      <Dialog
        open={shown}
        onOpenChange={setShown}
        {...(view === 'accounts'
          ? {
              title: t`Vaults in this browser`,
              description: t`One is open at a time. Switching locks the one you leave.`,
            }
          : {
              title: label ? t`Unlock ${label}` : t`Unlock the vault`,
              description: t`What you enter stays in this browser.`,
            })}
        leadsTo={() => (view === 'unlock' && open ? pageStart() : undefined)}
      >
        {view === 'accounts' ? (
          <Suspense fallback={null}>
            <AccountList onSwitched={() => setView('unlock')} />
            {links?.(() => setShown(false))}
          </Suspense>
        ) : (
          <UnlockForm autoFocus onUnlocked={() => setShown(false)} />
        )}
      </Dialog>
    </>
  )
}
