import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

type Titles = Readonly<Record<string, MessageDescriptor>>

/** What each page is called, and each of its tabs, by their names in the address. */
const PAGES: Readonly<Record<string, { readonly title: MessageDescriptor; readonly tabs?: Titles }>> = {
  '/identity': {
    title: msg`Identity`,
    tabs: {
      overview: msg`Overview`,
      keys: msg`Keys`,
      grants: msg`Grants`,
      received: msg`Received`,
      contacts: msg`Contacts`,
      sessions: msg`Sessions`,
      check: msg`Check a token`,
      unlock: msg`Unlock`,
      backup: msg`Backup`,
      activity: msg`Activity`,
    },
  },
  '/register': {
    title: msg`Your vault`,
    tabs: { create: msg`Create a vault`, restore: msg`Restore a vault`, accounts: msg`Accounts` },
  },
  '/payment': {
    title: msg`Payments`,
    tabs: {
      new: msg`New mandate`,
      mandates: msg`Mandates`,
      history: msg`History`,
      requests: msg`Requests`,
      request: msg`Payment request`,
    },
  },
  '/search': { title: msg`Search` },
  '/connect': { title: msg`Connect` },
  '/demo-app': { title: msg`An app of the demo` },
  '/demo': {
    title: msg`Demo`,
    tabs: {
      functions: msg`Functions`,
      attacks: msg`Attacks`,
      app: msg`App`,
      shop: msg`Shop`,
      benchmark: msg`Benchmark`,
    },
  },
}

const NAME = 'Keyhole'

/**
 * The document's title, in the language of the page: what is looked at first, the product last.
 * @param tab of the address; one that is not known here is left out
 */
export function pageTitle(pathname: string, tab: unknown): string {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  if (path === '/') return NAME
  const page = Object.hasOwn(PAGES, path) ? PAGES[path] : undefined
  if (page === undefined) return [t`There is no page here`, NAME].join(' · ')
  const tabs = page.tabs ?? {}
  const within = typeof tab === 'string' && Object.hasOwn(tabs, tab) ? tabs[tab] : undefined
  return [...(within === undefined ? [] : [t(within)]), t(page.title), NAME].join(' · ')
}
