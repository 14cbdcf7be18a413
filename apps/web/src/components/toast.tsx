import { Toast } from '@base-ui/react/toast'
import { CircleCheck, X } from 'lucide-react'
import type { ReactNode } from 'react'

const manager = Toast.createToastManager()

/** Says what has just been done, in a few words, without taking the focus. */
export function announce(title: string, description?: string): void {
  manager.add(description === undefined ? { title } : { title, description })
}

/** Draws what `announce` says. Once, around the page. */
export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} limit={3} timeout={6000}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 bottom-20 z-50 flex flex-col gap-2 sm:inset-x-auto sm:right-6 sm:bottom-6 sm:w-96">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="kh-rise rounded-control border border-line bg-ink text-ink-inverse shadow-pop data-limited:hidden"
    >
      <Toast.Content className="flex items-start gap-3 px-4 py-3 text-sm">
        <CircleCheck className="mt-0.5 size-4 shrink-0" aria-hidden />
        <div className="min-w-0 flex-1">
          <Toast.Title className="font-semibold" />
          <Toast.Description className="wrap-anywhere" />
        </div>
        <Toast.Close aria-label="Dismiss" className="-m-1 grid size-7 shrink-0 place-items-center rounded-md">
          <X className="size-4" aria-hidden />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
