import { expect, it } from 'vitest'
import { httpCallOf } from './http-call.ts'

it('a long query of one name costs no more than one of many names', () => {
  // A list that is copied for each would take half a minute.
  expect(ofNotes(`/a?${'a&'.repeat(32_000)}`)?.args.query?.a).toHaveLength(32_000)
})

const ofNotes = (target: string, method = 'GET') => httpCallOf('notes', method, target)

it.each([
  ['/', '/', undefined],
  ['/a/b', '/a/b', undefined],
  ['/a/', '/a/', undefined],
  ['/%61%20b', '/a b', undefined],
  ['/caf%C3%A9', '/café', undefined],
  ['/a.b/...', '/a.b/...', undefined],
  ['/a;v=1/b', '/a;v=1/b', undefined],
  ['/a?', '/a', undefined],
  ['/a?x=1&y=b%20c+d', '/a', { x: '1', y: 'b c d' }],
  ['/a?x=1&x=2&x', '/a', { x: ['1', '2', ''] }],
  ['/a?constructor=1', '/a', { constructor: '1' }],
  ['/a?created[from]=1&created[to]=2', '/a', { 'created[from]': '1', 'created[to]': '2' }],
  ['/a?_=1&-=2', '/a', { _: '1', '-': '2' }],
  ['/a?method=1&_methods=2&payment_method=3', '/a', { method: '1', _methods: '2', payment_method: '3' }],
  ['/a?u=/../%2Fb', '/a', { u: '/..//b' }],
])('%s is one path and its parameters', (target, path, query) => {
  expect(ofNotes(target)).toEqual({
    command: '/http/get',
    args: { service: 'notes', path, ...(query && { query }) },
  })
})

it.each([
  '',
  'a',
  '*',
  'http://other/a',
  '//other/a',
  '/a//b',
  '/a/../b',
  '/a/..',
  '/./a',
  '/a/%2e%2e/b',
  '/a/%2E./b',
  '/a/..;/b',
  '/a/.%2e;x=1/b',
  '/a%2fb',
  '/a%5cb',
  '/a\\b',
  '/a%252e',
  '/a%00',
  '/a%0d%0aX:1',
  '/a%7f',
  '/a b',
  '/café',
  '/cafe%CC%81',
  '/%ff',
  '/%c0%ae%c0%ae/',
  '/%',
  '/%zz',
  '/a#b',
  '/a?x=%zz',
  '/a?x=1;y=2',
  '/a?__proto__=1',
  '/a?x=cafe%CC%81',
  '/a?owner=me&Owner=you',
  '/a?owner=me&owner[]=you',
  '/a?owner[]=you&owner=me',
  '/a?user_id=1&user.id=2',
  '/a?created[from]=1&created[from_]=2',
  '/a?_method=DELETE',
  '/a?x=1&_METHOD=put',
  '/a?%5Fmethod',
  '/a?+_method[]=DELETE',
  '/a?.method=DELETE',
  '/a?_httpmethod=DELETE',
  '/a?x-http-method-override=DELETE',
])('%s could be read in two ways', (target) => {
  expect(ofNotes(target)).toBeUndefined()
})

it.each(['get', 'GE T', 'GET/../post', '', 'X'.repeat(21)])('%s is not a method', (method) => {
  expect(ofNotes('/', method)).toBeUndefined()
})
