import { Dialog as Base } from '@base-ui/react/dialog'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { BACKDROP, isFocusInOther } from '../../shared/ui/dialogs/dialog.tsx'
import { useBack } from '../../shared/ui/dialogs/use-back.ts'
import { PaletteBox } from './palette-box.tsx'
import type { Shortcut } from './shortcuts/keys.ts'
import type { Shown } from './shown.ts'

interface PaletteDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  onShow: (shown: Shown) => void
  /** Asks whether to revoke the grant with this CID. */
  onRevoke: (cid: string) => void
  perform: (shortcut: Shortcut) => void
}

/** The palette: at the top, where a phone's keyboard leaves room. Closing gives the focus back, or to where it led. */
export function PaletteDialog({ open, onOpenChange, onShow, onRevoke, perform }: PaletteDialogProps) {
  const { t } = useLingui()
  const input = useRef<HTMLInputElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  const left = useRef(false)
  useBack(open, () => onOpenChange(false))
  useEffect(() => {
    // Before the new page is drawn, so that a field there which takes the focus has the last word.
    if (!open && left.current) document.getElementById('page')?.focus({ preventScroll: true })
    else left.current = false
  }, [open])
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        <Base.Popup
          ref={popup}
          initialFocus={input}
          finalFocus={() => !left.current && !isFocusInOther(popup.current)}
          className="kh-rise fixed inset-x-0 top-0 z-50 flex max-h-[85dvh] flex-col overflow-hidden border border-line bg-surface shadow-pop outline-none sm:inset-x-auto sm:top-[12dvh] sm:left-1/2 sm:max-h-[70dvh] sm:w-[min(42rem,calc(100vw-3rem))] sm:-translate-x-1/2 sm:rounded-card"
        >
          <Base.Title className="sr-only">{t`Find or do something`}</Base.Title>
          <PaletteBox
            input={input}
            perform={perform}
            onShow={onShow}
            onRevoke={onRevoke}
            onDone={(leaves) => {
              left.current = leaves
              onOpenChange(false)
            }}
          />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
