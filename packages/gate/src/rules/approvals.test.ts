import type { Holder } from '@keyhole/holder'
import type { Call } from '@keyhole/verify'
import { expect, it } from 'vitest'
import { approvalsIn } from '../mcp/signed-calls.ts'
import { approvals } from './approvals.ts'

const NOW = 1_800_000_000
const SUBJECT = 'did:key:zOwner'

/** A call whose owner granted exactly this text. */
function approved(args: Record<string, unknown>, once: string): Call {
  const link = { issuer: SUBJECT, policy: [['==', '.once', once]] }
  return { subject: SUBJECT, command: '/pay', args: { ...args, once }, chain: [link] } as unknown as Call
}

/** Whether what was approved for one call also approves another. */
function isSame(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const rule = approvals(Buffer.alloc(32, 7))
  const once = rule.make({ subject: SUBJECT, command: '/pay', args: one } as unknown as Call, NOW)
  expect(rule.read(approved(one, once), NOW)).toBeDefined()
  return rule.read(approved(other, once), NOW) !== undefined
}

it.each(['/', '/pay', '/pay/now'])('is found in a grant of %s', async (command) => {
  const grant = { cid: 'bafy', state: 'active', policy: [['==', '.once', 'A text']], command }
  const holder = { grants: async () => [grant] } as unknown as Holder
  const found = await approvalsIn(holder, '/pay')
  expect(found).toEqual(command === '/pay/now' ? [] : [{ once: 'A text', grant: 'bafy' }])
})

it('approves the same call, however its fields are ordered', () => {
  expect(
    isSame({ to: 'a', sum: { value: 1, unit: 'EUR' } }, { sum: { unit: 'EUR', value: 1 }, to: 'a' }),
  ).toBe(true)
})

it.each([
  ['an object and a list of its fields', { to: { a: 1 } }, { to: [['a', 1]] }],
  ['an empty object and an empty list', { to: {} }, { to: [] }],
  ['a number and a text', { to: 1 }, { to: '1' }],
  ['a text and an object that reads like it', { to: '{"a":1}' }, { to: { a: 1 } }],
  ['null and nothing', { to: null }, {}],
  ['two orders of a list', { to: [1, 2] }, { to: [2, 1] }],
  ['two depths', { to: [[1]] }, { to: [1] }],
  ['a field of that name inherited by all objects', { to: JSON.parse('{"__proto__":1}') }, { to: {} }],
])('tells %s apart', (_, one, other) => {
  expect(isSame(one, other)).toBe(false)
  expect(isSame(other, one)).toBe(false)
})
