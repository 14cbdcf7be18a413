// Reports of use: the real enclave, a real relay on a socket, and gates that say what they like.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { sealTo } from '@keyhole/holder/seal'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  container,
  delegation,
  invocation,
  type Person,
  person,
  type Token,
  tokensIn,
} from '../../../enclave/src/test/naive-tokens.ts'
import { closeSharedEnclave, makeRelay } from '../../../relay/src/test/relay.ts'
import type { KeyVault } from '../key-vault.ts'
import { dumpDisk, freshBrowser } from '../test/browser.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey } from '../test/opening.ts'
import { fetchUses, REPORTING_COMMANDS, readUses } from './index.ts'

freshBrowser()
const vaults = new OpenVaults()
afterAll(closeSharedEnclave)

const gate = person(21)
const otherGate = person(22)
const agent = person(23)
const REPORT = '/relay/revocations/read/report'
const soon = () => BigInt(Math.floor(Date.now() / 1_000) + 300)

async function startRelay() {
  let answer = async (_: Request): Promise<Response> => new Response(null, { status: 503 })
  const server = createServer(
    getRequestListener((request) => answer(request), { overrideGlobalObjects: false }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const { relay } = await makeRelay({ hosts: [host], clock: Date.now })
  answer = (request) => relay.fetch(request, { address: '127.0.0.1' })
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await relay.close()
  }
  onTestFinished(close)
  return { url: `http://${host}/relay`, aud: `did:web:${host.replace(':', '%3A')}`, close }
}

type Relay = Awaited<ReturnType<typeof startRelay>>

const args = (fields: object) => new Map(Object.entries(fields))

/** What a gate calls its relay with. */
async function ask(
  relay: Relay,
  path: string,
  by: Person,
  grant: Token,
  sub: string,
  fields: object,
  body?: object,
) {
  const made = { cmd: REPORT, aud: relay.aud, exp: soon(), args: args(fields), sub }
  const token = container([grant, invocation(by, by, [grant], made)])
  const init = { method: 'POST', headers: { authorization: `Bearer ${token}` } }
  const sent = await fetch(`${relay.url}${path}`, { ...init, ...(body && { body: JSON.stringify(body) }) })
  return { status: sent.status, text: await sent.text() }
}

interface Sent {
  readonly by?: Person
  readonly aud?: string
  readonly cmd?: string
  readonly digest?: string
  readonly infoFor?: string
  readonly text?: string
}

async function begin() {
  const relay = await startRelay()
  const vault = await vaults.start()
  await vault.create(openedByPasskey())
  const [{ did: owner = '' } = {}] = vault.getSnapshot().keys
  const grant = async (to: Person, command: string) => {
    const stored = await vault.tokens.grant({ audience_did: to.did, command, policy: [] })
    const [token] = tokensIn(stored.token)
    if (!token) throw new Error('There is no token.')
    return token
  }
  const follow = await grant(gate, '/relay/revocations/read')
  const given = await grant(agent, '/mcp/tools/call')
  const shown = (proof = given, by = agent, aud = gate.did, sub = owner) =>
    container([proof, invocation(by, by, [proof], { cmd: '/mcp/tools/call', aud, sub, exp: soon() })])

  /** Leaves a report at the relay, as a gate does. */
  async function send(report: object, sent: Sent = {}, permission = follow, from = gate) {
    const { by = gate, aud = owner, cmd = '/uses/report', infoFor = owner } = sent
    const text = sent.text ?? JSON.stringify(report)
    const digest = sent.digest ?? createHash('sha256').update(text).digest('base64url')
    const signed = container([invocation(by, by, [], { cmd, aud, args: args({ report: digest }) })])
    const { text: carded } = await ask(relay, '/reports/card', from, permission, owner, {})
    const card = await vault.tokens.inspect(JSON.parse(carded).card)
    const { key } = Object(card.tokens[0]?.payload.args)
    const sealed = await sealTo(
      new Uint8Array(Buffer.from(key, 'base64url')),
      new TextEncoder().encode(JSON.stringify({ signed, report: text })),
      new TextEncoder().encode(`keyhole report 1\0${infoFor}`),
    )
    const hash = createHash('sha256').update(sealed).digest('base64url')
    const body = { report: Buffer.from(sealed).toString('base64url') }
    const answered = await ask(relay, '/reports', from, permission, owner, { report: hash }, body)
    expect(answered.status).toBe(204)
  }
  const use = (changes = {}) => ({ cid: given.cid, used: 3, refused: 1, shown: shown(), ...changes })
  const report = (grants: readonly object[], changes = {}) => ({
    ...{ since: 1_000, at: 2_000, left: 0, grants },
    ...changes,
  })
  const read = () => fetchUses(vault, relay.url)
  await read()
  return { relay, vault, owner, grant, follow, given, shown, send, use, report, read }
}

const usesOf = async (vault: KeyVault, cid: string) => (await readUses(vault)).grants.get(cid)
const last = { at: 1_500, server: 'files', command: '/mcp/tools/call', name: 'read', outcome: 'ok' }

/** Reports from the gate, as a relay answers them. */
const answersOf = (count: number, report = 'AAAA') =>
  Array.from({ length: count }, () => ({ from: gate.did, report }))

describe('what a gate reports', () => {
  it('is read, and stored sealed', async () => {
    const { vault, send, use, report, read, given } = await begin()
    expect(await usesOf(vault, given.cid)).toBeUndefined()
    await send(report([use({ last })], { left: 2 }))
    expect(await read()).toEqual({ gates: 1, taken: 1, refused: 0, isComplete: true })
    expect(await usesOf(vault, given.cid)).toEqual([{ gate: gate.did, at: 2_000, used: 3, refused: 1, last }])
    expect((await readUses(vault)).gates).toEqual([{ gate: gate.did, at: 2_000, left: 2, unshown: 0 }])
    expect(await read()).toMatchObject({ taken: 0, refused: 0 })
    const disk = await dumpDisk()
    for (const secret of ['"files"', '"privateKey"', '"used"']) expect(disk).not.toContain(secret)
    await vault.lock()
    await expect(readUses(vault)).rejects.toMatchObject({ details: { name: 'VaultLocked' } })
    await expect(read()).rejects.toMatchObject({ details: { name: 'VaultLocked' } })
  })

  it('is not asked for without persistence, where no grants are listed', async () => {
    const vault = await vaults.start({ enablePersistence: false })
    await vault.create(openedByPasskey())
    const nothing = { gates: 0, taken: 0, refused: 0, isComplete: true }
    expect(await fetchUses(vault, 'http://127.0.0.1:9/relay')).toEqual(nothing)
    expect((await readUses(vault)).gates).toEqual([])
  })

  it('replaces what it said before, counts nothing twice, and never goes back', async () => {
    const { vault, send, use, report, read, given } = await begin()
    const counts = async () => (await usesOf(vault, given.cid))?.map(({ used, refused }) => [used, refused])
    await send(report([use()]))
    await read()
    await send(report([use({ used: 5, refused: 2 })], { at: 3_000 }))
    await read()
    expect(await counts()).toEqual([[5, 2]])
    // An old one, given again by the relay.
    await send(report([use()]))
    expect(await read()).toMatchObject({ taken: 0, refused: 0 })
    // A report that has no room for this grant.
    await send(report([], { at: 4_000, left: 1 }))
    await read()
    expect(await counts()).toEqual([[5, 2]])
    // A gate that lost its folder.
    await send(report([use({ used: 1, refused: 0 })], { since: 4_500, at: 5_000 }))
    await read()
    expect(await counts()).toEqual([[6, 2]])
    await send(report([use({ used: 2, refused: 0 })], { since: 4_500, at: 6_000 }))
    await read()
    expect(await counts()).toEqual([[7, 2]])
    await send(report([use()], { at: Date.now() + 86_400_000 }))
    expect(await read()).toMatchObject({ taken: 0 })
  })

  it('counts only for grants under which a call to it is shown', async () => {
    const { vault, send, use, report, read, given, shown, grant, owner } = await begin()
    const other = await grant(otherGate, '/msg')
    const stolen = delegation(agent, otherGate, { cmd: '/mcp/tools/call', sub: owner })
    const passedOn = delegation(agent, person(24), { cmd: '/mcp/tools/call', sub: owner })
    const viaOther = container([
      given,
      passedOn,
      invocation(person(24), person(24), [given, passedOn], { aud: gate.did, sub: owner, exp: soon() }),
    ])
    const forged = [
      // Under another grant; signed by someone else; for another gate; about another owner; nothing at all.
      { cid: other.cid, shown: shown() },
      { shown: shown(given, otherGate) },
      { shown: shown(given, agent, otherGate.did) },
      { shown: shown(given, agent, gate.did, agent.did) },
      { shown: shown(stolen, otherGate), cid: stolen.cid },
      { shown: container([given]) },
      { shown: 'x' },
    ]
    await send(report(forged.map((each) => use(each))))
    expect(await read()).toMatchObject({ taken: 1, refused: 0 })
    const { grants, gates } = await readUses(vault)
    expect([[...grants], gates[0]?.unshown]).toEqual([[], forged.length])
    await send(report([use({ shown: viaOther, used: 9 })], { at: 3_000 }))
    await read()
    expect(await usesOf(vault, given.cid)).toMatchObject([{ used: 9 }])
  })

  it.each([
    ['is signed by another than the one who was called', { by: otherGate }],
    ['is for another owner', { aud: otherGate.did }],
    ['is another statement', { cmd: '/ucan/assert' }],
    ['is not what was signed', { digest: 'AAAA' }],
    ['was sealed for another owner', { infoFor: otherGate.did }],
    ['is not JSON', { text: 'x' }],
    ['has a count below zero', { text: '{"since":1,"at":2,"left":-1,"grants":[]}' }],
    ['has a count that is no number', { text: '{"since":1,"at":2,"left":"many","grants":[]}' }],
  ])('is not taken if it %s', async (_, sent: Sent) => {
    const { vault, send, use, report, read, given } = await begin()
    await send(report([use()]), sent)
    await read()
    expect(await usesOf(vault, given.cid)).toBeUndefined()
    await send(report([use()]))
    await read()
    expect(await usesOf(vault, given.cid)).toMatchObject([{ used: 3 }])
  })

  it('is told apart from what another gate reports', async () => {
    const { vault, send, use, report, read, given, shown, grant } = await begin()
    const permission = await grant(otherGate, '/relay')
    await send(report([use()]))
    const theirs = use({ used: 100, shown: shown(given, agent, otherGate.did) })
    await send(report([theirs]), { by: otherGate }, permission, otherGate)
    expect(await read()).toMatchObject({ gates: 2, taken: 2 })
    const uses = await usesOf(vault, given.cid)
    expect(uses?.map(({ gate: by, used }) => [by, used]).sort()).toEqual(
      [
        [gate.did, 3],
        [otherGate.did, 100],
      ].sort(),
    )
  })

  it('is found by the tokens of an index, without reading those that are stored', async () => {
    const { vault, relay, owner, send, use, report, given } = await begin()
    const asked = { type: 'origin', issuer: owner, audienceDid: gate.did } as const
    await send(report([use()]))
    const list = vi.spyOn(vault.tokens, 'list')
    const ended = vi.spyOn(vault.tokens, 'ended')
    const reporters = REPORTING_COMMANDS.map((command) => ({ ...asked, command }))
    expect(await fetchUses(vault, relay.url, { reporters })).toMatchObject({ gates: 1, taken: 1 })
    // Others' tokens and other commands ask about no one.
    await send(report([use({ used: 9 })], { at: 3_000 }))
    const others = [
      { ...asked, command: '/msg', audienceDid: agent.did },
      { ...asked, command: '/relay', type: 'received' as const, audienceDid: agent.did },
      { ...asked, command: '/relay', issuer: agent.did, audienceDid: agent.did },
    ]
    // A gate whose grant is gone is known from before, for as long as a relay keeps its report.
    expect(await fetchUses(vault, relay.url, { reporters: others })).toMatchObject({ gates: 1, taken: 1 })
    expect(await usesOf(vault, given.cid)).toMatchObject([{ used: 9 }])
    const later = Date.now() + 91 * 86_400_000
    expect(await fetchUses(vault, relay.url, { reporters: [], now: later })).toMatchObject({ gates: 0 })
    expect((await readUses(vault)).askedAt).toBe(later)
    expect([list, ended].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
    // As many as a hundred thousand grants of everything.
    const many = Array.from({ length: 100_000 }, (_, at) => ({
      ...{ ...asked, command: at === 99_999 ? '/relay/revocations/read' : '/' },
      audienceDid: at === 99_999 ? gate.did : `did:key:${at}`,
    }))
    await send(report([use({ used: 10 })], { at: 4_000 }))
    expect(await fetchUses(vault, relay.url, { reporters: many })).toMatchObject({ gates: 256, taken: 1 })
  })

  it.each([
    ['never ends', 'x'.repeat(65_536), true],
    ['has more reports than were asked for', JSON.stringify({ reports: answersOf(17) }), false],
    ['has a report longer than any', JSON.stringify({ reports: answersOf(1, 'A'.repeat(174_765)) }), false],
    ['is not JSON', '<html>', false],
    ['has another form', '{"reports":[{}]}', false],
  ])('is not taken from an answer that %s', async (_, text, isEndless) => {
    const { vault, given } = await begin()
    let sent = 0
    const piece = new TextEncoder().encode(text)
    vi.stubGlobal('fetch', async () => {
      const body = new ReadableStream({
        pull(controller) {
          sent += piece.length
          controller.enqueue(piece)
          if (!isEndless) controller.close()
        },
      })
      return new Response(body)
    })
    onTestFinished(() => void vi.unstubAllGlobals())
    const fetched = await fetchUses(vault, 'https://relay.example/relay')
    expect(fetched).toEqual({ gates: 1, taken: 0, refused: 0, isComplete: false })
    expect(sent).toBeLessThan(4 << 20)
    expect(await usesOf(vault, given.cid)).toBeUndefined()
  })

  it('is opened once, however often an answer repeats it', async () => {
    const { vault } = await begin()
    vi.stubGlobal('fetch', async () => Response.json({ reports: answersOf(16) }))
    onTestFinished(() => void vi.unstubAllGlobals())
    const fetched = await fetchUses(vault, 'https://relay.example/relay')
    expect(fetched).toEqual({ gates: 1, taken: 0, refused: 1, isComplete: true })
  })

  it('is asked for again if the relay is out, and what was stored stays', async () => {
    const { vault, relay, send, use, report, read, given } = await begin()
    await send(report([use()]))
    await read()
    await relay.close()
    expect(await read()).toEqual({ gates: 1, taken: 0, refused: 0, isComplete: false })
    expect(await usesOf(vault, given.cid)).toMatchObject([{ used: 3 }])
  })
})
