import { setImmediate } from 'node:timers/promises'
import { beforeEach, expect, it, vi } from 'vitest'
import { freshBrowser } from '../test/browser.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { FakeLocks } from '../test/fake-locks.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey } from '../test/opening.ts'
import { BOB } from '../test/people.ts'

freshBrowser()

beforeEach(() => {
  vi.stubGlobal('navigator', { locks: new FakeLocks() })
})

const vaults = new OpenVaults()

it('news that come while a tab reads are read once, and the last of them is shown', async () => {
  // One enclave for each tab, so that what is read in one can be counted.
  const [here, there] = [new EnclaveWorld('worker'), new EnclaveWorld('worker')]
  const writer = await vaults.start({}, here)
  await writer.create(openedByPasskey())
  const reader = await vaults.start({}, there)
  const revision = () => reader.getSnapshot().revision
  await vi.waitFor(() => expect(revision()).toBe(writer.getSnapshot().revision))
  const readings = () => there.calls.filter(({ name }) => name === 'vault_status').length

  const heard = vi.fn()
  reader.on('vault:changed', heard)
  const before = readings()
  const { reached, release } = there.holdUp('vault_status')
  await writer.tokens.grant({ audience_did: BOB, command: '/first' })
  await reached
  for (let more = 0; more < 10; more += 1)
    await writer.tokens.grant({ audience_did: BOB, command: `/${more}` })
  expect(readings()).toBe(before + 1)
  release()
  await vi.waitFor(() => expect(revision()).toBe(writer.getSnapshot().revision))
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(11))
  expect(readings()).toBeLessThanOrEqual(before + 4)
})

it('a vault that was closed while a page came back, or while another tab changed something, says nothing more', async () => {
  const [here, there] = [new EnclaveWorld('worker'), new EnclaveWorld('worker')]
  const page = new EventTarget()
  const writer = await vaults.start({}, here)
  await writer.create(openedByPasskey())
  const reader = await vaults.start({}, { createEnclave: there.createEnclave, page })
  const heard = vi.fn()
  for (const news of [
    () => page.dispatchEvent(new Event('focus')),
    () => writer.tokens.grant({ audience_did: BOB, command: '/news' }),
  ]) {
    const { reached, release } = there.holdUp('vault_status')
    await news()
    await reached
    for (const name of ['vault:error', 'vault:changed'] as const) reader.on(name, heard)
    const closed = reader.cleanup()
    release()
    await closed
    // What was held up runs to its end.
    await setImmediate()
    expect(heard).not.toHaveBeenCalled()
    await reader.initialize()
  }
})
