import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyValue } from '../../../enclave/src/test/naive-arbitraries.ts'
import { encode } from '../../../enclave/src/test/naive-cbor.ts'
import { Link as NaiveLink, type Value as NaiveValue } from '../../../enclave/src/test/naive-evaluator.ts'
import { CborReader } from './cbor-reader.ts'
import { encodeCbor } from './cbor-writer.ts'
import { cidText, isCid, readCid } from './cid.ts'
import { fromValue, toValue } from './dag-json.ts'
import { gunzip, gzip, unpackedLength } from './gzip.ts'
import {
  fromBase32,
  fromBase58,
  fromBase64,
  fromBase64url,
  toBase32,
  toBase58,
  toBase64,
  toBase64url,
} from './text.ts'
import { Link, type Value } from './value.ts'
import { Budget } from './work-budget.ts'

function read(bytes: Uint8Array): Value {
  const reader = new CborReader(new Uint8Array(bytes), new Budget())
  const value = reader.value(0)
  reader.end()
  return value
}

/** The same value in the test's own classes. */
function plain(value: Value): unknown {
  if (value instanceof Link) return new NaiveLink(Buffer.from(value.bytes))
  if (value instanceof Uint8Array) return Buffer.from(value)
  if (value instanceof Map) return new Map([...value].map(([key, each]) => [key, plain(each)]))
  return Array.isArray(value) ? value.map(plain) : value
}

const naive = (value: NaiveValue) =>
  plain(value instanceof NaiveLink ? new Link(value.bytes) : (value as Value))

describe('DAG-CBOR', () => {
  it('is read as written by another library', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(JSON.stringify(plain(read(encode(value))), show)).toBe(JSON.stringify(sorted(value), show))
      }),
      { numRuns: 2_000 },
    )
  })

  it('is written byte for byte as it was read', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const bytes = encode(value)
        const told = fromValue(read(bytes))
        // JavaScript has no float without a fraction.
        fc.pre(!hasWholeFloat(value))
        expect(Buffer.from(encodeCbor(told))).toEqual(bytes)
      }),
      { numRuns: 2_000 },
    )
  })

  it('reads no changed byte as another encoding of the same value', () => {
    fc.assert(
      fc.property(anyValue, fc.nat(), fc.integer({ min: 1, max: 255 }), (value, at, change) => {
        const bytes = encode(value)
        bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ change
        let again: Value
        try {
          again = read(bytes)
        } catch (error) {
          expect(error).toMatchObject({ code: 'MalformedToken' })
          return
        }
        fc.pre(!hasWholeFloat(again as NaiveValue) && !JSON.stringify(plain(again), show).includes('"/"'))
        expect(Buffer.from(encodeCbor(fromValue(again)))).toEqual(bytes)
      }),
      { numRuns: 3_000 },
    )
  })

  it.each([
    ['a float without digits', 2 ** 60],
    ['not a number', Number.NaN],
    ['an infinity', Number.POSITIVE_INFINITY],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['undefined in a list', [undefined]],
    ['a date', new Date(0)],
    ['a Map', new Map()],
    ['65 bits', 2n ** 64n],
    ['65 bits below zero', -(2n ** 64n) - 1n],
    ['half of a surrogate pair', '\ud800'],
    ['half of a surrogate pair in a key', { '\udc00': 1 }],
    ['a key “/” next to another', { '/': 'bafyreib', a: 1 }],
    ['an invalid link', { '/': 'bafyreib' }],
    ['bytes that are not base64', { '/': { bytes: 'a=' } }],
    ['itself', circle()],
  ])('does not write %s', (_name, value) => {
    expect(() => toValue(value)).toThrow(expect.objectContaining({ code: 'InvalidInput' }))
  })

  it('keeps a key __proto__ as a plain key', () => {
    const value = JSON.parse('{"__proto__":{"a":1}}')
    expect(fromValue(toValue(value))).toEqual(value)
    expect(Object.keys(fromValue(toValue(value)) as object)).toEqual(['__proto__'])
  })
})

