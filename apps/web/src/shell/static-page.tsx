import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { RequestTemplate } from '../features/connect/request-template.tsx'
import { HomePage } from '../features/home/home-page.tsx'
import { ConnectLayout } from '../lib/connect-layout.tsx'
import { type Language, showLanguage } from '../lib/language.ts'
import Layout from '../lib/layout.tsx'

/** The first page before anything is chosen on it. */
function Home() {
  return <HomePage search={{}} onSearchChange={() => undefined} />
}

/**
 * What a page shows before its scripts are there: the landing, or the frame alone, drawn when the client is built. They are the
 * components themselves in the state before the vault is open, so that nothing moves when React takes over.
 */
async function render(path: string, language: Language): Promise<string> {
  await showLanguage(language)
  const root = createRootRoute({ component: Layout })
  const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })
  const other = createRoute({ getParentRoute: () => root, path: '$', component: () => null })
  const router = createRouter({
    routeTree: root.addChildren([home, other]),
    history: createMemoryHistory({ initialEntries: [path] }),
    isServer: true,
  })
  await router.load()
  return draw(<RouterProvider router={router as never} />)
}

/** The same of the page that apps open, which has no router, before anything was asked. */
async function renderConnect(language: Language): Promise<string> {
  await showLanguage(language)
  return draw(<ConnectLayout>{null}</ConnectLayout>)
}

/** The view of what is asked on it, with its places empty. */
async function renderRequest(language: Language): Promise<string> {
  await showLanguage(language)
  return draw(<RequestTemplate />)
}

const draw = (page: ReactNode): string =>
  renderToStaticMarkup(<I18nProvider i18n={i18n}>{page}</I18nProvider>)

/** What a page begins with. */
interface Beginning {
  readonly file: string
  readonly language: Language
  readonly markup: string
  /** The view of a request, on the page that apps open. */
  readonly request?: string
}

/** Each file that a page can begin with. Drawn while this module is read: what it imports is gone afterwards. */
export const beginnings: readonly Beginning[] = [
  { file: 'index.html', language: 'en', markup: await render('/', 'en') },
  { file: 'index.de.html', language: 'de', markup: await render('/', 'de') },
  {
    ...{ file: 'connect.html', language: 'en', markup: await renderConnect('en') },
    request: await renderRequest('en'),
  },
  {
    ...{ file: 'connect.de.html', language: 'de', markup: await renderConnect('de') },
    request: await renderRequest('de'),
  },
  { file: 'frame.html', language: 'en', markup: await render('/frame', 'en') },
  { file: 'frame.de.html', language: 'de', markup: await render('/frame', 'de') },
]
