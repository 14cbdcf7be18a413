import { expect, it } from 'vitest'
import { names, rangeOf } from './negotiation.js'

it.each([
  ['bytes=0-3', { first: 0, last: 3 }],
  ['bytes=4-', { first: 4, last: 9 }],
  ['bytes=-4', { first: 6, last: 9 }],
  ['bytes=9-9', { first: 9, last: 9 }],
  ['bytes=0-10', { first: 0, last: 9 }],
  ['bytes=0-9999', { first: 0, last: 9 }],
  ['bytes=-9999', { first: 0, last: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-12', 'unsatisfiable'],
  ['bytes=3-2', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=-', 'unsatisfiable'],
  ['bytes=a-b', 'unsatisfiable'],
  ['bytes=0-1,3-4', 'whole'],
  ['lines=0-3', 'whole'],
  [undefined, 'whole'],
])('of ten bytes %s is %o', (range, part) => {
  expect(rangeOf(range, 10)).toEqual(part)
})

it('an empty file has no ranges', () => {
  expect(rangeOf('bytes=0-', 0)).toBe('unsatisfiable')
  expect(rangeOf('bytes=-1', 0)).toBe('unsatisfiable')
})

it.each([
  ['*', 'strong', true],
  ['"a"', 'strong', true],
  ['"b", "a"', 'strong', true],
  ['W/"a"', 'weak', true],
  ['W/"a"', 'strong', false],
  ['"b"', 'weak', false],
] as const)('%s names "a" by the %s comparison: %s', (list, comparison, is) => {
  expect(names(list, '"a"', comparison)).toBe(is)
})
