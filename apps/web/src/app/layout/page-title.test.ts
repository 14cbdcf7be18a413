import { expect, test } from 'vitest'
import { pageTitle } from './page-title.ts'

test.each([
  ['/', undefined, 'Keyhole'],
  ['/search', undefined, 'Search · Keyhole'],
  ['/identity', 'grants', 'Grants · Keyhole'],
  ['/identity', 'contacts', 'Contacts · Grants · Keyhole'],
  ['/identity', 'activity', 'Activity · Keyhole'],
  ['/identity', 'backup', 'Backup and storage · Settings · Keyhole'],
  ['/identity', undefined, 'Settings · Keyhole'],
  ['/identity/', 'nonsense', 'Settings · Keyhole'],
  ['/identity', ['backup'], 'Settings · Keyhole'],
  ['/identity', 'constructor', 'Settings · Keyhole'],
  ['/no/such/page', undefined, 'There is no page here · Keyhole'],
])('%s with tab %j is “%s”', (pathname, tab, title) => expect(pageTitle(pathname, tab)).toBe(title))
