import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { type ReactNode, StrictMode } from 'react'
import { SOURCE_LANGUAGE } from '../../locales/languages.js'
import { NotDrawn } from '../../pages/connect/not-drawn.tsx'
import { whenIdle } from '../../shared/browser/when-idle.ts'
import { readLanguage, showLanguage } from '../../shared/language/language.ts'
import { WindowFrame } from '../../shared/ui/layout/window-frame.tsx'
import { looksLocked } from '../../shared/vault/open-mark.ts'
import { wordPreloadErrors } from '../shell/preload-error.ts'
import { refuseDrops } from '../shell/refuse-drops.ts'
import { registerServiceWorker } from '../shell/service-worker.ts'
import { takeOver } from '../shell/take-over.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('connect.html has no element with the id root')

const inWords = (view: ReactNode) => (
  <StrictMode>
    <I18nProvider i18n={i18n}>{view}</I18nProvider>
  </StrictMode>
)

/** The page with its vault. */
async function page(): Promise<ReactNode> {
  try {
    const [{ ConnectLayout }, { default: ConnectPage }] = await Promise.all([
      import('../layout/connect-layout.tsx'),
      import('../../pages/connect/connect-page.tsx'),
      // While the vault opens, it calls no key unknown that a locked vault may know.
      looksLocked(),
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
refuseDrops()
showLanguage(readLanguage())
  .catch(() => showLanguage(SOURCE_LANGUAGE))
  .then(async () => takeOver(root, inWords(await page())))
  .then(whenIdle)
  .then(registerServiceWorker)
