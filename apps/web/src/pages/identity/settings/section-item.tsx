import { ChevronRight } from 'lucide-react'
import { Later } from '../../../features/account/lazy-part.tsx'
import { cx } from '../../../shared/ui/cx.ts'
import type { SectionId } from './section.ts'
import { SECTIONS } from './sections.ts'

interface SectionItemProps {
  id: SectionId
  title: string
  /** What it is for, or what was found in it. */
  about: string
  open: boolean
  onPress: () => void
}

/** A section of the settings: a line that opens it, and what is in it. */
export function SectionItem({ id, title, about, open, onPress }: SectionItemProps) {
  const { icon: Icon, Panel } = SECTIONS[id]
  return (
    <li id={id} className="scroll-mt-20 border-line border-t scant:scroll-mt-2">
      <div className="relative flex items-center gap-4 py-3 hover:bg-sunken">
        <Icon className="size-5 shrink-0 text-ink-soft" aria-hidden />
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold text-lg leading-snug">
            {/* The whole line is pressed. */}
            <button
              type="button"
              aria-expanded={open}
              aria-controls={`${id}-panel`}
              aria-describedby={`${id}-about`}
              data-page-start={open && id !== 'overview' ? true : undefined}
              onClick={onPress}
              className="min-h-6 text-left before:absolute before:inset-0 focus-visible:outline-offset-0"
            >
              {title}
            </button>
          </h2>
          <p id={`${id}-about`} className="text-ink-soft text-sm">
            {about}
          </p>
        </div>
        <ChevronRight
          className={cx('size-5 shrink-0 text-ink-faint transition-transform', open && 'rotate-90')}
          aria-hidden
        />
      </div>
      <div id={`${id}-panel`} data-panel tabIndex={-1} className="outline-none">
        {open ? (
          <div className="pt-3 pb-8">
            <Later>
              <Panel />
            </Later>
          </div>
        ) : null}
      </div>
    </li>
  )
}
