import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useVault } from '@keyhole/vault-react'
import { plural } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef } from 'react'
import { useAction } from '../../shared/hooks/use-action.ts'
import { useCountdown } from '../../shared/hooks/use-countdown.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { BACKDROP, POPUP } from '../../shared/ui/dialogs/dialog.tsx'
import { DialogFoot } from '../../shared/ui/dialogs/dialog-foot.tsx'
import { useBack } from '../../shared/ui/dialogs/use-back.ts'
import { Failure } from '../../shared/ui/feedback/failure.tsx'

/**
 * Warns, in every tab, that the vault is about to lock, and offers to stay.
 * @param locksAt milliseconds since 1970
 */
export default function LockWarning({ locksAt }: { locksAt: number }) {
  const vault = useVault()
  const left = useCountdown(locksAt)
  // Focus "Stay": someone who was typing and presses Enter doesn't mean to lock.
  const stayButton = useRef<HTMLButtonElement>(null)
  const stay = useAction(async () => vault.touch())
  const lock = useAction(() => vault.lock())
  useBack(true, () => stay.run())
  return (
    <AlertDialog.Root
      open
      // Escape and Back do what they do in every dialog: carry on as before.
      onOpenChange={(next) => !next && stay.run()}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={BACKDROP} />
        <AlertDialog.Popup className={POPUP} initialFocus={stayButton}>
          <AlertDialog.Title className="font-semibold text-xl">
            <Trans>The vault is about to lock</Trans>
          </AlertDialog.Title>
          <AlertDialog.Description className="text-ink-soft">
            <Trans>You haven’t used it for a while. What you typed is saved.</Trans>
          </AlertDialog.Description>
          <p
            className="font-semibold text-3xl"
            role="timer"
            aria-label={plural(left, { one: '# second left', other: '# seconds left' })}
          >
            <Trans>{left} s</Trans>
          </p>
          <Failure error={stay.error ?? lock.error} />
          <DialogFoot>
            <Button onClick={() => lock.run()} busy={lock.pending}>
              <Trans>Lock now</Trans>
            </Button>
            <Button ref={stayButton} tone="primary" onClick={() => stay.run()} busy={stay.pending}>
              <Trans>Stay unlocked</Trans>
            </Button>
          </DialogFoot>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
