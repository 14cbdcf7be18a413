import { cx } from '../cx.ts'
import { pinColour, pins } from './identicon-pins.ts'

/** A picture of an identifier, to tell two apart at a glance. Decorative: what is compared is the text beside it. */
export function Identicon({ text, className }: { text: string; className?: string }) {
  const { hue, path } = pins(text)
  const colour = pinColour(hue)
  return (
    <svg viewBox="0 0 32 32" className={cx('size-5 shrink-0', className)} aria-hidden="true">
      <circle cx="16" cy="16" r="16" fill={colour} opacity="0.16" />
      <circle cx="16" cy="16" r="2.5" fill={colour} />
      <path d={path} fill="none" stroke={colour} strokeWidth="3.2" />
    </svg>
  )
}
