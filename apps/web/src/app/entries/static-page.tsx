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
import { OWNER_SCRIPT } from '../shell/owner.ts'

/** The home page with nothing chosen. */
function Home() {
  return <HomePage search={{}} onSearchChange={() => undefined} />
}

/**
 * What a page shows before its scripts run, rendered at build time: the landing page or the frame alone. It uses the same components in
 * their state before the vault opens, so nothing moves when React takes over.
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

/** The same for the page that apps open, which has no router, before a request has arrived. */
async function renderConnect(language: Language): Promise<string> {
  await showLanguage(language)
  return draw(<ConnectLayout>{null}</ConnectLayout>)
}

/** The same for the demo's app, before its key is created. */
async function renderDemoApp(language: Language): Promise<string> {
  await showLanguage(language)
  return draw(<AppPage />)
}

/** Templates that the page needs before React runs, by id: the view of a request, and the message for when it can't be loaded. */
async function renderTemplates(language: Language): Promise<Record<string, string>> {
  await showLanguage(language)
  return { request: draw(<RequestTemplate />), 'not-drawn': draw(<NotDrawn />) }
}

/** The page that a static host sends for unknown addresses: the frame, with the message in each language. */
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

/** Removes the attributes and class names of icons that a page doesn't need. */
const draw = (page: ReactNode): string =>
  renderToStaticMarkup(<I18nProvider i18n={i18n}>{page}</I18nProvider>)
    .replaceAll(' xmlns="http://www.w3.org/2000/svg"', '')
    .replaceAll(/(class="lucide)(?: lucide-[a-z0-9-]+)+/g, '$1')

/** A prerendered start page. */
interface Beginning {
  readonly file: string
  readonly language: Language
  readonly markup: string
  /** For the landing page: runs before it is painted. */
  readonly script?: string
  /** For the page that apps open: see `renderTemplates`. */
  readonly templates?: Readonly<Record<string, string>>
}

/** How each start page is rendered. */
const DRAW: Readonly<Record<BeginningName, (language: Language) => Promise<string>>> = {
  index: (language) => render('/', language),
  connect: renderConnect,
  'demo-app': renderDemoApp,
  frame: (language) => render('/frame', language),
}

/** One after the other, because the language is global. */
async function drawAll(): Promise<Beginning[]> {
  const drawn: Beginning[] = []
  for (const name of BEGINNINGS)
    for (const language of LANGUAGE_TAGS) {
      const markup = await DRAW[name](language)
      const templates = name === 'connect' ? { templates: await renderTemplates(language) } : {}
      const script = name === 'index' ? { script: OWNER_SCRIPT } : {}
      drawn.push({ file: beginningFile(name, language), language, markup, ...script, ...templates })
    }
  return [
    ...drawn,
    { file: NOT_FOUND_PAGE.slice(1), language: SOURCE_LANGUAGE, markup: await renderNotFound() },
  ]
}

/** Every start page. They are rendered while this module loads, because its imports are gone afterwards. */
export const beginnings: readonly Beginning[] = await drawAll()
