// Every component in every state, for development: `npm run dev`, then /dev/components. It isn't part of a build.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { beginHole } from '../src/app/background/begin-hole.ts'
import { applyTheme } from '../src/shared/browser/stored-theme.ts'
import { readLanguage, showLanguage } from '../src/shared/language/language.ts'
import { useLanguage } from '../src/shared/language/use-language.ts'
import { ToastProvider } from '../src/shared/ui/feedback/toast.tsx'
import { TooltipProvider } from '../src/shared/ui/feedback/tooltip.tsx'
import { HeaderMark } from '../src/shared/ui/layout/header-mark.tsx'
import { LanguageSwitch } from '../src/shared/ui/preferences/language-switch.tsx'
import { ThemeSwitch } from '../src/shared/ui/preferences/theme-switch.tsx'
import { Actions } from './actions.tsx'
import { Foundations } from './foundations.tsx'
import { Frames, frameOf } from './frames.tsx'
import { Identifiers } from './identifiers.tsx'
import { Inputs } from './inputs.tsx'
import { States } from './states.tsx'

function Gallery() {
  const language = useLanguage()
  return (
    <main key={language} className="mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 py-6">
      <h1 className="flex items-center gap-3 font-semibold text-3xl">
        <HeaderMark /> Components
      </h1>
      <div className="grid gap-4 sm:grid-cols-2">
        <ThemeSwitch />
        <LanguageSwitch />
      </div>
      <Foundations />
      <Actions />
      <Inputs />
      <Identifiers />
      <States />
      <Frames />
    </main>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('components.html has no element with the id root')
applyTheme()
await showLanguage(readLanguage())
beginHole()
createRoot(root).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <CSPProvider disableStyleElements>
        <ToastProvider>
          <TooltipProvider>
            {frameOf(new URLSearchParams(location.search).get('frame')) ?? <Gallery />}
          </TooltipProvider>
        </ToastProvider>
      </CSPProvider>
    </I18nProvider>
  </StrictMode>,
)
