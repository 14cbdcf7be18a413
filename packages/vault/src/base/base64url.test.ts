import { expect, it } from 'vitest'
import { fromBase64Url, isBase64Url, toBase64Url } from './base64url.ts'

// RFC 4648 section 10, without padding, and the two letters that differ from base64.
it.each([
  ['', ''],
  ['f', 'Zg'],
  ['fo', 'Zm8'],
  ['foo', 'Zm9v'],
  ['foob', 'Zm9vYg'],
  ['fooba', 'Zm9vYmE'],
  ['foobar', 'Zm9vYmFy'],
  ['\u00fb\u00ff\u00be', '-_--'],
])('writes and reads %j as %j', (binary, text) => {
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
  expect(toBase64Url(bytes)).toBe(text)
  expect(fromBase64Url(text)).toEqual(bytes)
  expect(isBase64Url(text)).toBe(text !== '')
  expect(isBase64Url(text, bytes.length)).toBe(text !== '')
  expect(isBase64Url(text, bytes.length + 1)).toBe(false)
})

it('writes and reads a megabyte', () => {
  const bytes = Uint8Array.from({ length: 1_000_001 }, (_, index) => (index * 7) & 255)
  const text = toBase64Url(bytes)
  expect(text === Buffer.from(bytes).toString('base64url')).toBe(true)
  expect(Buffer.compare(fromBase64Url(text) ?? bytes.subarray(1), bytes)).toBe(0)
})

it.each(['Z', 'Zh', 'Zm9', 'Zg==', '+/++', 'Zm 9v', 'Zm9v\n', 'ä'])('rejects %j', (text) => {
  expect(fromBase64Url(text)).toBeUndefined()
  expect(isBase64Url(text)).toBe(false)
})
