import { describe, expect, it, vi } from 'vitest'
import type { VaultDependencies } from '../base/config.ts'
import type { KeyVault } from '../key-vault.ts'
import { freshBrowser } from '../test/browser.ts'
import { TestClock } from '../test/clock.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { givenByAnother } from '../test/given.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { BOB } from '../test/people.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const DAY = 86_400_000
const YEARS = 3 * 365 * DAY
const vaults = new OpenVaults()

/** An account with a two-day grant and a one-week grant, and the clock of its vaults. */
async function granted(dependencies: VaultDependencies = {}) {
  const world = new EnclaveWorld()
  const clock = new TestClock()
  // The enclave reads this clock too.
  vi.spyOn(Date, 'now').mockImplementation(() => clock.now())
  const made = await vaults.start({}, { ...world, createEnclave: world.createEnclave, clock })
  await made.create(openedByPasskey())
  const ends = (days: number) => Math.floor(clock.now() / 1000) + days * 86_400
  const request = { audience_did: BOB, command: '/msg/send' }
  await made.tokens.grant({ ...request, expires_at: ends(2), label: 'Two days' })
  await made.tokens.grant({ ...request, expires_at: ends(7), label: 'A week' })
  const { createdAt } = (await made.tokens.list())[0] ?? { createdAt: 0 }
  await made.client.saveSession(clock.now() + 2 * DAY)
  await made.cleanup()
  /** Opens the browser again, at whatever time the clock shows by then. */
  const open = async () => {
    await vaults.closeAll()
    const vault = await vaults.start({}, { createEnclave: world.createEnclave, clock, ...dependencies })
    await vault.unlock(passkeyProof())
    return vault
  }
  return { clock, open, createdAt }
}

const labels = async (vault: KeyVault) => (await vault.tokens.list()).map(({ label }) => label).sort()
const endedLabels = async (vault: KeyVault) => (await vault.tokens.ended()).map(({ label }) => label)
const cleanUps = async (vault: KeyVault) =>
  (await vault.activity.read()).lines.filter(({ act }) => act === 'cleanUp').map(({ about }) => about)

describe('expired data', () => {
  it('is removed, stays available for 90 days, and is logged each time', async () => {
    const { clock, open } = await granted()
    clock.set(clock.now() + 3 * DAY)
    const vault = await open()
    expect(await vault.client.removeExpiredTokens()).toBe(2)
    expect(await labels(vault)).toEqual(['A week'])
    expect(await endedLabels(vault)).toEqual(['Two days'])
    expect(await vault.sessions.list()).toEqual([])
    for (let days = 0; days < 88; days += 22) {
      clock.pass(22 * DAY)
      await vault.unlock(passkeyProof())
      await vault.client.removeExpiredTokens()
    }
    expect(await endedLabels(vault)).toEqual(['A week', 'Two days'])
    clock.pass(2 * DAY)
    await vault.unlock(passkeyProof())
    await vault.client.removeExpiredTokens()
    expect(await endedLabels(vault)).toEqual(['A week'])
    expect(await cleanUps(vault)).toEqual([{ tokens: 1, sessions: 1 }, { tokens: 1 }, { forgotten: 2 }])
  })

  it('is not restored beside a token that was received again while the clock was right', async () => {
    const { clock, open } = await granted()
    const vault = await open()
    const audience_did = vault.getSnapshot().issuerDid ?? ''
    const expires_at = Math.floor(clock.now() / 1000) + 2 * 86_400
    const text = await givenByAnother({ audience_did, command: '/msg/send', expires_at })
    const { cid } = await vault.tokens.receive(text)
    const right = clock.now()
    clock.pass(3 * DAY)
    expect(await vault.client.removeExpiredTokens()).toBe(3)
    clock.set(right)
    await vault.unlock(passkeyProof())
    await vault.tokens.receive(text)
    await vault.client.removeExpiredTokens()
    expect((await vault.tokens.list()).filter((token) => token.cid === cid)).toHaveLength(1)
    expect((await vault.tokens.ended()).filter((token) => token.cid === cid)).toEqual([])
  })

  it('is removed while locked too, and logged with the next unlock', async () => {
    const { clock, open } = await granted()
    clock.set(clock.now() + 3 * DAY)
    const vault = await open()
    await vault.lock()
    expect(await vault.client.removeExpiredTokens()).toBe(2)
    await vault.unlock(passkeyProof())
    expect(await cleanUps(vault)).toEqual([{ tokens: 1, sessions: 1 }])
  })

  it('is in backups as long as it is kept', async () => {
    const { clock, open } = await granted()
    clock.set(clock.now() + 3 * DAY)
    const vault = await open()
    await vault.client.removeExpiredTokens()
    const { address = '' } = vault.getSnapshot()
    const exportPassphrase = 'granite sparrow window'
    const { text } = await vault.exportVault({ proof: passkeyProof(), exportPassphrase })
    await vault.accounts.remove(address)
    await vault.importVault({ text, exportPassphrase, passphrase: PASSPHRASE })
    expect(await labels(vault)).toEqual(['A week', 'Two days'])
  })
})

