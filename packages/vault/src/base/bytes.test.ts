import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { bytesOrRefusal, takeBytes } from './bytes.ts'

const memory = Uint8Array.of(1, 2, 3)

class Shorter extends Uint8Array {
  override get length() {
    return 0
  }
  override *[Symbol.iterator](): ArrayIterator<number> {}
}

it.each<[string, unknown, number[]]>([
  ['a Uint8Array', Uint8Array.of(0, 255), [0, 255]],
  ['an empty Uint8Array', new Uint8Array(), []],
  ['a view of part of a buffer', memory.subarray(1, 2), [2]],
  ['a Buffer', Buffer.from([7, 8]), [7, 8]],
  ['an array', [0, 255], [0, 255]],
  ['a Uint8Array from another realm', runInNewContext('Uint8Array.of(5)'), [5]],
  ['an array from another realm', runInNewContext('[5]'), [5]],
  ['a subclass that misreports itself', Shorter.of(9), [9]],
])('takes %s', (_name, given, bytes) => {
  expect(takeBytes(given, 'data')).toEqual(Uint8Array.from(bytes))
})

function handedOn(): Uint8Array {
  const bytes = Uint8Array.of(1, 2, 3)
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
  return bytes
}

it.each<[string, unknown]>([
  ['an ArrayBuffer', memory.buffer],
  ['a DataView', new DataView(memory.buffer)],
  ['a Uint8ClampedArray', Uint8ClampedArray.of(1)],
  ['an Int8Array', Int8Array.of(1)],
  ['a Uint16Array', Uint16Array.of(1)],
  ['a Float32Array', Float32Array.of(1)],
  ['a BigUint64Array', BigUint64Array.of(1n)],
  ['a SharedArrayBuffer', new SharedArrayBuffer(2)],
  ['shared memory', new Uint8Array(new SharedArrayBuffer(2))],
  ['resizable memory', new Uint8Array(Reflect.construct(ArrayBuffer, [2, { maxByteLength: 4 }]))],
  ['transferred memory', handedOn()],
  ['a proxy of a Uint8Array', new Proxy(Uint8Array.of(1), {})],
  ['a prototype', Uint8Array.prototype],
  ['an array with a hole', Object.assign(new Array(3), { 0: 1, 2: 3 })],
  ['a long empty array', new Array(2 ** 32 - 1)],
  ['a number too large', [256]],
  ['a negative number', [-1]],
  ['a fraction', [1.5]],
  ['NaN', [Number.NaN]],
  ['numbers as text', ['1', '2']],
  ['a bigint', [1n]],
  ['booleans', [true]],
  ['a boxed number', [Object(1)]],
  ['nested lists', [[1]]],
  ['a text', 'abc'],
  ['a boxed text', Object('abc')],
  ['an object with a length', { length: 1, 0: 1 }],
  ["a Buffer's JSON", { type: 'Buffer', data: [1] }],
  ['an object that claims to be bytes', { [Symbol.toStringTag]: 'Uint8Array', length: 1, 0: 1 }],
  ['a set', new Set([1])],
  ['a Blob', new Blob(['a'])],
  ['a number', 3],
  ['null', null],
  ['nothing', undefined],
  ['a function', () => [1]],
])('refuses %s', (_name, given) => {
  expect(() => takeBytes(given, 'data')).toThrow(
    expect.objectContaining({
      name: 'VaultError',
      code: 'OPERATION_FAILED',
      details: expect.objectContaining({ code: 'OPERATION_FAILED', name: 'NotBytes' }),
    }),
  )
})

it('reads each place once, and takes what was read', () => {
  let reads = 0
  const shifty = new Proxy([1], { get: (target, key) => (key === '0' ? ++reads : Reflect.get(target, key)) })
  expect(takeBytes(shifty, 'data')).toEqual(Uint8Array.of(1))
  expect(reads).toBe(1)
})

it('says what kind of value it got, and nothing about its contents', () => {
  const refusal = (value: unknown, what: string) => bytesOrRefusal(value, what)
  const args = { what: 'signature', kind: 'an object (ArrayBuffer)' }
  expect(refusal(memory.buffer, 'signature')).toMatchObject({ details: { name: 'NotBytes', args } })
  const text = refusal('my secret', 'data')
  expect(text).toMatchObject({ details: { name: 'NotBytes', args: { what: 'data', kind: 'a string' } } })
  expect(JSON.stringify(text)).not.toContain('my secret')
})
