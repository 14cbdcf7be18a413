import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef } from 'react'

interface Tab<V extends string> {
  value: V
  label: string
  panel: () => ReactNode
}

interface TabsProps<V extends string> {
  label: string
  value: V
  onValueChange: (value: V) => void
  tabs: readonly Tab<V>[]
}

/** How far a strip fades at an end where it goes on, in pixels. */
const FADE = 32

/** Lets a strip fade where it goes on, and nowhere else. */
function fade(strip: HTMLElement): void {
  const { scrollLeft, scrollWidth, clientWidth } = strip
  strip.style.setProperty('--before', `${Math.min(scrollLeft, FADE)}px`)
  strip.style.setProperty('--after', `${Math.min(scrollWidth - clientWidth - scrollLeft, FADE)}px`)
}

/** Tabs whose choice lives with the caller (in the address, for a page). Arrow keys move, only the open panel is drawn. */
export function Tabs<V extends string>({ label, value, onValueChange, tabs }: TabsProps<V>) {
  const list = useRef<HTMLDivElement>(null)
  // On a narrow screen the tabs are a strip: the chosen one is brought into it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice moves the strip, and nothing else does
  useEffect(() => {
    const strip = list.current
    if (!strip) return
    // Told of its first size as well, and of each that a turned screen, an enlarged text or another language gives it.
    const sizes = new ResizeObserver(() => {
      const chosen = strip.querySelector<HTMLElement>('[role=tab][aria-selected=true]')
      if (chosen) strip.scrollLeft = chosen.offsetLeft - (strip.clientWidth - chosen.offsetWidth) / 2
      fade(strip)
    })
    for (const each of [strip, ...strip.children]) sizes.observe(each)
    return () => sizes.disconnect()
  }, [value])
  return (
    <Base.Root value={value} onValueChange={(next: V) => onValueChange(next)} className="flex flex-col gap-6">
      <Base.List
        ref={list}
        aria-label={label}
        onScroll={({ currentTarget }) => fade(currentTarget)}
        className="base-ui-disable-scrollbar kh-strip relative flex gap-1 overflow-x-auto border-line border-b"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="min-h-11 shrink-0 border-transparent border-b-2 px-3 font-medium text-ink-soft text-sm transition-colors first:pl-0 hover:text-ink focus-visible:-outline-offset-2 data-active:border-ink data-active:text-ink forced-colors:data-active:bg-[Highlight] forced-colors:data-active:text-[HighlightText] forced-colors:data-active:forced-color-adjust-none"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="rounded-card outline-offset-4">
          {tab.value === value ? tab.panel() : null}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