describe('a clock that is', () => {
  it('three years ahead deletes nothing, however often the browser is opened', async () => {
    const { clock, open } = await granted()
    clock.set(clock.now() + YEARS)
    for (let visit = 0; visit < 3; visit += 1) {
      const vault = await open()
      expect(await vault.client.removeExpiredTokens()).toBe(0)
      clock.pass(3_600_000)
      expect(await vault.client.removeExpiredTokens()).toBe(0)
      await vault.unlock(passkeyProof())
      expect(await labels(vault)).toEqual(['A week', 'Two days'])
      expect(await vault.client.getSessions()).toHaveLength(1)
      clock.pass(DAY)
    }
    clock.set(clock.now() - YEARS)
    const vault = await open()
    expect(await vault.client.removeExpiredTokens()).toBe(2)
    expect(await labels(vault)).toEqual(['A week'])
  })

  it('three years ahead in an account of an older version is detected by its log', async () => {
    const { clock, open } = await granted()
    localStorage.removeItem(`keyhole:clock:${(await open()).getSnapshot().address}`)
    clock.set(clock.now() + YEARS)
    const vault = await open()
    expect(await vault.client.removeExpiredTokens()).toBe(0)
    expect(await labels(vault)).toEqual(['A week', 'Two days'])
  })

  it('three years behind deletes nothing', async () => {
    const { clock, open } = await granted()
    clock.set(clock.now() + 3 * DAY)
    await open()
    clock.set(clock.now() - YEARS)
    const vault = await open()
    expect(await vault.client.removeExpiredTokens()).toBe(0)
    expect(await labels(vault)).toEqual(['A week', 'Two days'])
  })

  it.each([
    ['forwards by years', YEARS],
    ['forwards by days', 4 * DAY],
    ['backwards', -YEARS],
  ])('set %s while open deletes nothing', async (_way, by) => {
    const { clock, open } = await granted()
    const vault = await open()
    clock.pass(3_600_000)
    await vault.unlock(passkeyProof())
    await vault.client.removeExpiredTokens()
    clock.set(clock.now() + by)
    expect(await vault.client.removeExpiredTokens()).toBe(0)
    expect(await vault.client.getPersistedTokens()).toHaveLength(2)
  })

  it('days ahead hides what it thinks has ended, until the time is right again', async () => {
    const { clock, open } = await granted()
    clock.set(clock.now() + 5 * DAY)
    const wrong = await open()
    await wrong.client.removeExpiredTokens()
    expect(await labels(wrong)).toEqual(['A week'])
    clock.set(clock.now() - 5 * DAY)
    const vault = await open()
    await vi.waitFor(async () => expect(await labels(vault)).toEqual(['A week', 'Two days']))
    expect(await vault.client.getSessions()).toHaveLength(1)
    expect(await endedLabels(vault)).toEqual([])
  })
})

describe("the server's clock", () => {
  it('overrides a clock that nothing else contradicts', async () => {
    const right = new TestClock().now()
    const { clock, open } = await granted({ serverTime: async () => right })
    clock.set(clock.now() + 3 * DAY)
    const vault = await open()
    expect(await vault.client.removeExpiredTokens()).toBe(0)
    expect(await labels(vault)).toEqual(['A week', 'Two days'])
  })

  it('confirms the clock after a long break', async () => {
    const later = new TestClock().now() + 60 * DAY
    const { clock, open } = await granted({ serverTime: async () => later })
    clock.set(later)
    const vault = await open()
    expect(await vault.client.removeExpiredTokens()).toBe(3)
    expect(await endedLabels(vault)).toEqual(['A week', 'Two days'])
  })

  it('is ignored if it cannot be asked', async () => {
    const serverTime = vi.fn(async () => Promise.reject(new Error('offline')))
    const { clock, open } = await granted({ serverTime })
    clock.set(clock.now() + 3 * DAY)
    const vault = await open()
    expect(await vault.client.removeExpiredTokens()).toBe(2)
    expect(serverTime).toHaveBeenCalledOnce()
  })
})
