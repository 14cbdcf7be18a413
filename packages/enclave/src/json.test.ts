import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson, stringifyJson } from './json.ts'

describe('parseJson', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740993', -9007199254740993n],
    ['[123456789012345678901234567890]', [123456789012345678901234567890n]],
    ['{"a":-18446744073709551616,"b":1}', { a: -18446744073709551616n, b: 1 }],
    ['1234567890123456.5', 1234567890123456.5],
    ['12345678901234567e3', 12345678901234567e3],
    ['0.12345678901234568', 0.12345678901234568],
    ['"12345678901234567890"', '12345678901234567890'],
    [
      '["a\\"12345678901234567890", "\\\\", 12345678901234567890]',
      ['a"12345678901234567890', '\\', 12345678901234567890n],
    ],
  ])('%s', (text, value) => {
    expect(parseJson(text)).toEqual(value)
  })

  it('keeps a key called __proto__ as a plain key', () => {
    const value = parseJson('{"__proto__":12345678901234567890}')
    expect(Object.entries(value ?? {})).toEqual([['__proto__', 12345678901234567890n]])
  })

  it.each(['', '{', '[12345678901234567890', '"12345678901234567890', '012345678901234567890'])(
    'refuses %j',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError)
    },
  )
})

describe('stringifyJson', () => {
  it('writes bigints as digits, at any depth', () => {
    expect(stringifyJson({ a: [1n, { b: -12345678901234567890n }], c: '12n' })).toBe(
      '{"a":[1,{"b":-12345678901234567890}],"c":"12n"}',
    )
    expect(stringifyJson(7n)).toBe('7')
  })

  it('writes nothing for undefined', () => {
    expect(stringifyJson(undefined)).toBe('')
  })
})

it('returns the same value, to the last digit', () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.bigInt(),
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(leaf, fc.array(tie('tree')), fc.dictionary(fc.string(), tie('tree'))),
  }))
  const same = (value: unknown): unknown => {
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
    if (Array.isArray(value)) return value.map(same)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, same(each)]))
    // A float written as a long integer comes back as a bigint.
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
      return /e/.test(String(value)) ? value : BigInt(String(value))
    return Object.is(value, -0) ? 0 : value
  }
  fc.assert(
    fc.property(tree, (value) => {
      expect(parseJson(stringifyJson(value))).toEqual(same(value))
    }),
  )
})
