import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readRequest } from '../../../shared/requests/request.ts'
import { readRequestText } from '../../../shared/requests/request-text.ts'
import { requestIn } from '../../../shared/text/request-in.ts'
import { EXAMPLE } from '../../../test/capability-request.ts'
import { shortCode } from '../reply/short-code.ts'

const vector = JSON.parse(
  readFileSync(new URL('../../../../../../vectors/keyhole/sealed-answer.json', import.meta.url), 'utf8'),
)
const MAILBOX = { relay: 'https://vault.example/relay', mailbox: vector.mailbox, key: vector.public_key }
const asText = (more: object) =>
  `keyhole-request-1.${Buffer.from(JSON.stringify({ ...EXAMPLE, ...more })).toString('base64url')}`

test.each([
  { loopback: 'http://127.0.0.1:40123/AAECAwQFBgcICQoLDA0ODw' },
  { redirect: 'https://app.example/granted?for=notes' },
  { redirect: 'http://localhost:5173/' },
  MAILBOX,
  { ...MAILBOX, relay: 'http://localhost:4273/relay' },
])('a text request says where its answer goes: %j', (reply) => {
  expect(readRequestText(asText({ reply, name: 'Notes agent' }))).toEqual({
    request: EXAMPLE,
    name: 'Notes agent',
    replyTo: reply,
  })
})

test.each([
  ['another machine', { loopback: 'http://192.168.0.7:40123/AAECAwQFBgcICQoLDA0ODw' }],
  ['a name for this one', { loopback: 'http://localhost:40123/AAECAwQFBgcICQoLDA0ODw' }],
  ['an address in another notation', { loopback: 'http://2130706433:40123/AAECAwQFBgcICQoLDA0ODw' }],
  ['someone before the address', { loopback: 'http://a@127.0.0.1:40123/AAECAwQFBgcICQoLDA0ODw' }],
  ['no port', { loopback: 'http://127.0.0.1/AAECAwQFBgcICQoLDA0ODw' }],
  ['an invalid port', { loopback: 'http://127.0.0.1:70000/AAECAwQFBgcICQoLDA0ODw' }],
  ['a path that can be guessed', { loopback: 'http://127.0.0.1:40123/answer' }],
  ['a path that leads up', { loopback: 'http://127.0.0.1:40123/../AAECAwQFBgcICQoLDA0ODw' }],
  ['a query', { loopback: 'http://127.0.0.1:40123/AAECAwQFBgcICQoLDA0ODw?a' }],
  ['a line break', { loopback: 'http://127.0.0.1:40123/AAECAwQFBgcICQoLDA0ODw\n' }],
  ['a script', { redirect: 'javascript:alert(1)' }],
  ['a file', { redirect: 'file:///etc/passwd' }],
  ['a page that anyone can read', { redirect: 'http://app.example/' }],
  ['a fragment', { redirect: 'https://app.example/#a' }],
  ['a name before the host', { redirect: 'https://vault.example@app.example/' }],
  ['a relay that anyone can read', { ...MAILBOX, relay: 'http://vault.example/relay' }],
  ['a relay with a query', { ...MAILBOX, relay: 'https://vault.example/relay?to=' }],
  ['a mailbox that isn’t a key', { ...MAILBOX, mailbox: 'did:web:vault.example' }],
  ['a key that is too short', { ...MAILBOX, key: MAILBOX.key.slice(1) }],
  ['a key with extra bits', { ...MAILBOX, key: `${MAILBOX.key.slice(0, -1)}B` }],
  ['two ways', { loopback: 'http://127.0.0.1:40123/AAECAwQFBgcICQoLDA0ODw', ...MAILBOX }],
  ['no way', {}],
])('it is refused with %s', (_what, reply) => {
  expect(readRequestText(asText({ reply }))).toMatchObject({ refusal: { code: 'INVALID_REQUEST' } })
})

test('a name has 60 characters at most', () => {
  expect(readRequestText(asText({ name: '📅'.repeat(60) }))).toMatchObject({ request: EXAMPLE })
  expect(readRequestText(asText({ name: 'x'.repeat(61) }))).toMatchObject({
    refusal: { code: 'INVALID_REQUEST' },
  })
})

test('a page that opened the window is answered through its port and can’t name another way', () => {
  const reply = MAILBOX
  expect(readRequest({ ...EXAMPLE, reply })).toMatchObject({ refusal: { code: 'INVALID_REQUEST' } })
  expect(readRequest({ ...EXAMPLE, name: 'A' })).toMatchObject({ refusal: { code: 'INVALID_REQUEST' } })
})

test('the short code depends only on the request, however it was pasted', async () => {
  const wrapped = vector.request.replace(/.{60}/g, '$&\n  ')
  for (const pasted of [vector.request, wrapped, `https://vault.example/connect#${vector.request}`])
    expect(await shortCode(requestIn(pasted) ?? '')).toBe(vector.short_code)
  expect(await shortCode('keyhole-request-1.e30')).toBe('CEC8-7PCC')
})
