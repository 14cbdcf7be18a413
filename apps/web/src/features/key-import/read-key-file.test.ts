import { expect, test } from 'vitest'
import { keyText } from './read-key-file.ts'

test('text is taken as it is', () => {
  const pem = '-----BEGIN PRIVATE KEY-----\r\nMC4=\n-----END PRIVATE KEY-----\n'
  expect(keyText(new TextEncoder().encode(pem))).toBe(pem)
})

test.each([[[0x30, 0x2e, 0x02, 0x01, 0x00]], [[0x30, 0x82, 0xff, 0x00, 0xc3]]])(
  'DER is returned as base64: %j',
  (bytes) => {
    expect(keyText(Uint8Array.from(bytes))).toBe(Buffer.from(bytes).toString('base64'))
  },
)
