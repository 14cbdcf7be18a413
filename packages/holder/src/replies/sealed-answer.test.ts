import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { answersRequest, readAnswer } from '../asking/answer.ts'
import { digestOf, shortCode } from '../asking/short-code.ts'
import { fromBase64url, toBase64url } from '../codec/text.ts'
import { seal } from '../test/relay-double.ts'
import { openSealed, sealInfo } from './sealed-answer.ts'

const file = new URL('../../../../vectors/keyhole/sealed-answer.json', import.meta.url)
/** PKCS #8 of an X25519 key (RFC 8410) up to its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex')

const bytes = (text: string) => fromBase64url(text) ?? new Uint8Array()

async function keyOf(seed: Uint8Array) {
  const pkcs8 = new Uint8Array(Buffer.concat([PKCS8, seed]))
  const open = await crypto.subtle.importKey('pkcs8', pkcs8, 'X25519', true, ['deriveBits'])
  const { x = '' } = await crypto.subtle.exportKey('jwk', open)
  return { privateKey: open, publicKey: bytes(x) }
}

async function make() {
  const private_key = new Uint8Array(32).fill(0x41)
  const sender_key_material = new Uint8Array(32).fill(0x42)
  const { publicKey } = await keyOf(private_key)
  const mailbox = 'did:key:z6MkmCVHupkgP29QNwAb97tLhTpz2mDaiDu2ZhvGAdGd6rJQ'
  const asked = {
    kind: 'capability',
    command: '/msg/send',
    audience: 'did:key:z6MkhK5oHiXVthaGsz1ajEXGVdWuxyRjPwz3aPNMGsjHM3jB',
    policy: [['<=', '.count', 10]],
    expiresIn: 3_600,
    reason: 'To send the invitations',
    name: 'Calendar agent',
    reply: { relay: 'https://vault.example/relay', mailbox, key: toBase64url(publicKey) },
  }
  const request = `keyhole-request-1.${toBase64url(new TextEncoder().encode(JSON.stringify(asked)))}`
  const digest = await digestOf(request)
  const answer = JSON.stringify({ request: toBase64url(digest), refused: 'DECLINED', message: 'No.' })
  const sealed = await seal(publicKey, digest, mailbox, new TextEncoder().encode(answer), sender_key_material)
  return {
    comment:
      'An answer sealed for a mailbox (docs/requests.md). All bytes are base64url; the sender’s key pair is DeriveKeyPair of its key material (RFC 9180, 7.1.3).',
    private_key: toBase64url(private_key),
    public_key: toBase64url(publicKey),
    sender_key_material: toBase64url(sender_key_material),
    request,
    digest: toBase64url(digest),
    short_code: await shortCode(digest),
    mailbox,
    answer,
    sealed: toBase64url(sealed),
  }
}

if (process.env.KEYHOLE_WRITE_VECTORS) writeFileSync(file, `${JSON.stringify(await make(), null, 2)}\n`)
const vector: Awaited<ReturnType<typeof make>> = JSON.parse(readFileSync(file, 'utf8'))

it('the vector opens to its answer, which belongs to its request', async () => {
  const key = await keyOf(bytes(vector.private_key))
  expect(toBase64url(key.publicKey)).toBe(vector.public_key)
  const digest = await digestOf(vector.request)
  expect([toBase64url(digest), await shortCode(digest)]).toEqual([vector.digest, vector.short_code])
  const opened = await openSealed(key, bytes(vector.sealed), sealInfo(digest, vector.mailbox))
  expect(new TextDecoder().decode(opened)).toBe(vector.answer)
  const text = `keyhole-answer-1.${toBase64url(opened)}`
  expect(answersRequest(text, digest)).toBe(true)
  expect(() => readAnswer(text, digest)).toThrow(
    expect.objectContaining({ code: 'Declined', message: 'No.' }),
  )
})

it('another implementation of HPKE produces the same vector, byte for byte', async () => {
  expect(await make()).toEqual(vector)
})
