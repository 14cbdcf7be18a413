import { describe, expect, it, vi } from 'vitest'
import type { VaultEventMap, VaultEventName } from '../../base/events.ts'
import type { KeyVault } from '../../key-vault.ts'
import { fillDisk, freshBrowser } from '../../test/browser.ts'
import { clientOf } from '../../test/client-of.ts'
import { EnclaveWorld } from '../../test/enclave-world.ts'
import { OpenVaults } from '../../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../../test/opening.ts'
import { BOB } from '../../test/people.ts'
import { ACCOUNTS_CHANNEL, TabChannel, type TabMessage } from './tabs.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const GRANT = { audience_did: BOB, command: '/msg/send' }

const vaults = new OpenVaults()

async function tab(world: EnclaveWorld): Promise<KeyVault> {
  return await vaults.start({}, world)
}

/** Two tabs of one browser on one account, both unlocked, with a passphrase if given. */
async function twoTabs(kind: 'shared-worker' | 'worker', passphrase?: string) {
  const world = new EnclaveWorld(kind)
  const here = await tab(world)
  const opened =
    passphrase === undefined ? openedByPasskey({ label: 'Alice' }) : { passphrase, label: 'Alice' }
  const { address } = await here.create(opened)
  const there = await tab(world)
  if (there.getSnapshot().phase === 'locked') await there.unlock(passphrase ?? passkeyProof())
  return { here, there, address, world }
}

function next<Name extends VaultEventName>(vault: KeyVault, name: Name): Promise<VaultEventMap[Name]> {
  return new Promise((resolve) => {
    const off = vault.on(name, (detail) => {
      off()
      resolve(detail)
    })
  })
}

function nextChange(vault: KeyVault, change: string): Promise<void> {
  return new Promise((resolve) => {
    const off = vault.on('vault:changed', (detail) => {
      if (detail.change !== change) return
      off()
      resolve()
    })
  })
}

describe.each(['shared-worker', 'worker'] as const)('two tabs, with a %s', (kind) => {
  it('lock at once', async () => {
    const { here, there, address } = await twoTabs(kind)
    const heard = next(there, 'vault:locked')
    await here.lock()
    expect(await heard).toEqual({ address, remote: true })
    expect(there.getSnapshot().phase).toBe('locked')
    await expect(there.sign(Uint8Array.of(1))).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
  })

  it("hear each other's events, marked as remote", async () => {
    const { here, there, address } = await twoTabs(kind)
    const granted = nextChange(there, 'tokens')
    const stored = await here.tokens.grant(GRANT)
    await granted
    expect((await there.tokens.list()).map(({ id }) => id)).toEqual([stored.id])

    const exported = next(there, 'vault:exported')
    await here.exportVault({ proof: passkeyProof(), exportPassphrase: 'another long one' })
    expect(await exported).toEqual({ address, tokens: 1, remote: true })

    const failed = next(there, 'vault:error')
    await expect(here.deleteKey('nope')).rejects.toThrow()
    expect(await failed).toMatchObject({ code: 'KEY_NOT_FOUND', operation: 'deleteKey', remote: true })
  })

  it('lose nothing when they write at the same time', async () => {
    const { here, there } = await twoTabs(kind)
    const results = await Promise.allSettled([
      here.generateKey({ label: 'one' }),
      there.generateKey({ label: 'two' }),
      here.generateKey({ label: 'three' }),
    ])
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.key_id] : []))
    const after = await tab(new EnclaveWorld())
    await after.unlock(passkeyProof())
    const stored = after.getSnapshot().keys.map(({ key_id }) => key_id)
    // What was reported as saved is there; what couldn't be saved was refused and can be repeated.
    expect(stored).toEqual(expect.arrayContaining(made))
    expect(stored).toHaveLength(made.length + 1)
    expect(made.length).toBeGreaterThan(0)
  })

  it('all lose a removed account', async () => {
    const { here, there, address } = await twoTabs(kind)
    const removed = nextChange(there, 'removed')
    await here.accounts.remove(address)
    await removed
    expect(there.getSnapshot().phase).toBe('empty')
    await vi.waitFor(() => expect(there.getSnapshot().accounts).toEqual([]))
    expect(await indexedDB.databases()).toEqual([])
  })

  it('all leave when one switches accounts', async () => {
    const { here, there, address } = await twoTabs(kind)
    const locked = next(there, 'vault:locked')
    await here.create(openedByPasskey({ label: 'Work' }))
    await locked
    expect(there.getSnapshot()).toMatchObject({ phase: 'locked', address })
  })
})

