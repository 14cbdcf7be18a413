import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { readLanguage, showLanguage } from './lib/language.ts'
import { wordPreloadErrors } from './lib/preload-error.ts'
import { registerServiceWorker } from './lib/service-worker.ts'
import { settleSkippedTransitions } from './lib/view-transition.ts'
import { whenIdle } from './lib/when-idle.ts'
import { SOURCE_LANGUAGE } from './locales/languages.js'
import { router } from './router.tsx'
import { takeOver } from './shell/take-over.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id root')

wordPreloadErrors()
settleSkippedTransitions()
// React takes over once it has something better than what the page came with. A catalogue that cannot be fetched is no reason
// to show nothing: then it is English. A page that cannot be fetched is said in its place.
const language = showLanguage(readLanguage()).catch(() => showLanguage(SOURCE_LANGUAGE))
Promise.allSettled([language, router.load()])
  .then(() =>
    takeOver(
      root,
      <StrictMode>
        <I18nProvider i18n={i18n}>
          <RouterProvider router={router} />
        </I18nProvider>
      </StrictMode>,
    ),
  )
  // Last: it fetches the whole client once more, for the visits without a network.
  .then(whenIdle)
  .then(registerServiceWorker)
