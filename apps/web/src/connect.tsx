import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { type ReactNode, StrictMode } from 'react'
import { ErrorBoundary } from './components/error-boundary.tsx'
import { WindowFrame } from './components/window-frame.tsx'
import { Glance } from './features/connect/glance.tsx'
import { NotDrawn } from './features/connect/not-drawn.tsx'
import { readLanguage, showLanguage } from './lib/language.ts'
import { wordPreloadErrors } from './lib/preload-error.ts'
import { registerServiceWorker } from './lib/service-worker.ts'
import { whenIdle } from './lib/when-idle.ts'
import { takeOver } from './shell/take-over.tsx'

const root = document.getElementById('root')
const page = document.getElementById('page')
if (!root || !page) throw new Error('connect.html has no elements with the ids root and page')

const inWords = (view: ReactNode) => (
  <StrictMode>
    <I18nProvider i18n={i18n}>{view}</I18nProvider>
  </StrictMode>
)

/** The page, with the vault in it. */
async function room(): Promise<ReactNode> {
  try {
    const [{ ConnectLayout }, { default: ConnectPage }] = await Promise.all([
      import('./lib/connect-layout.tsx'),
      import('./features/connect/connect-page.tsx'),
    ])
    return (
      <ConnectLayout>
        <ConnectPage />
      </ConnectLayout>
    )
  } catch {
    return (
      <WindowFrame account={null}>
        <NotDrawn />
      </WindowFrame>
    )
  }
}

wordPreloadErrors()
showLanguage(readLanguage())
  .catch(() => showLanguage('en'))
  .then(async () => {
    // The request comes first, in the frame that is there: it is read while the vault is fetched.
    const first = (
      <ErrorBoundary fallback={null}>
        <Glance />
      </ErrorBoundary>
    )
    const glance = await takeOver(page, inWords(first), (act) => act())
    await takeOver(root, inWords(await room()))
    glance.unmount()
  })
  .then(whenIdle)
  .then(registerServiceWorker)
