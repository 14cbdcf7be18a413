import { Dialog } from '@base-ui/react/dialog'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../buttons/button.tsx'
import { Failure } from '../feedback/failure.tsx'
import { InSight } from '../feedback/in-sight.tsx'
import { DialogFoot } from './dialog-foot.tsx'

interface DialogEndProps {
  /** What submitting runs. */
  action: { readonly pending: boolean; readonly error?: unknown }
  /** What the button says. */
  children: ReactNode
}

/** How a form in a dialog ends: what it was refused with, and on the right "Cancel" and the button that hands it in. */
export function DialogEnd({ action, children }: DialogEndProps) {
  return (
    <>
      {action.error === undefined ? null : (
        <InSight>
          <Failure error={action.error} />
        </InSight>
      )}
      <DialogFoot>
        <Dialog.Close
          render={
            <Button>
              <Trans>Cancel</Trans>
            </Button>
          }
        />
        <Button tone="primary" type="submit" busy={action.pending}>
          {children}
        </Button>
      </DialogFoot>
    </>
  )
}
