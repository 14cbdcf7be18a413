import { createHolder, memoryStore } from '@keyhole/holder'
import { expect, it } from 'vitest'
import { VAULT } from '../test/parts.ts'
import { askForCall } from './grant-needed.ts'

/** What a real holder's request for a call says. */
async function requestFor(given: object, more: object = {}) {
  const holder = createHolder({ store: memoryStore() })
  const args = { server: 'files', name: 'write_file', arguments: given, ...more }
  const wanted = { vault: VAULT, name: 'files', command: '/mcp/tools/call', args, code: 'NoGrant' }
  const { link } = await askForCall((request) => holder.ask(request), wanted)
  const json = Buffer.from(link.split('keyhole-request-1.')[1] ?? '', 'base64url').toString()
  const { policy, reason } = JSON.parse(json)
  return { policy, reason, length: Buffer.byteLength(json) }
}

const HEAD = [
  ['==', '.server', 'files'],
  ['==', '.name', 'write_file'],
]

it.each([
  ['a long text', { path: '/a', content: 'x'.repeat(12_000) }],
  ['a long text that is twice as long in bytes', { path: '/a', content: 'é'.repeat(6_000) }],
  ['a text with line ends', { content: '\n'.repeat(5_000) }],
  ['many fields', Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`field ${at}`, at]))],
  ['none', {}],
])('asks for exactly these arguments: %s', async (_what, given) => {
  const { policy, reason } = await requestFor(given)
  const limits = Object.entries(given).map(([key, value]) => [
    '==',
    `.arguments${/ /.test(key) ? `["${key}"]` : `.${key}`}`,
    value,
  ])
  expect(policy).toEqual([...HEAD, ...limits])
  expect(reason).toBe('To call write_file of files')
})

it.each([
  ['a text', { path: '/a', content: 'x'.repeat(30_000) }, [['==', '.arguments.path', '/a']], ['content']],
  [
    'the longer of two',
    { one: 'x'.repeat(9_000), two: 'x'.repeat(8_000) },
    [['==', '.arguments.two', 'x'.repeat(8_000)]],
    ['one'],
  ],
])('leaves open what has no room, and says so: %s', async (_what, given, limits, open) => {
  const { policy, reason } = await requestFor(given)
  expect(policy).toEqual([...HEAD, ...limits])
  expect(reason).toBe(`To call write_file of files, with any ${open.join(', ')}: too long to ask for`)
})

it.each([
  [
    'many long names',
    Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${at}${'n'.repeat(90)}`, at])),
  ],
  ['controls', { a: '\u0001'.repeat(5_000) }],
])('is a request that a vault takes, with room for all else: %s', async (_what, given) => {
  const { length, reason } = await requestFor(given, { once: 'o'.repeat(100) })
  expect(length).toBeLessThanOrEqual(16_384)
  expect([...reason].length).toBeLessThanOrEqual(300)
})

it('refuses names that no request has room for', async () => {
  await expect(requestFor({}, { name: 'n'.repeat(20_000) })).rejects.toMatchObject({ code: 'InvalidInput' })
})