describe('text', () => {
  it('matches other libraries, and has only one form', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const buffer = Buffer.from(bytes)
        expect(toBase64url(bytes)).toBe(buffer.toString('base64url'))
        expect(toBase64(bytes)).toBe(buffer.toString('base64').replaceAll('=', ''))
        for (const [write, readBack] of [
          [toBase64url, fromBase64url],
          [toBase64, fromBase64],
          [toBase32, fromBase32],
        ] as const) {
          expect(readBack(write(bytes))).toEqual(Uint8Array.from(bytes))
        }
        if (bytes.length > 0 && bytes[0] !== 0)
          expect(fromBase58(toBase58(bytes))).toEqual(Uint8Array.from(bytes))
      }),
    )
  })

  it.each(['A', 'AB', 'AA==', 'AA A', 'AA+A', 'A\u00e9', 'AAAAA'])('%j is not base64url', (text) => {
    expect(fromBase64url(text)).toBeUndefined()
  })

  it.each(['a', 'ab1', 'AE', 'ae======', 'aae'])('%j is not base32', (text) => {
    expect(fromBase32(text)).toBeUndefined()
  })
})

describe('a CID', () => {
  it('is read from each of its text forms, and from no other', () => {
    const bytes = Buffer.concat([Buffer.from('01711220', 'hex'), randomBytes(32)])
    const link = new Link(bytes)
    expect(readCid(cidText(link))?.bytes).toEqual(Uint8Array.from(bytes))
    expect(readCid(`z${toBase58(bytes)}`)?.bytes).toEqual(Uint8Array.from(bytes))
    const old = Buffer.concat([Buffer.from('1220', 'hex'), randomBytes(32)])
    expect(readCid(cidText(new Link(old)))?.bytes).toEqual(Uint8Array.from(old))
    for (const text of [
      '',
      'b',
      'z',
      'Q',
      'x',
      `b${toBase32(old)}`,
      cidText(link).toUpperCase(),
      `${cidText(link)}a`,
      'b'.repeat(300),
    ])
      expect(readCid(text), text).toBeUndefined()
  })

  it.each([
    ['0155120000', false],
    ['01551200', true],
    ['0155120100', true],
    ['018000120100', false],
    ['01ed01120100', true],
    ['0155124100', false],
    ['0255120100', false],
    ['', false],
    ['01', false],
    [`01${'ff'.repeat(9)}01120100`, true],
    [`01${'ff'.repeat(9)}02120100`, false],
    [`01${'ff'.repeat(10)}01120100`, false],
  ])('%s is a CID: %s', (hex, expected) => {
    expect(isCid(Buffer.from(hex, 'hex'))).toBe(expected)
  })
})

describe('gzip', () => {
  it('restores what was packed, here and elsewhere', async () => {
    for (const length of [0, 1, 1_000, 100_000]) {
      const data = new Uint8Array(randomBytes(length))
      for (const packed of [await gzip(data), new Uint8Array(gzipSync(data))]) {
        expect(unpackedLength(packed)).toBe(length)
        expect(await gunzip(new Uint8Array(packed), length)).toEqual(data)
      }
    }
  })

  it('unpacks no more than allowed, and nothing that is damaged or has more after it', async () => {
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(64 << 20)))
    expect(await gunzip(bomb, 1_000)).toBeUndefined()
    const packed = gzipSync(Buffer.from('some tokens, some tokens, some tokens'))
    expect(await gunzip(new Uint8Array(packed), 37)).toBeDefined()
    for (const damaged of [
      packed.subarray(0, -1),
      packed.subarray(1),
      Buffer.concat([packed.subarray(0, -5), Buffer.of(1), packed.subarray(-4)]),
      Buffer.alloc(30),
      Buffer.alloc(0),
    ])
      expect(await gunzip(new Uint8Array(damaged), 37)).toBeUndefined()
    const twice = new Uint8Array(Buffer.concat([packed, packed]))
    expect(await gunzip(twice, unpackedLength(twice))).toBeUndefined()
  })
})

function circle(): unknown {
  const list: unknown[] = []
  list.push(list)
  return list
}

function hasWholeFloat(value: NaiveValue): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 1e21
  if (value instanceof Map) return [...value.values()].some(hasWholeFloat)
  return Array.isArray(value) && value.some(hasWholeFloat)
}

/** Entries in the order of DAG-CBOR. */
function sorted(value: NaiveValue): unknown {
  if (value instanceof Map) {
    const order = (a: string, b: string) =>
      Buffer.byteLength(a) - Buffer.byteLength(b) || Buffer.compare(Buffer.from(a), Buffer.from(b))
    return new Map([...value].sort(([a], [b]) => order(a, b)).map(([key, each]) => [key, sorted(each)]))
  }
  return Array.isArray(value) ? value.map(sorted) : naive(value)
}

function show(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `integer ${value}`
  if (typeof value === 'number') return `float ${value}`
  return value instanceof Map ? { map: [...value] } : value
}
