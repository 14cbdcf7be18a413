import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { SOURCE_LANGUAGE } from '../../locales/languages.js'
import { whenIdle } from '../../shared/browser/when-idle.ts'
import { readLanguage, showLanguage } from '../../shared/language/language.ts'
import { router } from '../router/router.tsx'
import { catchDrops } from '../shell/drops.ts'
import { wordPreloadErrors } from '../shell/preload-error.ts'
import { registerServiceWorker } from '../shell/service-worker.ts'
import { takeOver } from '../shell/take-over.tsx'
import { settleSkippedTransitions } from '../shell/view-transition.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id root')

wordPreloadErrors()
settleSkippedTransitions()
catchDrops(() => void router.navigate({ to: '/register', search: { tab: 'restore' } }))
// React takes over once it has something better than the prerendered page. If a catalogue can't be loaded, show English. If a page can't be
// loaded, say so in its place.
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
  // Last, because it downloads the whole client again for offline visits.
  .then(whenIdle)
  .then(registerServiceWorker)
