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
import { beginningFile, LANGUAGE_TAGS, SOURCE_LANGUAGE, TRANSLATED_TAGS } from '../../locales/languages.js'
import { NotDrawn } from '../../pages/connect/not-drawn.tsx'
import { RequestTemplate } from '../../pages/connect/request-template.tsx'
import { AppPage } from '../../pages/demo/app/app-page.tsx'
import { HomePage } from '../../pages/home/home-page.tsx'
import { BEGINNINGS, type Beginning as BeginningName, NOT_FOUND_PAGE } from '../../server/pages.js'
import { type Language, showLanguage } from '../../shared/language/language.ts'
import { ConnectLayout } from '../layout/connect-layout.tsx'
import Layout from '../layout/layout.tsx'
import { NotFoundAtHost } from '../layout/not-found.tsx'

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

/** The same of the demo's app, before its key is made. */
async function renderDemoApp(language: Language): Promise<string> {
  await showLanguage(language)
  return draw(<AppPage />)
}

/** What the page holds ready before React is there, by its id: the view of a request, and the words for when it cannot be fetched. */
async function renderTemplates(language: Language): Promise<Record<string, string>> {
  await showLanguage(language)
  return { request: draw(<RequestTemplate />), 'not-drawn': draw(<NotDrawn />) }
}

/** What a static host answers with where there is nothing: the frame, with the words in each language. */
async function renderNotFound(): Promise<string> {
  const frame = await render('/frame', SOURCE_LANGUAGE)
  let words = draw(<NotFoundAtHost heading="h1" />)
  for (const language of TRANSLATED_TAGS) {
    await showLanguage(language)
    words += `<div lang="${language}">${draw(<NotFoundAtHost heading="h2" />)}</div>`
  }
  if (!frame.includes('</main>')) throw new Error('The frame has no place for a page')
  return frame.replace('</main>', () => `${words}</main>`)
}

/** Icons without what only a file of their own needs, and the names of theirs that no style uses. */
const draw = (page: ReactNode): string =>
  renderToStaticMarkup(<I18nProvider i18n={i18n}>{page}</I18nProvider>)
    .replaceAll(' xmlns="http://www.w3.org/2000/svg"', '')
    .replaceAll(/(class="lucide)(?: lucide-[a-z0-9-]+)+/g, '$1')

/** What a page begins with. */
interface Beginning {
  readonly file: string
  readonly language: Language
  readonly markup: string
  /** On the page that apps open: see `renderTemplates`. */
  readonly templates?: Readonly<Record<string, string>>
}

/** What draws each beginning. */
const DRAW: Readonly<Record<BeginningName, (language: Language) => Promise<string>>> = {
  index: (language) => render('/', language),
  connect: renderConnect,
  'demo-app': renderDemoApp,
  frame: (language) => render('/frame', language),
}

/** One after the other: the language is the page's. */
async function drawAll(): Promise<Beginning[]> {
  const drawn: Beginning[] = []
  for (const name of BEGINNINGS)
    for (const language of LANGUAGE_TAGS) {
      const markup = await DRAW[name](language)
      const templates = name === 'connect' ? { templates: await renderTemplates(language) } : {}
      drawn.push({ file: beginningFile(name, language), language, markup, ...templates })
    }
  return [
    ...drawn,
    { file: NOT_FOUND_PAGE.slice(1), language: SOURCE_LANGUAGE, markup: await renderNotFound() },
  ]
}

/** Each file that a page can begin with. Drawn while this module is read: what it imports is gone afterwards. */
export const beginnings: readonly Beginning[] = await drawAll()
