import { expect, it } from 'vitest'
import { container, delegation, invocation, person } from '../../../enclave/src/test/naive-tokens.ts'
import { Budget } from '../codec/work-budget.ts'
import { createHolder } from '../holder/holder.ts'
import { memoryStore } from '../stores/memory-store.ts'
import { grantsIn } from './grants-in.ts'
import { readTokens } from './read.ts'

const owner = person(1)

it.each([
  ['short', 10],
  ['compressed', 20_000],
])('gives the grants in a call, and not the call: %s', async (_, length) => {
  const holder = createHolder({ store: memoryStore() })
  const grant = container([delegation(owner, { ...owner, did: await holder.did() }, { cmd: '/mcp' })])
  await holder.add(grant)
  const args = { content: 'x'.repeat(length) }
  const { token } = await holder.invoke('/mcp/tools/call', args, { subject: owner.did, audience: owner.did })
  expect(token.startsWith('P')).toBe(length > 10)
  const cids = async (text: string) => (await readTokens(text, new Budget())).map(({ cid }) => cid)
  expect(await cids((await grantsIn(token)) ?? '')).toEqual(await cids(grant))
})

it('gives none where there are none, or a text is no token', async () => {
  const call = container([invocation(owner, owner, [], { cmd: '/mcp' })])
  for (const text of [call, '', 'nonsense', `P${'A'.repeat(40_000)}`])
    expect(await grantsIn(text)).toBeUndefined()
})
