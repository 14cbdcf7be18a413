import { Toast } from '@base-ui/react/toast'
import { useLingui } from '@lingui/react/macro'
import { CircleCheck, X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { announceBy, PLAIN, undoNewest } from '../../browser/announce.ts'
import { isMod, isTyping } from '../../browser/platform.ts'
import { Kbd } from '../text/kbd.tsx'
import { keepClear } from './clear-of-actions.ts'

const manager = Toast.createToastManager()
announceBy(manager)

function undoByKey(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== 'z' || event.shiftKey || !isMod(event)) return
  // In a text field the key takes back typing, and a browser's own undo is not ours to take.
  if (event.defaultPrevented || isTyping(event.target)) return
  if (undoNewest()) event.preventDefault()
}

/** Draws what `announce` says. Once, around the page. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    addEventListener('keydown', undoByKey)
    return () => removeEventListener('keydown', undoByKey)
  }, [])
  return (
    <Toast.Provider toastManager={manager} limit={3} timeout={PLAIN}>
      {children}
      <Toast.Portal>
        <Toast.Viewport
          ref={place}
          aria-label={t`Notifications`}
          // What lies under a notice can still be pressed, and a pointer that happens to rest there holds nothing up.
          className="pointer-events-none fixed inset-x-4 bottom-20 scant:bottom-4 z-50 [&_button]:pointer-events-auto flex flex-col gap-2 sm:inset-x-auto sm:right-6 sm:bottom-6 sm:w-96"
        >
          <ToastList place={place} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList({ place }: { place: RefObject<HTMLElement | null> }) {
  const { t } = useLingui()
  const { toasts } = Toast.useToastManager()
  const isShown = toasts.length > 0
  useLayoutEffect(() => (isShown && place.current ? keepClear(place.current) : undefined), [isShown, place])
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="kh-rise rounded-control border border-line bg-ink text-ink-inverse shadow-pop outline-offset-2 data-limited:hidden"
    >
      <Toast.Content className="flex items-start gap-3 px-4 py-3 text-sm">
        <CircleCheck className="mt-0.5 size-4 shrink-0" aria-hidden />
        <div className="min-w-0 flex-1">
          <Toast.Title className="font-semibold" />
          <Toast.Description className="wrap-anywhere" />
        </div>
        {toast.actionProps ? (
          <span className="flex shrink-0 items-center gap-1.5">
            <Toast.Action className="-my-1 min-h-8 rounded-md pointer-coarse:min-h-11 px-2 font-semibold underline underline-offset-4 hover:no-underline" />
            <Kbd keys="mod+z" className="max-sm:hidden" />
          </span>
        ) : null}
        <Toast.Close
          aria-label={t`Dismiss`}
          // Base UI hides it from assistive technology until the pile is opened, though it can be focused.
          aria-hidden={false}
          className="-my-1 -mr-1 grid size-8 shrink-0 place-items-center rounded-md pointer-coarse:size-11"
        >
          <X className="size-4" aria-hidden />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