describe('one enclave for all tabs', () => {
  it('unlocks every tab with one unlock', async () => {
    const { here, there, address } = await twoTabs('shared-worker')
    await here.lock()
    const unlocked = next(there, 'vault:unlocked')
    await here.unlock(passkeyProof())
    expect(await unlocked).toEqual({ address, remote: true })
    await there.sign(Uint8Array.of(1))
  })

  it('is found unlocked by a new tab', async () => {
    const { world, address } = await twoTabs('shared-worker')
    const third = await tab(world)
    expect(third.getSnapshot()).toMatchObject({ phase: 'unlocked', address, label: 'Alice' })
  })

  it('shows new keys in every tab, and goes on from there', async () => {
    const { here, there } = await twoTabs('shared-worker')
    const heard = next(there, 'vault:key_generated')
    const key = await here.generateKey({ label: 'Phone' })
    expect(await heard).toMatchObject({ keyId: key.key_id, remote: true })
    expect(there.getSnapshot().keys).toHaveLength(2)
    const { revision } = there.getSnapshot()
    await there.deleteKey(key.key_id)
    expect(there.getSnapshot().revision).toBeGreaterThan(revision)
    expect(there.getSnapshot().keys).toHaveLength(1)
  })

  it.each(['at once', 'after a lock'])('drops what a tab that died had not saved, %s', async (when) => {
    const { here, there } = await twoTabs('shared-worker')
    const { enclave } = clientOf(here)
    const seen = new Promise<void>((resolve) => {
      there.subscribe(() => there.getSnapshot().revision > revision + 1 && resolve())
    })
    const { revision } = there.getSnapshot()
    await enclave.call('generate_key', { label: 'never saved' })
    await enclave.call('log_activity', {
      entries: [{ at: 1, tab: 'x', act: 'generateKey', outcome: 'done' }],
    })
    await seen
    if (when === 'after a lock') {
      await enclave.call('lock_vault', {})
      await vi.waitFor(() => expect(there.getSnapshot().phase).toBe('locked'))
      await there.unlock(passkeyProof())
    }
    await there.generateKey({ label: 'saved' })
    expect(there.getSnapshot().keys.map(({ label }) => label)).toEqual([undefined, 'saved'])
    expect(await there.activity.read()).toMatchObject({ missing: [], rewritten: [] })
  })

  it('rolls back in all tabs what one rolls back', async () => {
    const { here, there } = await twoTabs('shared-worker')
    const free = fillDisk('state')
    await expect(here.generateKey()).rejects.toMatchObject({ details: { quota: true } })
    free()
    await there.generateKey()
    expect(there.getSnapshot().keys).toHaveLength(2)
  })
})

