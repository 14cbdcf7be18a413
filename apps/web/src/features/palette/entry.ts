import type { LucideIcon } from 'lucide-react'
import type { Emphasised } from '../../shared/search/highlight.tsx'

/** A line of the palette. */
export interface Entry {
  readonly id: string
  readonly title: string
  /** More about it, under its title. */
  readonly detail?: string | undefined
  /** The sentence that the title or the detail is, with its emphasis. */
  readonly sentence?: Emphasised | undefined
  /** Further words it may be looked for by. */
  readonly also?: string
  /** What it is, at the end of the line. */
  readonly kind?: string | undefined
  /** The keys that do the same: one, or one after another. */
  readonly keys?: readonly string[]
  readonly icon: LucideIcon
  readonly run: () => void
  /** Whether it leads to another place, so that the focus goes there. */
  readonly leaves: boolean
}

/** Lines under a heading. */
export interface Section {
  readonly id: string
  readonly heading: string
  readonly entries: readonly Entry[]
}
