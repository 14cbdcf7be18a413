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
import { prerender } from 'react-dom/static'
import { beginningFile, LANGUAGE_TAGS, SOURCE_LANGUAGE, TRANSLATED_TAGS } from '../../locales/languages.js'
import { NotDrawn } from '../../pages/connect/not-drawn.tsx'
import { RequestTemplate } from '../../pages/connect/request-template.tsx'
import { AppPage } from '../../pages/demo/app/app-page.tsx'
import { DemoPage } from '../../pages/demo/demo-page.tsx'
import { HomePage } from '../../pages/home/home-page.tsx'
import { IdentityPage } from '../../pages/identity/identity-page.tsx'
import { PaymentPage } from '../../pages/payment/payment-page.tsx'
import { RegisterPage } from '../../pages/register/register-page.tsx'
import { SearchPage } from '../../pages/search/search-page.tsx'
import { BEGINNINGS, type Beginning as BeginningName, DRAWN, NOT_FOUND_PAGE } from '../../server/pages.js'
import { type Language, showLanguage } from '../../shared/language/language.ts'
import { ConnectLayout } from '../layout/connect-layout.tsx'
import Layout from '../layout/layout.tsx'
import { NotFoundAtHost } from '../layout/not-found.tsx'
import { OWNER_SCRIPT } from '../shell/owner.ts'

const stay = () => undefined

/** The routes that come drawn, with nothing chosen. */
const PAGES: Readonly<Record<'' | (typeof DRAWN)[number], () => ReactNode>> = {
  '': () => <HomePage search={{}} onSearchChange={stay} />,
  search: () => <SearchPage search={{}} />,
  register: () => <RegisterPage search={{}} onSearchChange={stay} />,
  payment: () => <PaymentPage search={{}} onSearchChange={stay} onFilter={stay} />,
  identity: () => <IdentityPage search={{}} onSearchChange={stay} onSectionChange={stay} />,
  demo: () => <DemoPage search={{}} onSearchChange={stay} />,
}

/**
 * What a page shows before its scripts run, rendered at build time: as someone without a vault sees it, or the frame alone. It uses the same
 * components in their state before the vault opens, so nothing moves when React takes over.
 */
async function render(path: string, language: Language): Promise<string> {
  await showLanguage(language)
  const root = createRootRoute({ component: Layout })
  const pages = Object.entries(PAGES).map(([name, component]) =>
    createRoute({ getParentRoute: () => root, path: `/${name}`, component }),
  )
  const other = createRoute({ getParentRoute: () => root, path: '$', component: () => null })
  const router = createRouter({
    routeTree: root.addChildren([...pages, other]),
    history: createMemoryHistory({ initialEntries: [path] }),
    isServer: true,
  })
  await router.load()
  const page = <RouterProvider router={router as never} />
  // The rest of the landing page is below the fold, and comes when it is wanted.
  return path === '/' ? draw(page) : await drawWhole(page)
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

const translated = (page: ReactNode) => <I18nProvider i18n={i18n}>{page}</I18nProvider>

const draw = (page: ReactNode): string => tidy(renderToStaticMarkup(translated(page)))

/** What Base UI adds to a progress bar for one screen reader. It is hidden by a style, which a page may not begin with. */
const HIDDEN_LETTER = /<span role="presentation" style="[^"]*">x<\/span>/g

/** Also draws parts that are loaded later, without the comments by which React would find them again. */
async function drawWhole(page: ReactNode): Promise<string> {
  let failure: unknown
  const onError = (error: unknown) => {
    failure ??= error
  }
  // Otherwise a script would put long parts in their place.
  const { prelude } = await prerender(translated(page), {
    onError,
    progressiveChunkSize: Number.POSITIVE_INFINITY,
  })
  if (failure !== undefined) throw failure
  const markup = await new Response(prelude).text()
  return tidy(markup.replaceAll(/<!--.*?-->/g, '').replaceAll(HIDDEN_LETTER, ''))
}

/** Removes the attributes and class names of icons that a page doesn't need. */
const tidy = (markup: string): string =>
  markup
    .replaceAll(' xmlns="http://www.w3.org/2000/svg"', '')
    .replaceAll(/(class="lucide)(?: lucide-[a-z0-9-]+)+/g, '$1')

/** A prerendered start page. */
interface Beginning {
  readonly file: string
  readonly language: Language
  readonly markup: string
  /** For a page drawn for someone without a vault: runs before it is painted. */
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
  search: (language) => render('/search', language),
  register: (language) => render('/register', language),
  payment: (language) => render('/payment', language),
  identity: (language) => render('/identity', language),
  demo: (language) => render('/demo', language),
}

/** One after the other, because the language is global. */
async function drawAll(): Promise<Beginning[]> {
  const drawn: Beginning[] = []
  for (const name of BEGINNINGS)
    for (const language of LANGUAGE_TAGS) {
      const markup = await DRAW[name](language)
      const templates = name === 'connect' ? { templates: await renderTemplates(language) } : {}
      const isDrawn = name === 'index' || DRAWN.some((route) => route === name)
      const script = isDrawn ? { script: OWNER_SCRIPT } : {}
      drawn.push({ file: beginningFile(name, language), language, markup, ...script, ...templates })
    }
  return [
    ...drawn,
    { file: NOT_FOUND_PAGE.slice(1), language: SOURCE_LANGUAGE, markup: await renderNotFound() },
  ]
}

/** Every start page. They are rendered while this module loads, because its imports are gone afterwards. */
export const beginnings: readonly Beginning[] = await drawAll()
