// What a gate reports to an owner, over a real relay.
import { readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Holder } from '@keyhole/holder'
import { makeSealKey, openSealed, type SealKey } from '@keyhole/holder/seal'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { container, delegation, invocation } from '../../../enclave/src/test/naive-tokens.ts'
import { closeSharedEnclave, sharedEnclave } from '../../../relay/src/test/relay.ts'
import { shownCall } from '../refusals/shown-call.ts'
import {
  codeOf,
  connect,
  folder,
  grantTo,
  holderWith,
  hostileServer,
  type Opened,
  open,
  owner,
  stranger,
} from '../test/parts.ts'
import { startRelay } from '../test/relay-server.ts'

afterAll(closeSharedEnclave)

const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 10_000 })
const QUICK = { first: 5, between: 5, retry: 20 }
const call = { name: 'echo', arguments: { how: 'x' } }
const FOLLOW = '/relay/revocations/read'

type Relay = Awaited<ReturnType<typeof startRelay>>

async function begin() {
  const relay = await startRelay()
  onTestFinished(relay.close)
  const data = await folder()
  const opened = await start(relay, data)
  const mayFollow = delegation(owner, { ...owner, did: opened.gate.did }, { cmd: FOLLOW })
  await opened.gate.addGrant(container([mayFollow]))
  return { relay, data, opened, key: await makeSealKey() }
}

const start = (relay: Relay, data: string) =>
  open({ bad: hostileServer() }, data, { relay: relay.url }, { reports: QUICK })

async function ask(relay: Relay, key: SealKey, by = owner, from = stranger.did) {
  const args = new Map<string, never>(
    Object.entries({ key: Buffer.from(key.publicKey).toString('base64url'), from: [from] }) as never,
  )
  const exp = BigInt(Math.floor(Date.now() / 1_000) + 60)
  const fields = { cmd: '/relay/reports/read', args, aud: relay.audience, exp }
  const authorization = `Bearer ${container([invocation(by, by, [], fields)])}`
  const response = await fetch(`${relay.url}/reports/read`, { method: 'POST', headers: { authorization } })
  return await response.json()
}

/** Reads and opens the report of a gate, as an owner. */
async function read(relay: Relay, key: SealKey, { gate }: Opened) {
  const { reports = [] } = await ask(relay, key, owner, gate.did)
  if (reports.length === 0) return undefined
  const info = new TextEncoder().encode(`keyhole report 1\0${owner.did}`)
  const sealed = new Uint8Array(Buffer.from(reports[0].report, 'base64url'))
  const { signed, report } = JSON.parse(new TextDecoder().decode(await openSealed(key, sealed, info)))
  return { signed, ...JSON.parse(report) }
}

async function agent(opened: Opened, changes = {}) {
  const holder = await holderWith()
  const grant = await grantTo(holder, changes)
  await holder.add(container([grant]))
  return { holder, grant, client: await connect(opened, 'bad', holder) }
}

const signedCall = async ({ gate }: Opened, holder: Holder, tool: string) =>
  (
    await holder.invoke(
      '/mcp/tools/call',
      { server: 'bad', name: tool, arguments: { how: 'x' } },
      { subject: owner.did, audience: gate.did },
    )
  ).token

