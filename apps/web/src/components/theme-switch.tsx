import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Monitor, Moon, Sun } from 'lucide-react'
import { chooseTheme, type Theme, useTheme } from './theme.ts'

const ORDER: readonly Theme[] = ['system', 'light', 'dark']
const WORDS = { system: msg`as the system`, light: msg`light`, dark: msg`dark` } as const
const ICONS = { system: Monitor, light: Sun, dark: Moon } as const

/** Steps through the three themes; its name says which is on and which comes next. */
export function ThemeSwitch() {
  const { t, i18n } = useLingui()
  const theme = useTheme()
  const next = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? 'system'
  const Icon = ICONS[theme]
  const [now, then] = [i18n._(WORDS[theme]), i18n._(WORDS[next])]
  const words = t`Theme: ${now}. Change to ${then}`
  return (
    <button
      type="button"
      aria-label={words}
      title={words}
      onClick={() => chooseTheme(next)}
      className="grid size-9 place-items-center rounded-lg text-ink-soft hover:bg-sunken hover:text-ink"
    >
      <Icon className="size-4.5" aria-hidden />
    </button>
  )
}
