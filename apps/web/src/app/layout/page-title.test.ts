import { expect, test } from 'vitest'
import { pageTitle } from './page-title.ts'

test.each([
  ['/', undefined, 'Keyhole'],
  ['/search', undefined, 'Search · Keyhole'],
  ['/identity', 'backup', 'Backup · Identity · Keyhole'],
  ['/identity/', 'nonsense', 'Identity · Keyhole'],
  ['/identity', ['backup'], 'Identity · Keyhole'],
  ['/identity', 'constructor', 'Identity · Keyhole'],
  ['/no/such/page', undefined, 'There is no page here · Keyhole'],
])('%s with tab %j is “%s”', (pathname, tab, title) => expect(pageTitle(pathname, tab)).toBe(title))
