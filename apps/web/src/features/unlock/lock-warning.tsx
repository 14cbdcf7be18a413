import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useVault } from '@keyhole/vault-react'
import { useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { BACKDROP, POPUP } from '../../components/dialog.tsx'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { useCountdown } from '../common/use-countdown.ts'

/**
 * Says that the vault is about to lock, in every tab, with a way to stay.
 * @param locksAt milliseconds since 1970
 */
export default function LockWarning({ locksAt }: { locksAt: number }) {
  const vault = useVault()
  const left = useCountdown(locksAt)
  // Whoever was typing Enter means what they wrote, and not to lock.
  const stayButton = useRef<HTMLButtonElement>(null)
  const stay = useAction(async () => {
    await vault.stay()
  })
  const lock = useAction(() => vault.lock())
  return (
    <AlertDialog.Root
      open
      // Escape says what it says in every dialog: go on as before.
      onOpenChange={(next) => !next && stay.run()}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={BACKDROP} />
        <AlertDialog.Popup className={POPUP} initialFocus={stayButton}>
          <div className="flex flex-col gap-4">
            <AlertDialog.Title className="font-semibold text-xl">
              The vault is about to lock
            </AlertDialog.Title>
            <AlertDialog.Description className="text-ink-soft">
              Nobody has used it for a while. What you typed is kept.
            </AlertDialog.Description>
            <p className="font-semibold text-3xl" role="timer" aria-label={`${left} seconds left`}>
              {left} s
            </p>
            <Failure error={stay.error ?? lock.error} />
            <div className="flex flex-wrap justify-end gap-2">
              <Button onClick={() => lock.run()} busy={lock.pending}>
                Lock now
              </Button>
              <Button ref={stayButton} tone="primary" onClick={() => stay.run()} busy={stay.pending}>
                Stay unlocked
              </Button>
            </div>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
