import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { type Place, placeAt } from '../../shared/ui/layout/navigation-place.ts'

type Titles = Readonly<Record<string, MessageDescriptor>>

/** The name of each place and its tabs, by their names in the address. */
const TITLES: Readonly<
  Record<Exclude<Place, 'home'>, { readonly title: MessageDescriptor; readonly tabs?: Titles }>
> = {
  grants: {
    title: msg`Grants`,
    tabs: {
      received: msg`Received`,
      requests: msg`Requests`,
      contacts: msg`Contacts`,
      ask: msg`Give your DID`,
    },
  },
  activity: { title: msg`Activity` },
  check: { title: msg`Check a token` },
  settings: {
    title: msg`Settings`,
    tabs: {
      overview: msg`Your account`,
      keys: msg`Keys`,
      unlock: msg`Unlocking`,
      backup: msg`Backup and storage`,
      devices: msg`Devices`,
      sessions: msg`Apps and tabs`,
      accounts: msg`Vaults`,
      look: msg`Theme and language`,
      about: msg`About Keyhole`,
    },
  },
  vault: {
    title: msg`Your vault`,
    tabs: { create: msg`Create a vault`, restore: msg`Restore a vault`, accounts: msg`Vaults` },
  },
  payments: {
    title: msg`Payments`,
    tabs: {
      new: msg`New mandate`,
      mandates: msg`Mandates`,
      history: msg`History`,
      request: msg`Payment request`,
    },
  },
  search: { title: msg`Search` },
  connect: { title: msg`Connect` },
  'demo-app': { title: msg`An app of the demo` },
  demo: {
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
 * The document's title in the current language, most specific part first and the product last.
 * @param tab the tab in the address; an unknown one is left out
 */
export function pageTitle(pathname: string, tab: unknown): string {
  const place = placeAt(pathname, tab)
  if (place === 'home') return NAME
  if (place === undefined) return [t`There is no page here`, NAME].join(' · ')
  const { title, tabs = {} } = TITLES[place]
  const within = typeof tab === 'string' && Object.hasOwn(tabs, tab) ? tabs[tab] : undefined
  return [...(within === undefined ? [] : [t(within)]), t(title), NAME].join(' · ')
}
