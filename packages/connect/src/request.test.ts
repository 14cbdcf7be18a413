import { expect, it } from 'vitest'
import { capabilityRequest, paymentRequest } from './request.ts'
import { requestLink, requestText } from './text.ts'

const GOOD = { command: '/msg/send', audience: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK' }

it('fills in everything that was omitted', () => {
  expect(capabilityRequest(GOOD)).toEqual({
    kind: 'capability',
    ...GOOD,
    policy: [],
    expiresIn: 3600,
    reason: '',
  })
})

it('is pure JSON, so that it can be sent', () => {
  const policy = [['==', '.a', () => 'x']]
  expect(structuredClone(capabilityRequest({ ...GOOD, policy }))).toMatchObject({
    policy: [['==', '.a', null]],
  })
})

it.each([
  ['command', { ...GOOD, command: 'msg' }],
  ['command', { ...GOOD, command: '/msg/' }],
  ['command', { ...GOOD, command: '/Msg' }],
  ['command', { ...GOOD, command: `/${'a'.repeat(256)}` }],
  ['audience', { ...GOOD, audience: 'https://app.example' }],
  ['audience', { ...GOOD, audience: 'did:key:' }],
  ['policy', { ...GOOD, policy: {} }],
  ['expiresIn', { ...GOOD, expiresIn: 59 }],
  ['expiresIn', { ...GOOD, expiresIn: 31_536_001 }],
  ['expiresIn', { ...GOOD, expiresIn: 60.5 }],
  ['expiresIn', { ...GOOD, expiresIn: Number.NaN }],
  ['reason', { ...GOOD, reason: 'x'.repeat(301) }],
  ['bytes', { ...GOOD, policy: [['==', '.a', 'x'.repeat(17_000)]] }],
  ['JSON', { ...GOOD, policy: [1n] }],
])('refuses a wrong %s before anyone is asked', (what, request) => {
  expect(() => capabilityRequest(request as never)).toThrow(
    expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringContaining(what) }),
  )
})

it.each(['/', '/ucan', '/ucan/revoke'])('refuses to ask for %s', (command) => {
  expect(() => capabilityRequest({ ...GOOD, command })).toThrow(
    expect.objectContaining({ code: 'TOO_BROAD' }),
  )
})

it('accepts a token for a payment, and nothing else', () => {
  expect(paymentRequest({ invocation: `C${'a'.repeat(20)}` })).toMatchObject({ kind: 'payment' })
  expect(() => paymentRequest({ invocation: 'pay!' })).toThrow(
    expect.objectContaining({ code: 'INVALID_REQUEST' }),
  )
})

it('is written as text, and after the # of a link, where no server sees it', () => {
  const request = { ...GOOD, reason: 'Für den Kalender 📅' }
  const text = requestText(request)
  expect(text).toMatch(/^keyhole-request-1\.[\w-]+$/)
  const json = Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()
  expect(JSON.parse(json)).toEqual(capabilityRequest(request))
  expect(requestLink('https://vault.example/anything', request)).toBe(`https://vault.example/connect#${text}`)
})

it.each(['http://vault.example', 'javascript:alert(1)', 'vault.example', 'data:text/html,x'])(
  'refuses a vault at %s',
  (vault) => {
    expect(() => requestLink(vault, GOOD)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
  },
)

it('accepts a vault on this machine without https', () => {
  expect(requestLink('http://localhost:4273', GOOD)).toContain('http://localhost:4273/connect#')
})
