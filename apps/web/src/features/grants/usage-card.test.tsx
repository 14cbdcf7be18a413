import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { openVault } from '../../test/open-vault.tsx'
import { reportingGate } from '../../test/reporting-gate.ts'
import { UsageCard } from './usage-card.tsx'

const { vault, show } = openVault()
const { gate, grant, serve, given } = reportingGate(vault)
afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.removeItem('keyhole:relay')
})

test('says why there is nothing', async () => {
  const { stored } = await given()
  const says = async (text: RegExp) => {
    show(<UsageCard cid={stored.cid} />)
    expect(await screen.findByText(text)).toBeDefined()
    cleanup()
  }
  serve(undefined, {})
  await says(/has no relay/)
  serve()
  await says(/Your vault can’t see this yet/)
  await grant(await gate.did(), '/relay/revocations/read')
  serve({ since: 1, at: 2, left: 0, grants: [] })
  await says(/No gate has reported a use/)
  localStorage.setItem('keyhole:relay', 'off')
  await says(/turned off in this browser/)
})

test('says what each gate says, as its words, and what was left out', async () => {
  await grant(await gate.did(), '/relay/revocations/read')
  const { stored, shown } = await given()
  const last = {
    at: Date.now(),
    server: 'files',
    command: '/mcp/tools/call',
    name: 'read\u202etxt',
    outcome: 'ok',
  }
  const lastRefused = { ...last, name: '', outcome: 'MatchError' }
  const use = { cid: stored.cid, used: 3, refused: 1, last, lastRefused, shown }
  serve({ since: 1, at: Date.now(), left: 2, grants: [use, { ...use, cid: 'bafyother' }] })
  show(<UsageCard cid={stored.cid} />)
  const said = await screen.findByRole('region', { name: 'What a gate says' })
  expect(said.textContent).toMatch(/^The gate .+ says:Used 3 times, last .+: “read\\u\{202e\}txt” at “files”/)
  expect(said.textContent).toContain('Refused once')
  expect(said.textContent).toContain('“/mcp/tools/call” at “files” (MatchError)')
  expect(document.body.textContent).toContain('had no room for 2 grants')
  expect(document.body.textContent).toContain('showed no call for 1 grant,')
  cleanup()

  // What was stored stays when the relay is out, and the page says so.
  serve()
  show(<UsageCard cid={stored.cid} />)
  expect(await screen.findByText(/The relay can’t be reached/)).toBeDefined()
  expect(screen.getByText(/Used 3 times/)).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Ask the relay again' }))
  expect(await screen.findByText(/Used 3 times/)).toBeDefined()
  cleanup()

  await vault().lock()
  show(<UsageCard cid={stored.cid} />)
  expect(await screen.findByText(/Unlock the vault to see/)).toBeDefined()
  expect(document.body.textContent).not.toContain('files')
})
