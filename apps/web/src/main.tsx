import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { readLanguage, showLanguage } from './lib/language.ts'
import { wordPreloadErrors } from './lib/preload-error.ts'
import { registerServiceWorker } from './lib/service-worker.ts'
import { settleSkippedTransitions } from './lib/view-transition.ts'
import { router } from './router.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id root')

wordPreloadErrors()
settleSkippedTransitions()
function show(root: HTMLElement): void {
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <RouterProvider router={router} />
      </I18nProvider>
    </StrictMode>,
  )
}

// A catalogue that cannot be fetched is no reason to show nothing: then it is English.
showLanguage(readLanguage())
  .catch(() => showLanguage('en'))
  .then(() => show(root))
registerServiceWorker()
