import { cx } from '../cx.ts'

/** The keyhole in a box of 32: its head is a circle around (16, 12.25). */
export const KEYHOLE =
  'M16 7.5a4.75 4.75 0 0 1 2.3 8.9l1.55 7.1a.8.8 0 0 1-.78.97h-6.14a.8.8 0 0 1-.78-.97l1.55-7.1A4.75 4.75 0 0 1 16 7.5Z'

interface KeyholeMarkProps {
  className?: string
  /** Light shines through the hole and round its rim: the vault is open. */
  lit?: boolean
}

/** The mark: a keyhole in a disc. Decorative; the state it shows is always in words beside it. */
export function KeyholeMark({ className, lit = false }: KeyholeMarkProps) {
  return (
    <svg viewBox="0 0 32 32" className={cx('shrink-0', className)} aria-hidden="true">
      <circle cx="16" cy="16" r="15" fill="currentColor" />
      <circle
        cx="16"
        cy="16"
        r="14.25"
        fill="none"
        stroke="var(--brass-fill)"
        strokeWidth="1.5"
        className={cx('transition-opacity duration-(--turn)', lit ? 'opacity-100' : 'opacity-0')}
      />
      <path d={KEYHOLE} fill="var(--hole-in-mark)" />
      <path
        d={KEYHOLE}
        fill="var(--lit)"
        className={cx('transition-opacity duration-(--turn)', lit ? 'opacity-100' : 'opacity-0')}
      />
    </svg>
  )
}
