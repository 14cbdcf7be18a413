import { expect, test } from 'vitest'
import { argsWords } from './call-args.ts'

const told = (args: Record<string, unknown>, command = '/msg/send') => argsWords(command, args)

test('says what each argument is, in the words of a limit to it', () => {
  expect(told({ to: 'bob@example.com', urgent: true, size: 5, none: null })).toEqual([
    '“to” is “bob@example.com”',
    '“urgent” is true',
    '“size” is 5',
    '“none” is not given',
  ])
  expect(told({ to: { email: 'bob', 'a.b': 1 }, tags: ['a', 'b'], empty: {} })).toEqual([
    '“to.email” is “bob”',
    '“to["a.b"]” is 1',
    '“tags” is ["a", "b"]',
    '“empty” is {}',
  ])
  const call = { server: 'notes', name: 'read', arguments: { path: '/a' } }
  expect(told(call, '/mcp/tools/call')).toEqual([
    'the server is “notes”',
    'the tool is “read”',
    'the argument “path” is “/a”',
  ])
  expect(told({ file: { '/': { bytes: 'AAEC' } } })).toEqual(['“file” is the bytes “AAEC”'])
  expect(told({ '/': 'bafy', to: 'bob' })).toEqual(['“["/"]” is “bafy”', '“to” is “bob”'])
  expect(told({})).toEqual([])
})

test('tells what an argument hides', () =>
  expect(told({ to: 'a” and “b\u202e' })).toEqual(['“to” is “a\\” and \\“b\\u{202e}”']))

test('fills no screen, and says how much it leaves out', () => {
  expect(told(Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`n${at}`, at]))).at(-1)).toBe(
    '3 more values',
  )
  expect(told({ a: 1, b: 2, c: 3, d: 4, e: 5 }).at(-1)).toBe('one more value')
  const long = 'x'.repeat(10_000)
  expect(told({ to: long })[0]).toMatch(/^“to” is “x+ \[… 9940 more …\] x+”$/)
  const deep = Array.from({ length: 100 }).reduce<unknown>((inner) => ({ [long]: inner }), long)
  const hard = { [long]: long, list: Array(10_000).fill(long), bytes: { '/': { bytes: long } }, deep }
  const words = told(hard)
  expect(words.at(-1)).toBe('9,999 more values')
  expect(words.join().length).toBeLessThan(800)
  expect(told({ b: { '/': { bytes: long } }, c: { '/': long }, deep }).join().length).toBeLessThan(800)
})
