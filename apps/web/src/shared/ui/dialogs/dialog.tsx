import { Dialog as Base } from '@base-ui/react/dialog'
import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { type ReactNode, useInsertionEffect, useRef } from 'react'
import { cx } from '../cx.ts'
import { useBack } from './use-back.ts'

/** The dimming behind every dialog. */
export const BACKDROP = 'fixed inset-0 z-40 bg-canvas/80'

/** The box of every dialog: a sheet from below on a phone, a centred card elsewhere. */
export const POPUP =
  'kh-rise fixed z-50 flex max-h-[90dvh] flex-col gap-4 overflow-y-auto border border-line bg-surface shadow-pop outline-none ' +
  'inset-x-0 bottom-0 rounded-t-card p-5 scant:p-3 sm:inset-auto sm:top-1/2 sm:left-1/2 sm:-translate-x-1/2 sm:-translate-y-1/2 ' +
  'sm:w-[min(40rem,calc(100vw-3rem))] sm:rounded-card sm:p-6'

/** Any dialog that holds the focus. Announcements are called so too, and do not. */
const MODAL = ':is([role=dialog], [role=alertdialog]):not([aria-modal=false])'

/** Whether the focus has gone on into another dialog than the one that closes: there it stays. */
export function isFocusInOther(closing: Element | null): boolean {
  const at = document.activeElement?.closest(MODAL) ?? null
  return at !== null && at !== closing
}

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  wide?: boolean
  /** Where the focus goes on to, asked when it closes: not back to what opened it, where that means something else by then. */
  leadsTo?: () => HTMLElement | undefined
  children: ReactNode
}

/** A dialog: focus goes in, stays in, and comes back to what opened it, or on to what it leads to; Escape closes it, and so does Android's Back. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  wide = false,
  leadsTo,
  children,
}: DialogProps) {
  const { t } = useLingui()
  const opener = useRef<Element>(null)
  const popup = useRef<HTMLDivElement>(null)
  // A field inside that focuses itself does so before the dialog looks where the focus was: this is earlier still.
  useInsertionEffect(() => {
    if (open) opener.current = document.activeElement
  }, [open])
  useBack(open, () => onOpenChange(false))
  const backTo = () => {
    if (isFocusInOther(popup.current)) return false
    const next = leadsTo?.()
    if (next) {
      // Base UI would give it to the first button inside, which may be about to go.
      queueMicrotask(() => next.focus({ preventScroll: true }))
      return false
    }
    const { current } = opener
    return current instanceof HTMLElement && current.isConnected && current !== document.body ? current : true
  }
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        <Base.Popup
          ref={popup}
          finalFocus={backTo}
          className={cx(POPUP, wide && 'sm:w-[min(60rem,calc(100vw-3rem))]')}
        >
          <div className="flex items-start justify-between gap-4">
            <div>
              <Base.Title className="font-semibold text-xl">{title}</Base.Title>
              {description ? (
                <Base.Description className="mt-1 text-ink-soft text-sm">{description}</Base.Description>
              ) : null}
            </div>
            <Base.Close
              aria-label={t`Close`}
              className="grid size-9 shrink-0 place-items-center pointer-coarse:size-11 rounded-lg text-ink-faint hover:bg-sunken hover:text-ink"
            >
              <X className="size-5" aria-hidden />
            </Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
