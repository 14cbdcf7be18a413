import { LanguageSwitch } from './language-switch.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

interface PreferencesPanelProps {
  /** Called before the page is drawn anew in another language. */
  onLanguage: () => void
}

/** What can be chosen for this browser. */
export default function PreferencesPanel({ onLanguage }: PreferencesPanelProps) {
  return (
    <div className="flex flex-col gap-4">
      <ThemeSwitch />
      <LanguageSwitch onChosen={onLanguage} />
    </div>
  )
}
