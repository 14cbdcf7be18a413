import { useLingui } from '@lingui/react/macro'
import { Monitor, Moon, Sun } from 'lucide-react'
import { chooseTheme, useTheme } from '../../browser/theme.ts'
import { Segments } from '../fields/segments.tsx'

/** Light, dark, or as the system has it. */
export function ThemeSwitch() {
  const { t } = useLingui()
  return (
    <Segments
      label={t`Theme`}
      value={useTheme()}
      onValueChange={chooseTheme}
      options={[
        { value: 'system', label: t`System`, icon: <Monitor className="size-4" aria-hidden /> },
        { value: 'light', label: t`Light`, icon: <Sun className="size-4" aria-hidden /> },
        { value: 'dark', label: t`Dark`, icon: <Moon className="size-4" aria-hidden /> },
      ]}
    />
  )
}
