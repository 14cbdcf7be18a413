import { describe, expect, it, vi } from 'vitest'
import type { KeyVault } from '../key-vault.ts'
import { makeLinkSecret } from '../opened/index.ts'
import { freshBrowser, rawAll } from '../test/browser.ts'
import { TestClock } from '../test/clock.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { BOB, CID } from '../test/people.ts'

freshBrowser()

const FILE = 'the passphrase of the file'
const TEN_MINUTES = 600_000

const vaults = new OpenVaults()

async function alice() {
  const clock = new TestClock()
  // The enclave reads this clock too.
  vi.spyOn(Date, 'now').mockImplementation(() => clock.now())
  const vault = await vaults.start({}, { createEnclave: new EnclaveWorld().createEnclave, clock })
  const { address, recoveryCode = '' } = await vault.create(openedByPasskey())
  return { vault, clock, address, recoveryCode, right: clock.now() }
}

const exported = (vault: KeyVault) => vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })

describe('after the clock was fast', () => {
  it.each<[string, string, (vault: KeyVault, code: string) => Promise<unknown>]>([
    ['a setting', 'settings', (vault) => vault.settings.setAutoLock(60_000)],
    ['a confirmed code', 'recovery-code', (vault) => vault.unlockMethods.confirmRecoveryCode()],
    ['a new code', 'recovery-code', (vault) => vault.unlockMethods.newRecoveryCode(passkeyProof())],
    [
      'a code that unlocked',
      'recovery-code',
      async (vault, recoveryCode) => {
        await vault.lock()
        await vault.unlock({ recoveryCode })
      },
    ],
    ['a backup', 'backup', exported],
    ['an opened link', `handover:${CID}`, (vault) => vault.handovers.markOpened(CID, 0)],
  ])('%s is written later than what is stored', async (_, id, work) => {
    const { vault, clock, address, recoveryCode, right } = await alice()
    const updatedAt = async () =>
      ((await rawAll(address, 'metadata')) as { id: string; updatedAt: number }[]).find(
        (record) => record.id === id,
      )?.updatedAt ?? 0
    clock.set(right + TEN_MINUTES)
    await vault.settings.setAutoLock(null)
    await vault.unlockMethods.confirmRecoveryCode()
    await vault.handovers.add({ cid: CID, issuer: BOB, audience: BOB, secret: makeLinkSecret() })
    await exported(vault)
    const before = await updatedAt()
    expect(before).toBe(clock.now())
    clock.set(right)
    await work(vault, recoveryCode)
    expect(await updatedAt()).toBeGreaterThan(before)
  })

  it('an older backup does not bring back an older setting', async () => {
    const { vault, clock, right } = await alice()
    clock.set(right + TEN_MINUTES)
    await vault.settings.setAutoLock(null)
    const { text } = await exported(vault)
    clock.set(right)
    await vault.settings.setAutoLock(60_000)
    await vault.importVault({ text, exportPassphrase: FILE })
    await vault.lock()
    const loaded = new Promise<unknown>((resolve) => {
      const off = vault.subscribe(() => {
        const { autoLock, phase } = vault.getSnapshot()
        if (phase !== 'unlocked' || (autoLock !== null && autoLock !== 60_000)) return
        off()
        resolve(autoLock)
      })
    })
    await vault.unlock(passkeyProof())
    expect(await loaded).toBe(60_000)
  })
})
