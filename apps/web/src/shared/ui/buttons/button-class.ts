import { cx } from '../cx.ts'

export type ButtonTone = 'primary' | 'quiet' | 'bare' | 'danger'
export type ButtonSize = 'normal' | 'small'

const BASE =
  'inline-flex select-none items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap max-[26rem]:max-w-full max-[26rem]:whitespace-normal max-[26rem]:py-1.5 ' +
  'border transition-[color,background-color,border-color,translate] duration-(--quick) active:translate-y-px ' +
  'disabled:cursor-not-allowed disabled:translate-y-0 not-aria-busy:disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:translate-y-0 not-aria-busy:aria-disabled:opacity-55 aria-busy:cursor-progress'

// `kh-act` marks what no notice may cover (`feedback/clear-of-actions.ts`).
const TONES: Record<ButtonTone, string> = {
  primary: 'kh-act border-transparent bg-ink text-ink-inverse hover:bg-ink-soft',
  quiet: 'border-line-strong/50 bg-surface text-ink hover:bg-sunken hover:border-line-strong',
  bare: 'border-transparent text-ink-soft hover:bg-sunken hover:text-ink',
  danger: 'kh-act border-transparent bg-bad-fill text-on-fill hover:brightness-95',
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
