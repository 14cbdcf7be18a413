// A gate that listens to a real relay.
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { container, delegation, revocation } from '../../../enclave/src/test/naive-tokens.ts'
import { closeSharedEnclave } from '../../../relay/src/test/relay.ts'
import {
  codeOf,
  connect,
  folder,
  grantTo,
  holderWith,
  hostileServer,
  open,
  owner,
  textOf,
} from '../test/parts.ts'
import { startRelay } from '../test/relay-server.ts'
import { listenForRevocations } from './relay-feeds.ts'

afterAll(closeSharedEnclave)

/** No one listens here. */
const NOWHERE = 'http://127.0.0.1:9/relay'
const call = { name: 'echo', arguments: { how: 'x' } }

it('refuses a revoked grant, and everything without the relay for longer than was configured', async () => {
  let later = 0
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  const relay = await startRelay()
  const opened = await open({ bad: hostileServer() }, await folder(), { relay: relay.url, freshness: 15 })
  const { gate } = opened
  const holder = await holderWith()
  const [kept, revoked] = [await grantTo(holder, {}), await grantTo(holder, { exp: 4_000_000_000n })]
  await holder.add(container([revoked]))
  const client = await connect(opened, 'bad', holder)
  // Without the owner's permission the gate can't listen, so it can't know.
  expect(codeOf(await client.callTool(call))).toBe('Unavailable')
  const mayListen = delegation(owner, { ...owner, did: gate.did }, { cmd: '/relay/revocations/read' })
  await gate.addGrant(container([mayListen]))
  await expect.poll(async () => codeOf(await client.callTool(call))).toBeUndefined()

  const body = JSON.stringify({
    revocation: container([revocation(owner, revoked)]),
    token: container([revoked]),
  })
  const posted = await fetch(`${relay.url}/revocations`, { method: 'POST', body })
  expect(posted.ok).toBe(true)
  await expect.poll(async () => codeOf(await client.callTool(call))).toBe('Revoked')

  await holder.remove(revoked.cid)
  await holder.add(container([kept]))
  expect(codeOf(await client.callTool(call))).toBeUndefined()
  await relay.close()
  later = 15_001
  expect(codeOf(await client.callTool(call))).toBe('Unavailable')
})

it('is not opened with a freshness below what a relay can keep', async () => {
  const config = { relay: 'https://relay.example/relay', freshness: 5 }
  await expect(open({}, await folder(), config)).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
})

it('has the first calls wait until it has read the feed', async () => {
  const relay = await startRelay()
  const data = await folder()
  const first = await open({ bad: hostileServer() }, data, { relay: relay.url })
  const mayListen = delegation(owner, { ...owner, did: first.gate.did }, { cmd: '/relay/revocations/read' })
  await first.gate.addGrant(container([mayListen]))
  await first.gate.close()
  const opened = await open({ bad: hostileServer() }, data, { relay: relay.url })
  const holder = await holderWith({})
  const { token } = await holder.invoke(
    '/mcp/tools/call',
    { server: 'bad', ...call },
    { subject: owner.did, audience: opened.gate.did },
  )
  await opened.gate.servers.get('bad')?.call(token)
  expect(await opened.gate.isReady()).toBe(true)
  await relay.close()
})

it('says why it refuses where a relay can not be reached', async () => {
  const opened = await open({ bad: hostileServer() }, await folder(), { relay: NOWHERE })
  const client = await connect(opened, 'bad', await holderWith({}))
  const answers = await Promise.all([client.callTool(call), client.callTool(call)])
  expect(answers.map(codeOf)).toEqual(['Unavailable', 'Unavailable'])
  expect(textOf(answers[0])).toContain("can't reach the owner's relay")
  expect(codeOf(await client.callTool(call))).toBe('Unavailable')
  expect(await opened.gate.isReady()).toBe(false)
})

it('has calls wait five seconds for a relay that can not be reached, and later calls not at all', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const options = { relay: NOWHERE, owners: [owner.did], freshness: 15, onError: () => {} }
  const here = { find: () => [] }
  const feeds = listenForRevocations(here, { ...options, holder: await holderWith({}) })
  onTestFinished(() => feeds.close())
  const ended = vi.fn()
  const first = Promise.resolve(feeds.find(owner.did, [])).catch(ended)
  await vi.advanceTimersByTimeAsync(4_999)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await first
  expect(ended).toHaveBeenCalledOnce()
  // The clock stands still, so a call that waited would never end.
  await expect(feeds.find(owner.did, [])).rejects.toMatchObject({ code: 'REVOCATIONS_UNKNOWN' })
})
