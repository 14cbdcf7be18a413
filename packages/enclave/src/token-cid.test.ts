import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnclave } from './create-enclave.ts'
import { base58, container, delegation, person, revocation, type Token } from './test/naive-tokens.ts'
import { tokenCid } from './token-cid.ts'
import type { Enclave } from './types.ts'

let enclave: Enclave
beforeAll(async () => {
  enclave = await createEnclave({ keyless: true })
})
afterAll(() => enclave.close())

const [owner, friend] = [person(1), person(2)]
const tokens = Array.from({ length: 200 }, () => delegation(owner, friend))
const inBase58 = (bytes: Uint8Array) => `z${base58(Buffer.from(bytes))}`

describe('the CID of a token', () => {
  it('is read as a link and as a text, in base32 and in base58btc', () => {
    for (const { cid, link } of tokens)
      for (const text of [cid, inBase58(link.bytes)])
        expect([tokenCid(text), tokenCid({ '/': text })]).toEqual([cid, cid])
  })

  it('is read exactly where the enclave reads it', async () => {
    const [token] = tokens as [Token]
    const { cid, link } = token
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz234567')
    const digest = Buffer.from(link.bytes.subarray(4))
    const heads = [
      [1, 0x70, 0x12, 32],
      [1, 0x71, 0x13, 32],
      [2, 0x71, 0x12, 32],
      [0, 1, 0x71, 0x12, 32],
    ]
    const texts = [
      ...[
        cid,
        `${cid} `,
        cid.toUpperCase(),
        cid.slice(1),
        cid.slice(0, -1),
        `${cid}a`,
        `${cid.slice(0, -1)}1`,
      ],
      ...letters.map((letter) => cid.slice(0, -1) + letter),
      ...letters.map((letter) => cid.slice(0, 7) + letter + cid.slice(8)),
      ...['', 'b', 'z', 'z1', 'bafy', 'zdpu'],
      ...heads.map((head) => inBase58(Buffer.from([...head, ...digest]))),
      ...[inBase58(link.bytes.subarray(0, -1)), inBase58(Buffer.from([...link.bytes, 0]))],
      ...[
        inBase58(link.bytes),
        `z1${inBase58(link.bytes).slice(1)}`,
        inBase58(link.bytes).replace(/.$/, '0'),
      ],
    ]
    for (const text of texts) {
      const args = new Map([['revoke', text]])
      const revoked = container([revocation(owner, token, { args })])
      // Only with a CID does it revoke the delegation that it names.
      const checked = await enclave.call('verify_token', {
        token: container([token]),
        now: 1,
        revocations: [revoked],
      })
      const isRevoked = !('name' in checked) && 'error' in checked
      expect([text, tokenCid(text) === cid]).toEqual([text, isRevoked])
    }
  })

  it.each([undefined, null, 5, {}, [], { '/': 5 }, { '/': { bytes: 'AA' } }, 'x'.repeat(100_000)])(
    'is not %j',
    (value) => {
      expect(tokenCid(value)).toBeUndefined()
    },
  )
})
