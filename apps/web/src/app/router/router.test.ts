// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { QueryDevtools, RouterDevtools } from '../providers/devtools.tsx'
import { router } from './router.tsx'

test('preloads on intent, restores the scroll position, uses view transitions', () => {
  expect(router.options).toMatchObject({
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultViewTransition: true,
  })
})

test('has a root and six routes', () => {
  expect(Object.keys(router.routesByPath).sort()).toEqual([
    '/',
    '/demo',
    '/identity',
    '/payment',
    '/register',
    '/search',
  ])
})

test('two development tool placeholders render nothing', () => {
  expect([RouterDevtools(), QueryDevtools()]).toEqual([null, null])
})