describe('one enclave per tab', () => {
  it('lets a tab that is behind catch up, unlocked', async () => {
    const { here, there } = await twoTabs('worker')
    const heard = next(there, 'vault:key_generated')
    await here.generateKey({ label: 'Phone' })
    await heard
    expect(there.getSnapshot().phase).toBe('unlocked')
    expect(there.getSnapshot().keys.map(({ label }) => label)).toEqual([undefined, 'Phone'])
  })

  it('a tab that missed a message overwrites nothing', async () => {
    const { here } = await twoTabs('worker')
    vi.stubGlobal('BroadcastChannel', undefined)
    const deaf = await tab(new EnclaveWorld('worker'))
    await deaf.unlock(passkeyProof())
    vi.unstubAllGlobals()
    await here.generateKey({ label: 'Phone' })
    await deaf.generateKey({ label: 'Watch' })
    expect(deaf.getSnapshot().keys.map(({ label }) => label)).toEqual([undefined, 'Phone', 'Watch'])
  })

  it('a tab locks if another one changed how the account is unlocked', async () => {
    const { here, there } = await twoTabs('worker', PASSPHRASE)
    const locked = next(there, 'vault:locked')
    await here.changePassphrase(PASSPHRASE, 'a new one, quite long')
    await locked
    await expect(there.generateKey()).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    await expect(there.unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    await there.unlock('a new one, quite long')
  })

  it('loses nothing with eight tabs writing', async () => {
    const world = new EnclaveWorld('worker')
    const first = await tab(world)
    await first.create(openedByPasskey())
    const tabs = [first]
    while (tabs.length < 8) {
      const another = await tab(world)
      await another.unlock(passkeyProof())
      tabs.push(another)
    }
    const work = tabs.flatMap((vault, index) => [
      vault.generateKey({ label: `key ${index}` }),
      vault.tokens.grant({ ...GRANT, label: `grant ${index}` }),
      vault.accounts.label(`named by ${index}`),
    ])
    const made = await Promise.allSettled(work)
    expect(made.filter(({ status }) => status === 'rejected')).toEqual([])
    const after = await tab(new EnclaveWorld())
    await after.unlock(passkeyProof())
    expect(after.getSnapshot().keys).toHaveLength(9)
    expect(await after.tokens.list()).toHaveLength(8)
    const { lines, missing, rewritten } = await after.activity.read()
    expect({ missing, rewritten }).toEqual({ missing: [], rewritten: [] })
    expect(lines.filter(({ act }) => act === 'generateKey')).toHaveLength(8)
    expect(lines.filter(({ act }) => act === 'labelAccount')).toHaveLength(8)
  })
})

it.each([
  ['shared-worker', 'unlocked'],
  ['worker', 'locked'],
] as const)(
  'a tab without an account opens the first one that another tab creates, with a %s',
  async (kind, phase) => {
    const world = new EnclaveWorld(kind)
    const empty = await tab(world)
    const here = await tab(world)
    const { address } = await here.create(openedByPasskey())
    await vi.waitFor(() =>
      expect(empty.getSnapshot()).toMatchObject({ phase, address, accounts: [{ address, active: true }] }),
    )
  },
)

it('a tab that closed its account does not open another automatically', async () => {
  const { here, there, address } = await twoTabs('shared-worker')
  await here.create(openedByPasskey())
  await there.accounts.remove(address)
  expect(there.getSnapshot().phase).toBe('empty')
  const heard = nextChange(there, 'accounts')
  const { address: third } = await here.create(openedByPasskey())
  await heard
  expect(there.getSnapshot().phase).toBe('empty')
  expect(there.getSnapshot().accounts.map((account) => account.address)).toContain(third)
})

it('no message between tabs carries a label, a token or a passphrase', async () => {
  const sent: unknown[] = []
  const { here, address } = await twoTabs('shared-worker', PASSPHRASE)
  const channels = [address, ACCOUNTS_CHANNEL].map((name) => {
    const channel = new BroadcastChannel(`keyhole:${name}`)
    channel.onmessage = ({ data }) => sent.push(data)
    return channel
  })
  const stored = await here.tokens.grant({ ...GRANT, label: 'The plumber' })
  await here.generateKey({ label: 'Phone' })
  await here.changePassphrase(PASSPHRASE, 'a new one, quite long')
  await here.lock()
  await vi.waitFor(() => expect(sent).toContainEqual({ name: 'vault:locked', detail: { address } }))
  for (const channel of channels) channel.close()
  const text = JSON.stringify(sent)
  for (const secret of ['plumber', 'Phone', PASSPHRASE, 'quite long', stored.token]) {
    expect(text).not.toContain(secret)
  }
})

it('ignores messages from elsewhere', async () => {
  const heard: TabMessage[] = []
  const listening = new TabChannel('kh1a', (message) => heard.push(message))
  const sending = new BroadcastChannel('keyhole:kh1a')
  const locked = { name: 'vault:locked', detail: { address: 'kh1a' } }
  for (const data of [
    null,
    5,
    {},
    { name: 'vault:locked' },
    { name: 'vault:exploded', detail: {} },
    locked,
  ]) {
    sending.postMessage(data)
  }
  await vi.waitFor(() => expect(heard).toHaveLength(1))
  expect(heard).toEqual([locked])
  sending.close()
  listening.close()
})
