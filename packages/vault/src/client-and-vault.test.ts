import { describe, expect, expectTypeOf, it } from 'vitest'
import type { VaultEvent } from './base/events.ts'
import { VaultClient } from './client/public-client.ts'
import { KeyVault } from './key-vault.ts'
import { freshBrowser } from './test/browser.ts'
import { EnclaveWorld } from './test/enclave-world.ts'
import { OpenVaults } from './test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from './test/opening.ts'

freshBrowser()

const vaults = new OpenVaults()

async function unlocked() {
  const vault = await vaults.start()
  const { address } = await vault.create(openedByPasskey())
  return { vault, address }
}

/** Records a layer's events as text from now on. */
function hears(layer: KeyVault | VaultClient): string[] {
  const heard: string[] = []
  layer.on('vault:initialized', ({ address, locked }) => heard.push(`initialized ${address} ${locked}`))
  layer.on('vault:locked', ({ address }) => heard.push(`locked ${address}`))
  layer.on('vault:unlocked', ({ address }) => heard.push(`unlocked ${address}`))
  layer.on('vault:changed', ({ change }) => heard.push(change))
  return heard
}

describe('what the client does shows in the vault’s snapshot and events', () => {
  it('opening another account, which locks the previous one', async () => {
    const { vault, address: first } = await unlocked()
    const { address: second } = await vault.create(openedByPasskey())
    const heard = hears(vault)
    await vault.client.switchAccount(first)
    expect(vault.getSnapshot()).toMatchObject({ phase: 'locked', address: first })
    expect(heard.slice(0, 2)).toEqual([`locked ${second}`, `initialized ${first} true`])
    expect(vault.getSnapshot().accounts.find(({ active }) => active)?.address).toBe(first)
  })

  it('removing an account', async () => {
    const { vault, address } = await unlocked()
    const heard = hears(vault)
    await vault.client.removeAccount(address)
    expect(vault.getSnapshot()).toMatchObject({ phase: 'empty', accounts: [] })
    expect(heard).toEqual(['removed', `locked ${address}`, 'accounts'])
  })

  it('closing and starting', async () => {
    const { vault, address } = await unlocked()
    const heard = hears(vault)
    await vault.client.cleanup()
    expect(vault.getSnapshot().phase).toBe('uninitialized')
    expect(vault.isInitialized).toBe(false)
    expect(heard).toEqual([`locked ${address}`])
    await vault.client.initialize(undefined, address)
    expect(vault.isInitialized).toBe(true)
    expect(vault.getSnapshot()).toMatchObject({ phase: 'locked', address })
    expect(heard.at(-1)).toBe(`initialized ${address} true`)
  })

  it('storing and deleting', async () => {
    const { vault } = await unlocked()
    const heard = hears(vault)
    const before = vault.getSnapshot().tokensVersion
    const session = await vault.client.saveSession(Date.now() + 60_000)
    await vault.client.removeSession(session.id)
    expect(heard).toEqual(['sessions', 'sessions'])
    await vault.client.removeToken('none')
    expect(heard.at(-1)).toBe('tokens')
    expect(vault.getSnapshot().tokensVersion).toBe(before + 1)
  })
})

it('what the vault does shows in the client’s events', async () => {
  const { vault, address } = await unlocked()
  const heard = hears(vault.client)
  await vault.lock()
  await vault.unlock(passkeyProof())
  expect(heard.slice(0, 2)).toEqual([`locked ${address}`, `unlocked ${address}`])
})

describe('leaving an unlocked account announces that it is locked', () => {
  it.each<[string, (vault: KeyVault, other: string) => Promise<unknown>]>([
    ['for another account', (vault, other) => vault.accounts.open(other)],
    ['for a new account', (vault) => vault.create(openedByPasskey())],
    ['permanently', (vault) => vault.accounts.remove(vault.getSnapshot().address ?? '')],
    ['with the page', (vault) => vault.cleanup()],
  ])('%s', async (_, leave) => {
    const { vault, address: other } = await unlocked()
    const { address } = await vault.create(openedByPasskey())
    const heard = hears(vault)
    await leave(vault, other)
    expect(heard.filter((each) => each === `locked ${address}`)).toHaveLength(1)
  })

  it('only once if it was locked before', async () => {
    const { vault, address } = await unlocked()
    const heard = hears(vault)
    await vault.lock()
    await vault.cleanup()
    expect(heard.filter((each) => each === `locked ${address}`)).toHaveLength(1)
  })
})

it('a separate client announces what it does', async () => {
  const client = new VaultClient({}, new EnclaveWorld())
  const heard = hears(client)
  await client.initialize()
  expect(heard).toEqual(['initialized undefined true'])
  await client.cleanup()
})

it("a listener gets its event's type, on both layers", async () => {
  const { vault, address } = await unlocked()
  const seen: (string | undefined)[] = []
  const listen = (event: VaultEvent<'vault:locked'>) => seen.push(event.detail.address)
  for (const layer of [vault, vault.client]) {
    layer.addEventListener('vault:locked', listen)
    layer.addEventListener('vault:error', (event) => expectTypeOf(event.detail.code).toBeString())
    layer.addEventListener('anything', (event) => expectTypeOf(event).toEqualTypeOf<Event>())
  }
  await vault.lock()
  expect(seen).toEqual([address, address])
  vault.removeEventListener('vault:locked', listen)
  vault.client.removeEventListener('vault:locked', listen)
  await vault.unlock(passkeyProof())
  await vault.lock()
  expect(seen).toHaveLength(2)
})

describe('every source of the plugin can be configured', () => {
  it.each([
    [
      'a URL with its digest',
      { url: 'https://x.example/e.wasm', sha256: 'ab' },
      { url: 'https://x.example/e.wasm', sha256: 'ab' },
    ],
    ['the CDN by version', { version: '0.1.0' }, { version: '0.1.0' }],
    ['bytes', { bytes: Uint8Array.of(0) }, { bytes: Uint8Array.of(0) }],
    ['the bundled asset', 'bundled' as const, undefined],
  ])('%s', async (_, wasmSource, source) => {
    const world = new EnclaveWorld()
    await vaults.start({ wasmSource, loadTimeout: 5 }, world)
    expect(world.started[0]).toMatchObject({ loadTimeout: 5 })
    expect(world.started[0]?.source).toEqual(source)
  })

  it('a signal aborts the start with its own reason', async () => {
    const controller = new AbortController()
    const vault = new KeyVault({ signal: controller.signal }, new EnclaveWorld())
    controller.abort(new Error('not today'))
    await expect(vault.initialize()).rejects.toThrow('not today')
    expect(vault.getSnapshot().phase).toBe('failed')
  })
})
