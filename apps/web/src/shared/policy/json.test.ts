import { afterEach, describe, expect, it, vi } from 'vitest'
import { exactJson, readJson } from './json.ts'

afterEach(() => void vi.restoreAllMocks())

describe('readJson', () => {
  it('reads what JSON.parse reads', () => {
    const text = '{"a": [1, -2.5, 1e3, true, false, null, "x\\u00e9\\n"], "b": {}, "c": []}'
    expect(readJson(text)).toEqual({ value: JSON.parse(text) })
  })

  it('keeps integers beyond 2^53 exactly', () => {
    expect(readJson('[9007199254740993, -123456789012345678901234567890]')).toEqual({
      value: [9007199254740993n, -123456789012345678901234567890n],
    })
  })

  it.each([
    ['', 'line 1, column 1'],
    ['[1, 2', 'line 1, column 6'],
    ['[\n  1,\n  oops\n]', 'line 3, column 3'],
    ['{"a": 1, "a": 2}', 'is used twice'],
    ['{a: 1}', 'double quotes'],
    ['[1] [2]', 'after the end'],
    ['"no end', 'does not end'],
    [`${'['.repeat(200)}${']'.repeat(200)}`, '128 deep'],
  ])('says where %j is wrong', (text, words) => {
    const read = readJson(text)
    expect('problem' in read ? read.problem : '').toContain(words)
  })

  it('keeps a name such as __proto__ as data', () => {
    const read = readJson('{"__proto__": 1}')
    expect('value' in read && Object.keys(read.value ?? {})).toEqual(['__proto__'])
  })
})

describe('exactJson', () => {
  it('reads back as the same value', () => {
    const value = {
      amount: 123456789012345678901234567890n,
      list: [1, 'two', [null, { deep: true }]],
      empty: {},
    }
    expect(readJson(exactJson(value))).toEqual({ value })
  })

  it('writes each value once, however deep its lists are', () => {
    const long = 'é'.repeat(100)
    let value: unknown = long
    for (let depth = 0; depth < 16; depth += 1) value = [value]
    const write = vi.spyOn(JSON, 'stringify')
    const text = exactJson(value)
    expect(write.mock.calls.filter(([each]) => each === long)).toHaveLength(1)
    expect(readJson(text)).toEqual({ value })
  })

  it('puts a short list in one line, and a long one in many', () => {
    expect(exactJson([['<=', '.amount', 5], [], ['==', '.to', { a: [1, {}], 'b\u202e': 'c' }]])).toBe(
      `[
  ["<=", ".amount", 5],
  [],
  [
    "==",
    ".to",
    {
      "a": [1, {}],
      "b\\u202e": "c"
    }
  ]
]`,
    )
  })
})
