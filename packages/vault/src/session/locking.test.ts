import { describe, expect, it } from 'vitest'
import type { VaultConfig } from '../base/config.ts'
import type { KeyVault } from '../key-vault.ts'
import { dumpDisk, fillDisk, freshBrowser } from '../test/browser.ts'
import { TestClock } from '../test/clock.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { BOB } from '../test/people.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const GRANT = { audience_did: BOB, command: '/msg/send' }
const MINUTE = 60_000

const vaults = new OpenVaults()

async function tab(world: EnclaveWorld, clock: TestClock, page?: EventTarget, config: VaultConfig = {}) {
  const { createEnclave } = world
  return await vaults.start(config, { createEnclave, clock, ...(page && { page }) })
}

async function unlocked(kind: 'shared-worker' | 'worker' = 'worker', config: VaultConfig = {}) {
  const world = new EnclaveWorld(kind)
  const clock = new TestClock()
  const page = new EventTarget()
  const vault = await tab(world, clock, page, config)
  const { address } = await vault.create(openedByPasskey({ label: 'Alice' }))
  return { vault, world, clock, page, address }
}

function lockedOf(vault: KeyVault): Promise<void> {
  return new Promise((resolve) => {
    if (vault.getSnapshot().phase === 'locked') resolve()
    const off = vault.subscribe(() => {
      if (vault.getSnapshot().phase !== 'locked') return
      off()
      resolve()
    })
  })
}

