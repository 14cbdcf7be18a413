import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { KeyVault } from '../../key-vault.ts'
import { freshBrowser } from '../../test/browser.ts'
import { EnclaveWorld } from '../../test/enclave-world.ts'
import { FakeLocks } from '../../test/fake-locks.ts'
import { OpenVaults } from '../../test/open-vaults.ts'
import { openedByPasskey } from '../../test/opening.ts'
import { BOB } from '../../test/people.ts'

freshBrowser()

let locks: FakeLocks
beforeEach(() => {
  locks = new FakeLocks()
  vi.stubGlobal('navigator', { locks })
})

const vaults = new OpenVaults()

async function tab(world: EnclaveWorld): Promise<KeyVault> {
  return await vaults.start({}, world)
}

async function account(kind: 'shared-worker' | 'worker' = 'shared-worker') {
  const world = new EnclaveWorld(kind)
  const first = await tab(world)
  const { address } = await first.create(openedByPasskey())
  return { world, first, address }
}

const tabsOf = (vault: KeyVault) => vault.getSnapshot().tabs
const count = (vault: KeyVault, tabs: number) => vi.waitFor(() => expect(tabsOf(vault)).toHaveLength(tabs))

describe.each(['shared-worker', 'worker'] as const)('the tabs of an account, with a %s', (kind) => {
  it('know each other, and notice a tab that closes or is killed', async () => {
    const { world, first, address } = await account(kind)
    expect(tabsOf(first)).toMatchObject([{ here: true }])
    const second = await tab(world)
    const third = await tab(world)
    for (const each of [first, second, third]) await count(each, 3)
    expect(tabsOf(second).filter(({ here }) => here)).toHaveLength(1)
    expect(new Set(tabsOf(second).map(({ id }) => id))).toEqual(new Set(tabsOf(first).map(({ id }) => id)))

    await third.cleanup()
    await count(first, 2)
    const killed = tabsOf(second).find(({ here }) => here)
    locks.kill(`keyhole:tab:${address}:${killed?.id}:${killed?.openedAt}`)
    await count(first, 1)
  })

  it('can be ended one by one: the tab leaves the account, says so, and can come back', async () => {
    const { world, first, address } = await account(kind)
    const second = await tab(world)
    await count(first, 2)
    const changes: string[] = []
    second.on('vault:changed', ({ change }) => changes.push(change))
    const phases: [string, boolean][] = []
    second.subscribe(() => phases.push([second.getSnapshot().phase, second.getSnapshot().ended === address]))
    await first.tabs.end(tabsOf(first).find(({ here }) => !here)?.id ?? '')
    await count(first, 1)
    await vi.waitFor(() => expect(second.getSnapshot()).toMatchObject({ phase: 'empty', ended: address }))
    await vi.waitFor(() => expect(changes).toContain('ended'))
    // An empty vault always comes with the reason.
    expect(phases.filter(([phase, told]) => phase === 'empty' && !told)).toEqual([])
    expect(tabsOf(second)).toEqual([])
    expect(first.getSnapshot().phase).toBe('unlocked')
    await expect(second.tokens.grant({ audience_did: BOB, command: '/a' })).rejects.toMatchObject({
      code: expect.stringMatching(/VAULT_NOT_INITIALIZED|OPERATION_FAILED/),
    })

    await second.accounts.open(address)
    expect(second.getSnapshot().ended).toBeUndefined()
    expect(second.getSnapshot().phase).toBe(kind === 'shared-worker' ? 'unlocked' : 'locked')
    await count(first, 2)
    expect((await first.activity.read()).lines.map(({ act }) => act)).toContain('endTab')
  })

  it('can be ended all at once, except this one', async () => {
    const { world, first } = await account(kind)
    const others = [await tab(world), await tab(world)]
    await count(first, 3)
    expect(await first.tabs.endOthers()).toBe(2)
    for (const other of others) await vi.waitFor(() => expect(other.getSnapshot().phase).toBe('empty'))
    await count(first, 1)
    expect(await first.tabs.endOthers()).toBe(0)
  })
})

it('cannot be ended if they are not there', async () => {
  const { first } = await account()
  await expect(first.tabs.end('nobody')).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
})

it('do not include tabs of another account', async () => {
  const { world, first } = await account()
  const other = await tab(world)
  await count(first, 2)
  await other.create(openedByPasskey())
  await count(first, 1)
  expect(tabsOf(other)).toHaveLength(1)
  await other.cleanup()
  await first.cleanup()
  expect(locks.held.filter((name) => name.startsWith('keyhole:tab:'))).toEqual([])
})

it('a tab only knows itself and keeps its account if locks are refused', async () => {
  const refused = vi.fn(async () => Promise.reject(new DOMException('Not here.', 'SecurityError')))
  const request = locks.request.bind(locks)
  vi.spyOn(locks, 'request').mockImplementation((name, first, second) =>
    name.startsWith('keyhole:tab:') ? refused() : request(name, first, second),
  )
  const { first } = await account()
  await vi.waitFor(() => expect(refused).toHaveBeenCalled())
  expect(first.getSnapshot()).toMatchObject({ phase: 'unlocked', tabs: [{ here: true }] })
  expect(first.getSnapshot().ended).toBeUndefined()
})

it('a tab only knows itself without Web Locks', async () => {
  vi.stubGlobal('navigator', {})
  const { world, first } = await account()
  await tab(world)
  expect(tabsOf(first)).toMatchObject([{ here: true }])
  expect(await first.tabs.endOthers()).toBe(0)
})
