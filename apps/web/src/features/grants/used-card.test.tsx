import { createHash } from 'node:crypto'
import { createHolder, memoryStore } from '@keyhole/holder'
import { sealTo } from '@keyhole/holder/seal'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { openVault } from '../../test/open-vault.tsx'
import { UsedCard } from './used-card.tsx'

const { vault, show } = openVault()
const [gate, agent] = [createHolder({ store: memoryStore() }), createHolder({ store: memoryStore() })]
afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.removeItem('keyhole:relay')
})

const grant = (to: string, command: string) => vault().tokens.grant({ audience_did: to, command, policy: [] })

/** A server whose relay has this report; without one, the relay doesn't answer. */
function serve(report?: object, headers: Record<string, string> = { 'Keyhole-Relay': '/relay' }) {
  vi.stubGlobal('fetch', async (url: string, { headers: sent }: RequestInit = {}) => {
    if (!url.endsWith('/reports/read')) return new Response(null, { headers })
    if (!report) return new Response(null, { status: 503 })
    const token = new Headers(sent).get('authorization')?.replace('Bearer ', '') ?? ''
    const { iss, args } = (await vault().tokens.inspect(token)).tokens[0]?.payload ?? {}
    const text = JSON.stringify(report)
    const digest = createHash('sha256').update(text).digest('base64url')
    const subject = await gate.did()
    const { token: signed } = await gate.invoke(
      '/uses/report',
      { report: digest },
      { subject, audience: String(iss) },
    )
    const sealed = await sealTo(
      new Uint8Array(Buffer.from(String(Object(args).key), 'base64url')),
      new TextEncoder().encode(JSON.stringify({ signed, report: text })),
      new TextEncoder().encode(`keyhole report 1\0${iss}`),
    )
    return Response.json({
      reports: [{ from: subject, report: Buffer.from(sealed).toString('base64url') }],
    })
  })
}

async function given() {
  const stored = await grant(await agent.did(), '/mcp/tools/call')
  await agent.add(stored.token)
  const options = { subject: stored.issuer, audience: await gate.did(), grant: stored.cid }
  const { token: shown } = await agent.invoke('/mcp/tools/call', {}, options)
  return { stored, shown }
}

test('says why there is nothing', async () => {
  const { stored } = await given()
  const says = async (text: RegExp) => {
    show(<UsedCard cid={stored.cid} />)
    expect(await screen.findByText(text)).toBeDefined()
    cleanup()
  }
  serve(undefined, {})
  await says(/has no relay/)
  serve()
  await says(/No gate may report to you yet/)
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
  show(<UsedCard cid={stored.cid} />)
  const said = await screen.findByRole('region', { name: 'What a gate says' })
  expect(said.textContent).toMatch(/^The gate .+ says:Used 3 times, last .+: “read\\u\{202e\}txt” at “files”/)
  expect(said.textContent).toContain('Refused once')
  expect(said.textContent).toContain('“/mcp/tools/call” at “files” (MatchError)')
  expect(document.body.textContent).toContain('had no room for 2 grants')
  expect(document.body.textContent).toContain('showed no call for 1 grant,')
  cleanup()

  // What was stored stays when the relay is out, and the page says so.
  serve()
  show(<UsedCard cid={stored.cid} />)
  expect(await screen.findByText(/The relay can’t be reached/)).toBeDefined()
  expect(screen.getByText(/Used 3 times/)).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Ask the relay again' }))
  expect(await screen.findByText(/Used 3 times/)).toBeDefined()
  cleanup()

  await vault().lock()
  show(<UsedCard cid={stored.cid} />)
  expect(await screen.findByText(/Unlock the vault to see/)).toBeDefined()
  expect(document.body.textContent).not.toContain('files')
})
