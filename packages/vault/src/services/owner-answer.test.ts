// The answer of an owner, with the real enclave: what is signed and granted, and that no one but the service can read it.
import { makeSealKey, openSealed } from '@keyhole/holder/seal'
import { afterEach, expect, it, vi } from 'vitest'
import { person } from '../../../enclave/src/test/naive-tokens.ts'
import { fromBase64Url, toBase64Url } from '../base/base64url.ts'
import type { KeyVault } from '../key-vault.ts'
import { freshBrowser } from '../test/browser.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey } from '../test/opening.ts'
import { FOLLOW_LASTS, leaveOwnerAnswer, ownerCode, replyOf, signOwnerAnswer } from './index.ts'

freshBrowser()
const vaults = new OpenVaults()
afterEach(() => vi.unstubAllGlobals())

const gate = person(31)
const NOW = 1_800_000_000_000
const RELAY = 'https://vault.example/relay'
const LOOPBACK = { loopback: 'http://127.0.0.1:4173/AAAAAAAAAAAAAAAAAAAAAA' }
const MAILBOX = { relay: RELAY, mailbox: gate.did, key: 'A'.repeat(43) }
const introduced = { did: gate.did, text: 'keyhole-service-1.x' }

async function begin() {
  const vault = await vaults.start()
  await vault.create(openedByPasskey())
  const [key] = vault.getSnapshot().keys
  if (!key) throw new Error('There is no key.')
  return { vault, key }
}

const digestOf = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))

async function signed(vault: KeyVault, answer: string) {
  const { token, ...rest } = JSON.parse(answer)
  const checked = await vault.tokens.validate({ invocation: token, audience: gate.did })
  return { checked, token, ...rest }
}

it('says by loopback who the owner is, and nothing else without a relay', async () => {
  const { vault, key } = await begin()
  const { code, grant, way } = await signOwnerAnswer(vault, introduced, LOOPBACK, key, undefined)
  expect(grant).toBeUndefined()
  if (!('link' in way)) throw new Error('It goes by loopback.')
  const [place, encoded = ''] = way.link.split('#keyhole-answer-1.')
  expect(place).toBe(LOOPBACK.loopback)
  const answer = new TextDecoder().decode(fromBase64Url(encoded))
  const digest = toBase64Url(await digestOf(introduced.text))
  expect(Object.keys(JSON.parse(answer))).toEqual(['request', 'token'])
  expect(await signed(vault, answer)).toMatchObject({
    request: digest,
    checked: {
      valid: true,
      command: '/service/own',
      issuer: key.did,
      subject: key.did,
      chain: [],
      args: { introduction: digest },
    },
  })
  expect(code).toBe(await ownerCode(introduced, key.did))
  expect((await vault.tokens.list()).filter(({ type }) => type === 'origin')).toEqual([])
})

it('seals it to the service, with a grant to follow the relay as long as was said', async () => {
  const { vault, key } = await begin()
  const sealKey = await makeSealKey()
  const to = { ...MAILBOX, key: toBase64Url(sealKey.publicKey) }
  const until = Math.floor((Date.now() + FOLLOW_LASTS) / 1_000)
  const { code, grant, way } = await signOwnerAnswer(vault, introduced, to, key, { relay: RELAY, until })
  if (!('sealed' in way)) throw new Error('It goes to a mailbox.')
  const digest = await digestOf(introduced.text)
  const info = new Uint8Array([
    ...new TextEncoder().encode('keyhole answer 1\0'),
    ...digest,
    ...new TextEncoder().encode(gate.did),
  ])
  const opened = await openSealed(sealKey, fromBase64Url(way.sealed) ?? new Uint8Array(), info)
  const read = await signed(vault, new TextDecoder().decode(opened))
  expect(read.checked).toMatchObject({ valid: true, args: { relay: RELAY } })
  expect(read.grant).toBe(grant?.token)
  expect(grant).toMatchObject({ command: '/relay/revocations/read', audienceDid: gate.did, issuer: key.did })
  expect(grant?.expiresAt).toBe(until * 1_000)
  expect(await vault.tokens.list()).toEqual(
    expect.arrayContaining([expect.objectContaining({ cid: grant?.cid, type: 'origin' })]),
  )
  expect(code).toBe(await ownerCode(introduced, key.did, RELAY))
})

it('has the code that gates make', async () => {
  const did = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
  expect(await ownerCode(introduced, did)).toBe('EA1K-BXJA')
  expect(await ownerCode(introduced, did, RELAY)).toBe('FF8X-7YZ3')
})

it.each([
  ['nothing', undefined],
  ['another machine', { loopback: 'http://192.168.0.1:4173/AAAAAAAAAAAAAAAAAAAAAA' }],
  ['a name that can lead elsewhere', { loopback: 'http://localhost:4173/AAAAAAAAAAAAAAAAAAAAAA' }],
  ['a path that can be guessed', { loopback: 'http://127.0.0.1:4173/' }],
  ['a page', { redirect: 'https://evil.example/' }],
  ['a script', { loopback: 'javascript:alert(1)' }],
  ['a relay with a password', { ...MAILBOX, relay: 'https://a@vault.example/relay' }],
  ['a mailbox that is no key', { ...MAILBOX, mailbox: 'did:web:evil.example' }],
  ['a key of another length', { ...MAILBOX, key: 'AAAA' }],
  ['more than is known', { ...MAILBOX, more: 1 }],
])('is not given to %s', (_, reply) => {
  expect(replyOf({ reply, at: NOW / 1_000 }, NOW)).toBeUndefined()
})

it('is given while the service waits, for ten minutes', () => {
  for (const reply of [LOOPBACK, MAILBOX]) {
    expect(replyOf({ reply, at: NOW / 1_000 }, NOW)).toEqual(reply)
    expect(replyOf({ reply, at: NOW / 1_000 - 700 }, NOW)).toBeUndefined()
  }
})

it.each([
  [204, 'left'],
  [404, 'expired'],
  [409, 'taken'],
  [503, 'failed'],
  [413, 'failed'],
])('is told apart by what the relay says: %s', async (status, left) => {
  const asked = vi.fn(async () => new Response(null, { status }))
  vi.stubGlobal('fetch', asked)
  expect(await leaveOwnerAnswer(MAILBOX, 'AAAA')).toBe(left)
  expect(asked).toHaveBeenCalledWith(
    `${RELAY}/mailboxes/message`,
    expect.objectContaining({ method: 'POST' }),
  )
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('There is no network.')
  })
  expect(await leaveOwnerAnswer(MAILBOX, 'AAAA')).toBe('failed')
})
