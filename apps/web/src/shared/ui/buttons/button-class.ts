import { cx } from '../cx.ts'

export type ButtonTone = 'primary' | 'quiet' | 'bare' | 'danger'
export type ButtonSize = 'normal' | 'small'

// `kh-button` (app/styles/base.css): disabled, busy, and on a narrow screen.
const BASE =
  'kh-button inline-flex select-none items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap ' +
  'border transition-[color,background-color,border-color,translate] duration-(--quick) active:translate-y-px'

// `kh-act` marks what no notice may cover (`feedback/clear-of-actions.ts`).
const TONES: Record<ButtonTone, string> = {
  primary: 'kh-act border-transparent bg-ink text-ink-inverse hover:bg-ink-soft',
  quiet: 'border-line-strong/50 bg-surface text-ink hover:bg-sunken hover:border-line-strong',
  bare: 'border-transparent text-ink-soft hover:bg-sunken hover:text-ink',
  danger: 'kh-act border-transparent bg-bad-fill text-on-fill hover:bg-bad-fill/90',
}

const SIZES: Record<ButtonSize, string> = {
  normal: 'min-h-11 px-4 text-base',
  small: 'min-h-9 px-3 text-sm pointer-coarse:min-h-11',
}

/** The look of a button, for links that act as one. */
export function buttonClass(
  tone: ButtonTone = 'quiet',
  size: ButtonSize = 'normal',
  className?: string,
): string {
  return cx(BASE, TONES[tone], SIZES[size], className)
}
