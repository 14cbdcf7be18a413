import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { applyTheme } from './components/theme.ts'
import { readLanguage, showLanguage } from './lib/language.ts'
import { wordPreloadErrors } from './lib/preload-error.ts'
import { registerServiceWorker } from './lib/service-worker.ts'
import { settleSkippedTransitions } from './lib/view-transition.ts'
import { router } from './router.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id root')

applyTheme()
wordPreloadErrors()
settleSkippedTransitions()
/** Puts React in the place of what the page came with, and the focus where it was. */
function show(root: HTMLElement): void {
  const stops = () => [...root.querySelectorAll<HTMLElement>('a, button')]
  const focused = stops().findIndex((stop) => stop === document.activeElement)
  const view = createRoot(root)
  flushSync(() =>
    view.render(
      <StrictMode>
        <I18nProvider i18n={i18n}>
          <RouterProvider router={router} />
        </I18nProvider>
      </StrictMode>,
    ),
  )
  stops()[focused]?.focus()
}

// React takes over once it has something better than what the page came with. A catalogue that cannot be fetched is no reason
// to show nothing: then it is English. A page that cannot be fetched is said in its place.
const language = showLanguage(readLanguage()).catch(() => showLanguage('en'))
Promise.allSettled([language, router.load()]).then(() => show(root))
registerServiceWorker()
