import { cx } from '../../../shared/ui/cx.ts'
import { KEYHOLE } from '../../../shared/ui/layout/keyhole-mark.tsx'

/** The keyhole that the hole behind it leads into: its head is the throat. Iron, and its rim lights up in brass. */
export function HeroKeyhole({ lit, className }: { lit: boolean; className?: string }) {
  return (
    <svg viewBox="10.5 6.5 11 19" className={cx('overflow-visible', className)} aria-hidden="true">
      <defs>
        <linearGradient id="rim-iron" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#9a9da4" />
          <stop offset="1" stopColor="#3a3d44" />
        </linearGradient>
        <linearGradient id="rim-brass" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#ffdc94" />
          <stop offset="1" stopColor="#c1850f" />
        </linearGradient>
      </defs>
      <circle data-throat="" cx="16" cy="12.25" r="4.75" fill="none" />
      <path d={KEYHOLE} fill="#000" stroke="url(#rim-iron)" strokeWidth="0.2" />
      <path
        d={KEYHOLE}
        fill="none"
        stroke="url(#rim-brass)"
        strokeWidth="0.26"
        className={cx(
          'transition-opacity duration-(--turn) group-has-[[data-opens]:is(:hover,:focus-visible)]/hero:opacity-100',
          lit ? 'opacity-100' : 'opacity-0',
        )}
      />
    </svg>
  )
}
