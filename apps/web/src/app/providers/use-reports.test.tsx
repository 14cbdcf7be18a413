import { fetchUses, readUses } from '@keyhole/vault/uses'
import { cleanup } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openVault } from '../../test/open-vault.tsx'
import { reportingGate } from '../../test/reporting-gate.ts'
import UseReports from './use-reports.tsx'

const { vault, show } = openVault()
const reporting = reportingGate(vault)
const { gate, grant, serve, given } = reporting
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const HOUR = 3_600_000
/** As long as a busy machine may take. */
const WAIT = { timeout: 20_000 }
const at = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now })

beforeAll(() => vault().settings.setAutoLock(null))

test('asks the relay after an unlock, though no one opens a grant, and at most once an hour', async () => {
  const begun = Date.now()
  await grant(await gate.did(), '/relay/revocations/read')
  const { stored, shown } = await given()
  const last = { at: begun, server: 'files', command: '/mcp/tools/call', name: 'read', outcome: 'ok' }
  const report = (used: number) => ({
    ...{ since: 1, at: used, left: 0 },
    grants: [{ cid: stored.cid, used, refused: 0, last, shown }],
  })
  const used = async () => (await readUses(vault())).grants.get(stored.cid)?.[0]?.used
  serve(report(1))
  show(<UseReports />)
  await vi.waitFor(async () => expect(await used()).toBe(1), WAIT)

  // Another unlock, and another tab, within the hour: the time is stored, and read before anything is asked.
  cleanup()
  serve(report(2))
  const timers = vi.spyOn(globalThis, 'setTimeout')
  show(<UseReports />)
  const isNext = ([, wait = 0]: readonly unknown[]) => Number(wait) > HOUR / 2 && Number(wait) <= HOUR
  await vi.waitFor(() => expect(timers.mock.calls.some(isNext)).toBe(true), WAIT)
  timers.mockRestore()
  expect(reporting.reads).toBe(1)

  cleanup()
  at(begun + HOUR + 60_000)
  show(<UseReports />)
  await vi.waitFor(async () => expect(await used()).toBe(2), WAIT)
  expect(reporting.reads).toBe(2)
})

test('a clock that was ahead keeps no one from asking', async () => {
  serve({ since: 1, at: 9, left: 0, grants: [] })
  const now = Date.now()
  await fetchUses(vault(), 'https://vault.example/relay', { now: now + 1_000 * HOUR })
  const before = reporting.reads
  at(now + 3 * HOUR)
  show(<UseReports />)
  await vi.waitFor(() => expect(reporting.reads).toBe(before + 1), WAIT)
})

test('asks nothing offline, and asks once the network is back', async () => {
  serve({ since: 1, at: 9, left: 0, grants: [] })
  const before = reporting.reads
  const fetched = vi.spyOn(globalThis, 'fetch')
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const waits = vi.spyOn(window, 'addEventListener')
  at(Date.now() + 6_000 * HOUR)
  show(<UseReports />)
  await vi.waitFor(() => expect(waits.mock.calls.some(([name]) => name === 'online')).toBe(true), WAIT)
  expect(fetched).not.toHaveBeenCalled()
  isOnline.mockReturnValue(true)
  window.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(reporting.reads).toBe(before + 1), WAIT)
  vi.restoreAllMocks()
})
