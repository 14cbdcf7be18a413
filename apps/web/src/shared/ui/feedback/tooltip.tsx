import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'

/** A hint on hover and on focus, for a control whose name is already in its label. */
export function Tooltip({ words, children }: { words: ReactNode; children: ReactElement }) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={8} className="z-50">
          <Base.Popup className="kh-rise max-w-72 rounded-lg bg-ink px-2.5 py-1.5 text-ink-inverse text-xs shadow-pop">
            {words}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** Shares the opening delay between neighbours. Once, around the page. */
export const TooltipProvider = Base.Provider