describe('automatic locking', () => {
  it('after 15 minutes, with a warning 20 s before', async () => {
    const { vault, clock } = await unlocked()
    expect(vault.getSnapshot().autoLock).toBe(900_000)
    clock.pass(900_000 - 20_000)
    expect(vault.getSnapshot()).toMatchObject({ phase: 'unlocked', locksAt: clock.now() + 20_000 })
    vault.touch()
    expect(vault.getSnapshot().locksAt).toBeUndefined()
    clock.pass(900_000)
    await lockedOf(vault)
    expect(vault.getSnapshot().locksAt).toBeUndefined()
    await vault.unlock(passkeyProof())
    const { lines } = await vault.activity.read()
    expect(lines.filter(({ act }) => act === 'lock')).toMatchObject([{ about: { why: 'idle' } }])
  })

  it.each<[string, (vault: KeyVault) => Promise<unknown>]>([
    ['sign', (vault) => vault.sign(Uint8Array.of(1))],
    ['grant', (vault) => vault.tokens.grant(GRANT)],
    ['generateKey', (vault) => vault.generateKey()],
    ['exportVault', (vault) => vault.exportVault({ proof: passkeyProof(), exportPassphrase: PASSPHRASE })],
    ['activity', (vault) => vault.activity.read()],
    ['revocations', (vault) => vault.tokens.revocations()],
  ])('locks before %s if the machine slept past the deadline: VAULT_LOCKED', async (_, work) => {
    const { vault, clock } = await unlocked()
    clock.sleep(900_000)
    await expect(work(vault)).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    expect(vault.getSnapshot().phase).toBe('locked')
  })

  it.each(['visibilitychange', 'focus', 'pageshow', 'resume'])('happens on %s', async (name) => {
    const { vault, clock, page } = await unlocked()
    clock.sleep(900_000)
    page.dispatchEvent(new Event(name))
    await lockedOf(vault)
  })

  it('ignores operations: only a person counts as use', async () => {
    const { vault, clock } = await unlocked()
    for (let minute = 0; minute < 14; minute += 1) {
      clock.pass(MINUTE)
      await vault.tokens.grant(GRANT)
    }
    clock.pass(MINUTE)
    await lockedOf(vault)
  })

  it('uses the chosen limit, which is stored sealed and survives a reload', async () => {
    const { vault, world, clock } = await unlocked()
    await vault.settings.setAutoLock(5 * MINUTE)
    expect(await dumpDisk()).not.toContain('autoLock')
    await vault.cleanup()
    const again = await tab(world, clock)
    const loaded = new Promise<void>((resolve) => {
      again.subscribe(() => again.getSnapshot().autoLock === 5 * MINUTE && resolve())
    })
    await again.unlock(passkeyProof())
    await loaded
    clock.pass(5 * MINUTE)
    await lockedOf(again)
  })

  it('never happens if set to never', async () => {
    const { vault, clock } = await unlocked()
    await vault.settings.setAutoLock(null)
    expect(vault.getSnapshot().autoLock).toBeNull()
    clock.pass(86_400_000)
    await vault.sign(Uint8Array.of(1))
  })

  it.each([0, 59_999, -1, 1.5 * MINUTE + 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses a limit of %s ms',
    async (milliseconds) => {
      const { vault } = await unlocked()
      await expect(vault.settings.setAutoLock(milliseconds)).rejects.toMatchObject({
        code: 'OPERATION_FAILED',
      })
      expect(vault.getSnapshot().autoLock).toBe(900_000)
    },
  )

  it('leaves nothing behind without persistence', async () => {
    const { vault, clock } = await unlocked('worker', { enablePersistence: false })
    await vault.settings.setAutoLock(MINUTE)
    expect(localStorage.getItem(`keyhole:used:${vault.getSnapshot().address}`)).toBeNull()
    clock.pass(MINUTE)
    await lockedOf(vault)
  })
})

describe.each(['shared-worker', 'worker'] as const)('two tabs, with a %s', (kind) => {
  async function twoTabs() {
    const one = await unlocked(kind)
    const there = await tab(one.world, one.clock)
    if (there.getSnapshot().phase === 'locked') await there.unlock(passkeyProof())
    return { ...one, there }
  }

  it('lock together and log it once', async () => {
    const { vault, there, clock } = await twoTabs()
    clock.pass(900_000)
    await Promise.all([lockedOf(vault), lockedOf(there)])
    await vault.unlock(passkeyProof())
    const { lines, missing } = await vault.activity.read()
    expect(lines.filter(({ act }) => act === 'lock')).toHaveLength(1)
    expect(missing).toEqual([])
  })

  it('both stay open if one is used', async () => {
    const { vault, there, clock } = await twoTabs()
    clock.pass(890_000)
    expect(there.getSnapshot().locksAt).toBeDefined()
    const calm = new Promise<void>((resolve) => {
      there.subscribe(() => there.getSnapshot().locksAt === undefined && resolve())
    })
    vault.touch()
    await calm
    clock.pass(20_000)
    expect([vault.getSnapshot().phase, there.getSnapshot().phase]).toEqual(['unlocked', 'unlocked'])
  })

  it('share a setting', async () => {
    const { vault, there } = await twoTabs()
    const taken = new Promise<void>((resolve) => {
      there.subscribe(() => there.getSnapshot().autoLock === MINUTE && resolve())
    })
    await vault.settings.setAutoLock(MINUTE)
    await taken
  })

  it('a tab that missed the lock is locked before it does anything', async () => {
    const { vault, there } = await twoTabs()
    await vault.lock()
    await expect(there.sign(Uint8Array.of(1))).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
  })
})

describe('locking cannot be held up', () => {
  it('by a full disk', async () => {
    const { vault } = await unlocked()
    const free = fillDisk('state', 'metadata')
    await vault.lock()
    expect(vault.getSnapshot().phase).toBe('locked')
    free()
    await vault.unlock(passkeyProof())
    const { lines, missing } = await vault.activity.read()
    expect(lines.map(({ act }) => act)).toEqual(['create', 'lock', 'unlock'])
    expect(missing).toEqual([])
  })

  it('by a log that fails', async () => {
    const { vault, world } = await unlocked()
    world.plan('log_activity', () => Promise.reject(new Error('gone')))
    await vault.lock()
    expect(vault.getSnapshot().phase).toBe('locked')
  })

  it('by an enclave that fails: nothing is signed after the deadline', async () => {
    const { vault, world, clock } = await unlocked()
    clock.sleep(900_000)
    world.plan('lock_vault', () => {
      throw new Error('it fails')
    })
    await expect(vault.sign(Uint8Array.of(1))).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    expect(world.calls.some(({ name }) => name === 'sign_data')).toBe(false)
    clock.pass(1_000)
    await lockedOf(vault)
  })

  it('by a write that never ends', async () => {
    const { vault, world } = await unlocked()
    let calling = () => {}
    const called = new Promise<void>((resolve) => {
      calling = resolve
    })
    world.plan('generate_key', () => {
      calling()
      return new Promise(() => undefined)
    })
    void vault.generateKey().catch(() => undefined)
    await called
    await vault.lock()
    expect(vault.getSnapshot().phase).toBe('locked')
  })
})

it('slows down wrong attempts, whether unlocking or proving, in every tab', async () => {
  const { vault, world, clock } = await unlocked()
  const wrong = { passphrase: 'not the one it is' }
  const there = await tab(world, clock)
  await expect(there.unlock(wrong)).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
  await expect(vault.unlockMethods.newRecoveryCode(wrong)).rejects.toMatchObject({
    code: 'INVALID_PASSPHRASE',
  })
  await expect(vault.exportVault({ proof: wrong, exportPassphrase: PASSPHRASE })).rejects.toMatchObject({
    code: 'INVALID_PASSPHRASE',
  })
  const asked = world.calls.length
  for (const each of [vault, there]) {
    await expect(each.unlock(passkeyProof())).rejects.toMatchObject({
      ...{ code: 'OPERATION_FAILED', details: { retryAt: clock.now() + 1_000 } },
    })
  }
  expect(world.calls.slice(asked).map(({ name }) => name)).not.toContain('unlock_vault')
  clock.pass(1_000)
  await there.unlock(passkeyProof())
  const { lines } = await there.activity.read()
  expect(lines.filter(({ outcome }) => outcome === 'INVALID_PASSPHRASE').map(({ act }) => act)).toEqual([
    ...['unlock', 'newRecoveryCode', 'exportVault'],
  ])
  expect(JSON.stringify(lines)).not.toContain('not the one')
})

it('handles simultaneous attempts one after another', async () => {
  const { vault } = await unlocked()
  await vault.lock()
  const tries = Array.from({ length: 6 }, (_, index) => vault.unlock(`a wrong guess, no ${index}`))
  const codes = (await Promise.allSettled(tries)).map(
    (tried) => tried.status === 'rejected' && tried.reason.code,
  )
  expect(codes).toEqual([...Array(3).fill('INVALID_PASSPHRASE'), ...Array(3).fill('OPERATION_FAILED')])
})

it('removing an account deletes what was stored next to it', async () => {
  const { vault, address } = await unlocked()
  await vault.lock()
  await expect(vault.unlock('not the one it is')).rejects.toThrow()
  await vault.accounts.remove(address)
  expect(
    ['used', 'attempts', 'notes'].map((name) => localStorage.getItem(`keyhole:${name}:${address}`)),
  ).toEqual([...[null, null, null]])
  expect(await indexedDB.databases()).toEqual([])
})
