import PreferencesPanel from '../../../shared/ui/preferences/preferences-panel.tsx'

/** Theme and language, as the header's button has them. */
export function AppearanceSection() {
  return (
    <div className="max-w-72">
      <PreferencesPanel onLanguage={() => undefined} />
    </div>
  )
}
