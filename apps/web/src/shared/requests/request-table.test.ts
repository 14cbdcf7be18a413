// The asking side and the answering side follow the same rules: one accepts exactly what the other accepts.
import { type CapabilityRequest, ConnectError, requestText } from '@keyhole/connect'
import { describe, expect, test } from 'vitest'
import { readRequest } from './request.ts'
import { readRequestText } from './request-text.ts'

const KEY = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const GOOD = { command: '/msg/send', audience: KEY, policy: [], expiresIn: 3600, reason: '' }

const TAKEN: [what: string, change: Partial<CapabilityRequest>][] = [
  ['the default request', {}],
  ['a key of secp256k1', { audience: 'did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme' }],
  ['a key of P-256', { audience: 'did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169' }],
  ['a key of a type that the vault does not know', { audience: `did:key:z82L${'j'.repeat(64)}` }],
  ['a site', { audience: 'did:web:agent.example' }],
  ['a site with a port and a path', { audience: 'did:web:localhost%3A4610:agents:one' }],
  ['a site of 2048 characters', { audience: `did:web:${'a'.repeat(2040)}` }],
  ['a command of 256 characters', { command: `/${'a'.repeat(255)}` }],
  ['a minute', { expiresIn: 60 }],
  ['a year', { expiresIn: 31_536_000 }],
  ['a reason of 300 characters', { reason: 'x'.repeat(300) }],
  ['a reason of 300 characters beyond the first plane', { reason: '📅'.repeat(300) }],
  ['a limit', { policy: [['<=', '.count', 10]] }],
]

const REFUSED: [what: string, change: object, code?: string][] = [
  ['everything', { command: '/' }, 'TOO_BROAD'],
  ['revocations', { command: '/ucan/revoke' }, 'TOO_BROAD'],
  ['a command without a slash', { command: 'msg' }],
  ['a command that ends in one', { command: '/msg/' }],
  ['an empty part', { command: '/msg//send' }],
  ['capitals', { command: '/Msg' }],
  ['a capital beyond ASCII', { command: '/É' }],
  ['a command with a space outside ASCII', { command: '/msg\u2003send' }],
  ['a space in a command', { command: '/msg send' }],
  ['a command of 257 characters', { command: `/${'a'.repeat(256)}` }],
  ['an address', { audience: 'https://app.example' }],
  ['another method', { audience: 'did:plc:z72i7hdynmk6r22z27h6tvur' }],
  ['the method in capitals', { audience: KEY.replace('did:key', 'did:KEY') }],
  ['no key', { audience: 'did:key:' }],
  ['a key cut off', { audience: KEY.slice(0, -1) }],
  ['a key that is too long', { audience: `${KEY}K` }],
  ['a key with a letter that base58 doesn’t have', { audience: KEY.replace('haX', 'hlX') }],
  ['a key of P-256 cut off', { audience: 'did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU216' }],
  ['a key of another alphabet', { audience: KEY.replace(':z6', ':m6') }],
  ['a key with a fragment', { audience: `${KEY}#${KEY.slice(8)}` }],
  ['a space before', { audience: ` ${KEY}` }],
  ['a line break after', { audience: `${KEY}\n` }],
  ['no site', { audience: 'did:web:' }],
  ['a site that ends in a colon', { audience: 'did:web:agent.example:' }],
  ['a site with half an escape', { audience: 'did:web:agent.example%3' }],
  ['a site with a slash', { audience: 'did:web:agent.example/one' }],
  ['a site in Cyrillic', { audience: 'did:web:аgent.example' }],
  ['a site of 2049 characters', { audience: `did:web:${'a'.repeat(2041)}` }],
  ['a list for an audience', { audience: [KEY] }],
  ['an invalid policy', { policy: {} }],
  ['59 seconds', { expiresIn: 59 }],
  ['more than a year', { expiresIn: 31_536_001 }],
  ['half a second', { expiresIn: 60.5 }],
  ['a time as text', { expiresIn: '3600' }],
  ['a reason of 301 characters', { reason: 'x'.repeat(301) }],
  ['a reason of 301 characters beyond the first plane', { reason: '📅'.repeat(301) }],
  ['a reason that isn’t text', { reason: 7 }],
  ['more than fits', { policy: [['==', '.a', 'x'.repeat(17_000)]] }],
]

const asText = (request: object) =>
  `keyhole-request-1.${Buffer.from(JSON.stringify(request)).toString('base64url')}`

/** What the library says about a request. */
function sent(request: object): string | undefined {
  try {
    return requestText(request as CapabilityRequest)
  } catch (error) {
    if (error instanceof ConnectError) return error.code
    throw error
  }
}

describe('both sides accept', () => {
  test.each(TAKEN)('%s', (_what, change) => {
    const request = { kind: 'capability', ...GOOD, ...change }
    expect(sent({ ...GOOD, ...change })).toBe(asText(request))
    expect(readRequestText(asText(request))).toEqual({ request })
    expect(readRequest(request)).toEqual({ request })
  })

  test('a payment', () => {
    const request = { kind: 'payment', invocation: 'C'.repeat(16) }
    expect(requestText({ invocation: request.invocation })).toBe(asText(request))
    expect(readRequestText(asText(request))).toEqual({ request })
  })
})

describe('both sides refuse', () => {
  test.each(REFUSED)('%s', (_what, change, code = 'INVALID_REQUEST') => {
    const request = { kind: 'capability', ...GOOD, ...change }
    expect(sent({ ...GOOD, ...change })).toBe(code)
    expect(readRequestText(asText(request))).toMatchObject({ refusal: { code } })
    expect(readRequest(request)).toMatchObject({ refusal: { code } })
  })

  test.each(['', 'C'.repeat(15), 'pay!'.repeat(9), ` ${'C'.repeat(16)}`])(
    '%j for a payment',
    (invocation) => {
      expect(sent({ invocation })).toBe('INVALID_REQUEST')
      expect(readRequest({ kind: 'payment', invocation })).toMatchObject({
        refusal: { code: 'INVALID_REQUEST' },
      })
    },
  )
})
