import { t } from '@lingui/core/macro'
import { onApple } from '../../browser/platform.ts'
import { cx } from '../cx.ts'

const ON_APPLE: Readonly<Record<string, string>> = {
  mod: '⌘',
  alt: '⌥',
  shift: '⇧',
  enter: '↩',
  esc: 'esc',
  up: '↑',
  down: '↓',
}

function elsewhere(key: string): string | undefined {
  switch (key) {
    case 'mod':
      return t`Ctrl`
    case 'alt':
      return 'Alt'
    case 'shift':
      return t`Shift`
    case 'enter':
      return t`Enter`
    case 'esc':
      return t`Esc`
    case 'up':
      return '↑'
    case 'down':
      return '↓'
    default:
      return undefined
  }
}

/** A shortcut as the keys of this machine call it: "mod+k" is ⌘K on a Mac and Ctrl+K elsewhere. */
export function keyWords(keys: string, apple = onApple()): string {
  const words = keys
    .split('+')
    .map((key) => (apple ? ON_APPLE[key] : elsewhere(key)) ?? (key.length === 1 ? key.toUpperCase() : key))
  return words.join(apple ? '' : '+')
}

/** A shortcut, shown beside what it does. */
export function Kbd({ keys, className }: { keys: string; className?: string }) {
  return (
    <kbd
      className={cx(
        'inline-flex min-w-5 items-center justify-center whitespace-nowrap rounded-md border border-current/30 px-1.5 font-sans text-xs',
        className,
      )}
    >
      {keyWords(keys)}
    </kbd>
  )
}
