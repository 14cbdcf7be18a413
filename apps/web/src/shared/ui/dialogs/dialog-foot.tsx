import type { ReactNode } from 'react'

/**
 * The buttons at a dialog's end. They stay in sight while the rest scrolls behind them, in one row where the window is low. If the text is so
 * large that there is no room for that, they come after it.
 */
export function DialogFoot({ children }: { children: ReactNode }) {
  return (
    <div className="kh-foot sticky bottom-0 flex flex-wrap justify-end gap-2 border-line border-t bg-surface pt-3 scant:static low:flex-nowrap">
      {children}
    </div>
  )
}
