import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { LANGUAGE_TAGS, LANGUAGES } from '../../../locales/languages.js'
import { chooseLanguage, type Language } from '../../language/language.ts'
import { useLanguage } from '../../language/use-language.ts'
import { Segments } from '../fields/segments.tsx'

const OPTIONS = LANGUAGE_TAGS.map((value) => ({
  value,
  label: LANGUAGES[value].name,
  lang: value,
}))

interface LanguageSwitchProps {
  /** Called before the page is drawn anew in another language, which takes this switch with it. */
  onChosen?: () => void
}

/** The languages by their own names. */
export function LanguageSwitch({ onChosen }: LanguageSwitchProps) {
  const { t } = useLingui()
  const language = useLanguage()
  const [failed, setFailed] = useState(false)
  const choose = (next: Language) => {
    setFailed(false)
    onChosen?.()
    chooseLanguage(next).catch(() => setFailed(true))
  }
  return (
    <>
      <Segments label={t`Language`} value={language} onValueChange={choose} options={OPTIONS} />
      <p role="status" className={failed ? 'text-bad text-sm' : 'sr-only'}>
        {failed ? t`That language could not be fetched. Try again when you are online.` : ''}
      </p>
    </>
  )
}
