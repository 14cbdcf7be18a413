import { expect, test } from 'vitest'
import { EXAMPLE as GOOD } from '../../test/capability-request.ts'
import { readRequest } from './request.ts'

test('reads a request exactly, from its own copy', () => {
  const given = structuredClone(GOOD)
  const read = readRequest(given)
  given.command = '/msg'
  given.policy.length = 0
  expect(read).toEqual({ request: GOOD })
})

const deep = () => {
  let statement: unknown = ['==', '.a', 1]
  for (let depth = 0; depth < 2000; depth += 1) statement = ['not', statement]
  return statement
}
/** Few objects, each in many places: as JSON it is longer than any memory. */
const shared = () => {
  let part: unknown = 'x'
  for (let depth = 0; depth < 40; depth += 1) part = [part, part, part]
  return part
}
const lasting: unknown[] = []
lasting.length = 2 ** 32 - 1
const circular: Record<string, unknown> = { ...GOOD }
circular.self = circular

const HOSTILE: [name: string, request: unknown, code?: string][] = [
  ['nothing', undefined],
  ['null', null],
  ['a text', 'keyhole'],
  ['a list', [GOOD]],
  ['no kind', { ...GOOD, kind: undefined }],
  ['an unknown kind', { ...GOOD, kind: 'everything' }, 'UNSUPPORTED'],
  ['one object in many places', { ...GOOD, policy: shared() }],
  ['a list that is only long', { ...GOOD, policy: lasting }],
  ['many bytes', { ...GOOD, policy: new Uint8Array(2 ** 28) }],
  ['a map', { ...GOOD, policy: new Map([['a', shared()]]) }],
  ['many fields', Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`f${at}`, null]))],
  ['a field that is missing', { ...GOOD, reason: undefined }],
  ['a field that is unknown', { ...GOOD, origin: 'https://bank.example' }],
  ['__proto__ as a field', JSON.parse('{"kind":"capability","__proto__":{"command":"/"}}')],
  ['a getter that changes its mind', { ...GOOD, toJSON: () => ({ ...GOOD, command: 'msg' }) }],
  ['everything', { ...GOOD, command: '/' }, 'TOO_BROAD'],
  ['power over revocations', { ...GOOD, command: '/ucan/revoke' }, 'TOO_BROAD'],
  ['power over assertions', { ...GOOD, command: '/ucan' }, 'TOO_BROAD'],
  ['a mandate that no one counts', { ...GOOD, command: '/payment/request' }, 'UNSUPPORTED'],
  ['a command without a slash', { ...GOOD, command: 'msg' }],
  ['a command in capitals', { ...GOOD, command: '/MSG' }],
  ['a command with an empty part', { ...GOOD, command: '/msg//send' }],
  ['a command with a space', { ...GOOD, command: '/msg send' }],
  ['a command that is too long', { ...GOOD, command: `/${'a'.repeat(256)}` }],
  ['a number for a command', { ...GOOD, command: 7 }],
  ['an audience that isn’t a DID', { ...GOOD, audience: 'https://app.example' }],
  ['an audience cut off', { ...GOOD, audience: 'did:key:' }],
  ['a policy that isn’t a list', { ...GOOD, policy: {} }],
  ['a policy of no statements', { ...GOOD, policy: ['=='] }],
  ['a policy with an unknown operator', { ...GOOD, policy: [['=', '.a', 1]] }],
  ['a policy with a wrong selector', { ...GOOD, policy: [['==', 'a', 1]] }],
  ['a policy that is too deep', { ...GOOD, policy: [deep()] }],
  ['a time without an end', { ...GOOD, expiresIn: null }],
  ['a time that is infinite', { ...GOOD, expiresIn: Number.POSITIVE_INFINITY }],
  ['a time that isn’t a number', { ...GOOD, expiresIn: '3600' }],
  ['a time that has passed', { ...GOOD, expiresIn: -60 }],
  ['a time of more than a year', { ...GOOD, expiresIn: 31_536_001 }],
  ['a fraction of a second', { ...GOOD, expiresIn: 90.5 }],
  ['a reason that is a book', { ...GOOD, reason: 'x'.repeat(301) }],
  ['a request that is too long', { ...GOOD, policy: [['==', '.a', 'x'.repeat(20_000)]] }],
  ['a request that goes round in circles', circular],
  ['an integer that JSON cannot say', { ...GOOD, expiresIn: 3600n }],
]

test.each(HOSTILE)('refuses %s', (_name, request, code = 'INVALID_REQUEST') => {
  expect(readRequest(request)).toMatchObject({ refusal: { code } })
})
