import { toBase64Url } from '@keyhole/vault/base64url'
import { describe, expect, it } from 'vitest'
import { didDocument } from './did-document.ts'
import { readSignature } from './signature-text.ts'

const BYTES = Uint8Array.from({ length: 64 }, (_, index) => (index * 37 + 250) % 256)

describe('readSignature', () => {
  it.each([
    ['base64url', toBase64Url(BYTES)],
    ['base64', Buffer.from(BYTES).toString('base64')],
    ['hex', Buffer.from(BYTES).toString('hex')],
    ['numbers', JSON.stringify([...BYTES])],
    ['broken lines', toBase64Url(BYTES).replace(/(.{20})/g, '$1\n')],
  ])('reads %s', (_, text) => expect(readSignature(text)).toEqual({ bytes: BYTES }))

  it.each([
    ['', 'Paste'],
    ['not a signature!', 'This isn’t a signature'],
    [toBase64Url(BYTES.slice(0, 60)), '60'],
    ['a'.repeat(10_000), 'too long'],
    ['[1,2,999]', 'This isn’t a signature'],
  ])('says what is wrong with %j', (text, words) => {
    const read = readSignature(text)
    expect('problem' in read ? read.problem : '').toContain(words)
  })
})

it('derives a DID document whose references point into it', () => {
  const did = 'did:key:z6MkthemThemThemThemThemThemThemThemThemThemTHEM'
  const document = didDocument(did)
  expect(document).toMatchObject({
    id: did,
    verificationMethod: [{ id: `${did}#${did.slice(8)}`, publicKeyMultibase: did.slice(8) }],
    capabilityDelegation: [`${did}#${did.slice(8)}`],
  })
})
