import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { expect, it } from 'vitest'
import { seal } from '../test/relay-double.ts'
import { sealTo } from './seal-to.ts'
import { makeSealKey, openSealed, sealInfo } from './sealed-answer.ts'

const text = new TextEncoder().encode('what was used')
const info = new TextEncoder().encode('for this test')

it('seals what the receiver opens, and no one else, nor for anything else', async () => {
  const [key, other] = [await makeSealKey(), await makeSealKey()]
  const sealed = await sealTo(key.publicKey, text, info)
  expect(await openSealed(key, sealed, info)).toEqual(text)
  const refused = expect.objectContaining({ code: 'InvalidAnswer' })
  await expect(openSealed(other, sealed, info)).rejects.toEqual(refused)
  await expect(openSealed(key, sealed, text)).rejects.toEqual(refused)
  for (const at of [0, 31, 32, sealed.length - 1]) {
    const changed = sealed.slice()
    changed[at] = (changed[at] ?? 0) ^ 1
    await expect(openSealed(key, changed, info)).rejects.toEqual(refused)
  }
})

it('makes each message with a key of its own', async () => {
  const { publicKey } = await makeSealKey()
  const [one, two] = [await sealTo(publicKey, text, info), await sealTo(publicKey, text, info)]
  expect(one).not.toEqual(two)
})

it('is opened by another implementation of HPKE', async () => {
  const suite = new CipherSuite({
    kem: new DhkemX25519HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  })
  const pair = await suite.kem.generateKeyPair()
  const publicKey = new Uint8Array(await suite.kem.serializePublicKey(pair.publicKey))
  const sealed = await sealTo(publicKey, text, info)
  const opener = { recipientKey: pair.privateKey, enc: sealed.slice(0, 32), info }
  expect(new Uint8Array(await suite.open(opener, sealed.slice(32)))).toEqual(text)
})

it('opens what the other implementation sealed', async () => {
  const key = await makeSealKey()
  const digest = new Uint8Array(32)
  const sealed = await seal(key.publicKey, digest, 'did:key:x', text)
  expect(await openSealed(key, sealed, sealInfo(digest, 'did:key:x'))).toEqual(text)
})

it.each([
  ['of small order', new Uint8Array(32)],
  ['that is short', new Uint8Array(31)],
])('seals to no key %s', async (_, key) => {
  await expect(sealTo(key, text, info)).rejects.toMatchObject({ code: 'InvalidInput' })
})