describe('a report', () => {
  it('says how often each grant was used and refused, when last and for what', async () => {
    const { relay, opened, key } = await begin()
    await ask(relay, key)
    const [one, two] = [await agent(opened), await agent(opened)]
    for (let at = 0; at < 3; at += 1) await eventually(() => one.client.callTool(call)).toBeDefined()
    expect(codeOf(await two.client.callTool({ name: 'none', arguments: {} }))).toBe('UnknownTool')
    await eventually(async () => (await read(relay, key, opened))?.grants.length).toBe(2)
    const { grants, left, since, at } = (await read(relay, key, opened)) ?? {}
    const of = (cid: string) => grants.find((each: { cid: string }) => each.cid === cid)
    expect(of(one.grant.cid)).toMatchObject({ used: 3, refused: 0, last: { name: 'echo', outcome: 'ok' } })
    const refused = { server: 'bad', name: '', outcome: 'UnknownTool', command: '/mcp/tools/call' }
    expect(of(two.grant.cid)).toMatchObject({ used: 0, refused: 1, lastRefused: refused })
    expect(left).toBe(0)
    expect(since).toBeLessThanOrEqual(at)
    const { tokens = [] } = Object(
      await (await sharedEnclave()).call(
        'inspect_token',
        of(one.grant.cid).shown ? { token: of(one.grant.cid).shown } : { token: '' },
      ),
    )
    expect(shownCall(tokens, opened.gate.did, [owner.did])).toMatchObject({ grants: [one.grant.cid] })
  })

  it('counts a call that its grant does not allow, once, and none that anyone could make', async () => {
    const { relay, opened, key } = await begin()
    await ask(relay, key)
    const { holder, grant } = await agent(opened)
    const guarded = opened.gate.servers.get('bad')
    const token = await signedCall(opened, holder, 'echo')
    await eventually(() => guarded?.call(token).then(() => 'done')).toBe('done')
    // The same again, by someone who saw it.
    await expect(guarded?.call(token)).rejects.toMatchObject({ code: 'Replayed' })
    const exp = BigInt(Math.floor(Date.now() / 1_000) + 60)
    const narrow = delegation(owner, stranger, { cmd: '/mcp/prompts/get' })
    const outside = (by: typeof stranger, aud = opened.gate.did) =>
      container([narrow, invocation(by, owner, [narrow], { cmd: '/mcp/tools/call', aud, exp })])
    const refused = outside(stranger)
    await expect(guarded?.call(refused)).rejects.toMatchObject({ code: 'InvalidCommand' })
    await expect(guarded?.call(refused)).rejects.toMatchObject({ code: 'InvalidCommand' })
    // Signed by another key, for another gate, and cut off.
    for (const made of [outside(owner), outside(stranger, stranger.did), refused.slice(0, -8)])
      await expect(guarded?.call(made)).rejects.toThrow()
    await eventually(async () => (await read(relay, key, opened))?.grants.length).toBe(2)
    const { grants } = (await read(relay, key, opened)) ?? {}
    const counts = grants.map(({ cid, used, refused: no }: Record<string, unknown>) => [cid, used, no])
    expect(counts).toContainEqual([grant.cid, 1, 0])
    expect(counts).toContainEqual([narrow.cid, 0, 1])
  })

  it('is sent later if the relay is out or no one reads, by the next process too, and counts nothing twice', async () => {
    const { relay, data, opened, key } = await begin()
    const { client, holder } = await agent(opened)
    await eventually(async () => codeOf(await client.callTool(call))).toBeUndefined()
    const made = async () => JSON.parse(await readFile(join(data, 'uses.json'), 'utf8').catch(() => '{}'))
    await eventually(async () => Object.keys((await made()).owners ?? {})).toEqual([owner.did])
    expect(await read(relay, key, opened)).toBeUndefined()
    relay.setOut(true)
    await opened.gate.close()
    relay.setOut(false)
    expect(await read(relay, key, opened)).toBeUndefined()
    const next = await start(relay, data)
    await eventually(async () => (await read(relay, key, next))?.grants[0].used).toBe(1)
    const again = await connect(next, 'bad', holder)
    await again.callTool(call)
    await eventually(async () => (await read(relay, key, next))?.grants[0].used).toBe(2)
  })

  it('of two processes has the calls of both', async () => {
    const { relay, data, opened, key } = await begin()
    await ask(relay, key)
    const other = await start(relay, data)
    const { holder } = await agent(opened)
    const work = [opened, other].flatMap((each) =>
      Array.from({ length: 10 }, async () =>
        each.gate.servers.get('bad')?.call(await signedCall(each, holder, 'echo')),
      ),
    )
    await Promise.all(work)
    await eventually(async () => (await read(relay, key, opened))?.grants[0].used).toBe(20)
  })

  it('is not sealed to a key that the owner did not sign', async () => {
    const { opened, relay, key } = await begin()
    await ask(relay, key)
    const { client } = await agent(opened)
    await eventually(async () => codeOf(await client.callTool(call))).toBeUndefined()
    await eventually(async () => (await read(relay, key, opened))?.grants.length).toBe(1)
    const { sendReports } = await import('./report-sender.ts')
    const card = (by: typeof owner, sub: typeof owner, aud: string) =>
      container([
        invocation(by, sub, [], { cmd: '/relay/reports/read', aud, args: new Map([['key', 'AAAA']]) }),
      ])
    let sent = 0
    let given = ''
    const server = createServer((request, response) => {
      if (request.url?.endsWith('/card')) return response.end(JSON.stringify({ card: given }))
      sent += 1
      return response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = Object(server.address())
    onTestFinished(() => void server.close())
    const here = `did:web:127.0.0.1%3A${port}`
    for (given of [
      '',
      'x',
      card(stranger, stranger, here),
      card(stranger, owner, here),
      card(owner, owner, relay.audience),
    ]) {
      const errors: unknown[] = []
      const sender = sendReports({
        relay: `http://127.0.0.1:${port}/relay`,
        owners: [owner.did],
        holder: { invoke: async () => ({ token: 'x' }) } as never,
        gate: opened.gate.did,
        enclave: await sharedEnclave(),
        read: async () => ({
          since: 0,
          at: 1,
          owners: new Map([
            [owner.did, { left: 0, grants: new Map([['x', { used: 1, refused: 0, shown: '' }]]) }],
          ]),
        }),
        onError: (error) => errors.push(error),
        pauses: QUICK,
      })
      await eventually(() => errors.length).toBeGreaterThan(0)
      await sender.close()
    }
    expect(sent).toBe(0)
  })
})

it('is given up when the gate is closed and the relay does not answer', async () => {
  const { sendReports } = await import('./report-sender.ts')
  let asked = 0
  const server = createServer(() => {
    asked += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const errors: unknown[] = []
  const sender = sendReports({
    relay: `http://127.0.0.1:${Object(server.address()).port}/relay`,
    owners: [owner.did],
    holder: { invoke: async () => ({ token: 'x' }) } as never,
    gate: stranger.did,
    enclave: await sharedEnclave(),
    read: async () => ({
      since: 0,
      at: 1,
      owners: new Map([
        [owner.did, { left: 0, grants: new Map([['x', { used: 1, refused: 0, shown: '' }]]) }],
      ]),
    }),
    onError: (error) => errors.push(error),
    pauses: QUICK,
  })
  await eventually(() => asked).toBe(1)
  await sender.close()
  expect([asked, errors]).toEqual([1, []])
}, 9_000)

describe('the file of counts', () => {
  const uses = { used: 1, refused: 0, shown: 'C' }
  const one = (cid: string, at: number) =>
    new Map([
      [
        'did:key:o',
        {
          left: 0,
          grants: new Map([
            [cid, { ...uses, last: { at, server: 's', command: '/c', name: 'n', outcome: 'ok' } }],
          ]),
        },
      ],
    ])

  it('is counted anew if it is damaged, and taken over from a process that died with the lock', async () => {
    const { changeUses, readUses } = await import('./uses-file.ts')
    const { addUses } = await import('./use.ts')
    const path = join(await folder(), 'uses.json')
    const add = () => changeUses(path, Date.now, (before) => addUses(before, one('a', 1), Date.now()))
    await writeFile(path, '{"since": 1')
    await add()
    await writeFile(`${path}.lock`, '')
    await utimes(`${path}.lock`, new Date(0), new Date(0))
    await add()
    expect((await readUses(path, 0)).owners.get('did:key:o')?.grants.get('a')?.used).toBe(2)
    await expect(stat(`${path}.lock`)).rejects.toMatchObject({ code: 'ENOENT' })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('keeps the grants that were used last, and says how many it left out', async () => {
    const { addUses } = await import('./use.ts')
    const { reportOf } = await import('./report.ts')
    let counted: Parameters<typeof addUses>[0] = { since: 0, at: 0, owners: new Map() }
    for (let at = 1; at <= 310; at += 1) counted = addUses(counted, one(`cid-${at}`, at), 5)
    expect(counted.at).toBe(5 + 309)
    const { grants, left } = JSON.parse(reportOf(counted, 'did:key:o')?.text ?? '{}')
    expect([grants.length, left, grants[0].cid]).toEqual([300, 10, 'cid-310'])
    const long = new Map([
      [
        'did:key:o',
        {
          left: 0,
          grants: new Map([
            ['long', { ...uses, shown: 'C'.repeat(40_000) }],
            ['short', uses],
            ['longer', { ...uses, shown: 'C'.repeat(90_000) }],
          ]),
        },
      ],
    ])
    const fitting = JSON.parse(
      reportOf(addUses({ since: 0, at: 0, owners: new Map() }, long, 1), 'did:key:o')?.text ?? '{}',
    )
    expect([fitting.grants.length, fitting.left]).toEqual([2, 1])
  })
})
