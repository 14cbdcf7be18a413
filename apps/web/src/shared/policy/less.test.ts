import { describe, expect, it } from 'vitest'
import { isPlainlyLess } from './less.ts'

const FOLDER = ['==', '.folder', 'recipes']
const PAGE = ['<=', '.page', 10]
const SIZE = ['>', '.size', 2]

describe('is clearly no more', () => {
  it.each([
    ['the same', [FOLDER, PAGE], [FOLDER, PAGE]],
    ['the same in another order', [PAGE, FOLDER], [FOLDER, PAGE]],
    ['one limit more', [FOLDER, PAGE, SIZE], [FOLDER, PAGE]],
    ['a limit where there was none', [FOLDER], []],
    ['nothing of nothing', [], []],
    ['a lower most', [['<=', '.page', 3]], [PAGE]],
    ['below the most', [['<', '.page', 10]], [PAGE]],
    ['one value within the most', [['==', '.page', 10]], [PAGE]],
    ['a higher least', [['>', '.size', 3]], [SIZE]],
    ['a least above what it must exceed', [['>=', '.size', 3]], [SIZE]],
    ['integers beyond 2^53', [['<=', '.page', 2n ** 60n - 1n]], [['<=', '.page', 2n ** 60n]]],
  ])('%s', (_what, given, asked) => {
    expect(isPlainlyLess(given, asked)).toBe(true)
  })
})

describe('may be more', () => {
  it.each([
    ['a limit is missing', [FOLDER], [FOLDER, PAGE]],
    ['all limits are missing', [], [FOLDER]],
    ['another value', [['==', '.folder', 'letters']], [FOLDER]],
    ['another field', [['<=', '.pages', 3]], [PAGE]],
    ['a field that may be absent', [['<=', '.page?', 3]], [PAGE]],
    ['a higher most', [['<=', '.page', 11]], [PAGE]],
    ['the most itself where it was to stay below', [['<=', '.page', 10]], [['<', '.page', 10]]],
    ['a higher bound to stay below', [['<', '.page', 11]], [['<', '.page', 10]]],
    ['a lower bound to exceed', [['>', '.size', 1]], [SIZE]],
    ['what it must exceed itself', [['>=', '.size', 2]], [SIZE]],
    ['a least for a most', [['>=', '.page', 3]], [PAGE]],
    ['anything but a value', [['!=', '.page', 3]], [PAGE]],
    ['one value beyond the most', [['==', '.page', 11]], [PAGE]],
    ['a text for a number', [['==', '.page', '3']], [PAGE]],
    ['one of several', [['or', [FOLDER, PAGE]]], [FOLDER]],
    ['what it was not', [['not', FOLDER]], [FOLDER]],
  ])('%s', (_what, given, asked) => {
    expect(isPlainlyLess(given, asked)).toBe(false)
  })
})
