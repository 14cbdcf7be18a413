import { useLingui } from '@lingui/react/macro'
import { SlidersHorizontal } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'

// Loaded when it is first opened: neither the page's first script nor what it begins with has it.
const Panel = lazy(() => import('./preferences-panel.tsx'))

/** Another language draws the header anew: this remembers that the focus was in here, and has to come back. */
let comeBack = false

/** Theme and language, below a button of the header. The browser's own popover: Escape and a press beside it close it. */
export function Preferences() {
  const { t } = useLingui()
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    if (!comeBack) return
    comeBack = false
    button.current?.focus()
  }, [])
  const words = t`Theme and language`
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget="preferences"
        aria-label={words}
        title={words}
        className="grid size-10 shrink-0 place-items-center pointer-coarse:size-11 rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
      >
        <SlidersHorizontal className="size-4.5" aria-hidden />
      </button>
      <div
        id="preferences"
        popover="auto"
        onBeforeToggle={() => setOpened(true)}
        className="kh-rise fixed inset-auto top-15 right-[max(1rem,calc((100vw-72rem)/2+1rem))] w-72 max-w-[calc(100vw-2rem)] rounded-card border border-line bg-surface p-4 text-ink shadow-pop"
      >
        {opened ? (
          <Suspense>
            <Panel
              onLanguage={() => {
                comeBack = true
              }}
            />
          </Suspense>
        ) : null}
      </div>
    </>
  )
}
