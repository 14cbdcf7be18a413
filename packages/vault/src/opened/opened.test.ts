// A grant handed over by link, and the other side that says it opened it: two vaults with the real enclave, a relay on a socket.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { closeSharedEnclave, makeRelay } from '../../../relay/src/test/relay.ts'
import type { KeyVault } from '../key-vault.ts'
import { dumpDisk, freshBrowser } from '../test/browser.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey } from '../test/opening.ts'
import { fetchOpened, makeLinkSecret, sayOpened } from './index.ts'
import { openNotice, placeOf, sealNotice } from './notice.ts'

freshBrowser()
const vaults = new OpenVaults()
afterAll(closeSharedEnclave)

const NOW = Date.now()

async function startRelay() {
  let answer = async (_: Request): Promise<Response> => new Response(null, { status: 503 })
  const bodies: string[] = []
  const server = createServer(
    getRequestListener(
      async (request) => {
        bodies.push(await request.clone().text())
        return await answer(request)
      },
      { overrideGlobalObjects: false },
    ),
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
  return { url: `http://${host}/relay`, close, bodies }
}

/** A vault that gave a grant by link to a key of its own, so that it is both sides. */
async function begin() {
  const relay = await startRelay()
  const vault = await vaults.start()
  await vault.create(openedByPasskey())
  const { did: audience } = await vault.keys.generate()
  const [{ did: issuer = '' } = {}] = vault.getSnapshot().keys
  const grant = async () => {
    const { cid } = await vault.tokens.grant({ audience_did: audience, command: '/msg/send', policy: [] })
    const handover = { cid, issuer, audience, secret: makeLinkSecret() }
    await vault.handovers.add(handover)
    return handover
  }
  return { relay, vault, grant, issuer, audience }
}

const openedOf = async (vault: KeyVault, cid: string) =>
  (await vault.handovers.list()).find((each) => each.cid === cid)?.openedAt
const acts = async (vault: KeyVault) =>
  (await vault.activity.read()).lines.map(({ act, about }) => [act, about])

describe('a grant that was handed over', () => {
  it('is opened once its holder says so, at the time that they say', async () => {
    const { relay, vault, grant } = await begin()
    const [first, second] = [await grant(), await grant()]
    expect(await fetchOpened(vault, relay.url)).toBe(0)
    expect(await openedOf(vault, first.cid)).toBeUndefined()

    const changes: string[] = []
    vault.on('vault:changed', ({ change }) => changes.push(change))
    expect(await sayOpened(vault, relay.url, first.secret, first, Date.now() + 5_000)).toBe(true)
    expect(changes).toEqual([])
    expect(await fetchOpened(vault, relay.url)).toBe(1)
    expect(changes).toEqual(['handovers'])
    // A clock that is ahead counts as now.
    expect(await openedOf(vault, first.cid)).toBeLessThanOrEqual(Date.now())
    expect(await openedOf(vault, first.cid)).toBeGreaterThanOrEqual(NOW)
    expect(await openedOf(vault, second.cid)).toBeUndefined()
    expect((await acts(vault)).slice(-2)).toEqual([
      ['handOver', { cid: second.cid }],
      ['opened', { cid: first.cid }],
    ])
    // What is known isn't asked again.
    relay.bodies.length = 0
    expect(await fetchOpened(vault, relay.url)).toBe(0)
    expect(relay.bodies).toEqual([JSON.stringify({ places: [await placeOf(second.secret)] })])
  })

  it('tells the relay nothing about it', async () => {
    const { relay, vault, grant, issuer, audience } = await begin()
    const given = await grant()
    await sayOpened(vault, relay.url, given.secret, given)
    await fetchOpened(vault, relay.url)
    const told = relay.bodies.join('\n')
    for (const known of [given.cid, given.secret, issuer, audience]) expect(told).not.toContain(known)
    expect(new Set(relay.bodies.map((body) => Object.keys(JSON.parse(body)).join()))).toEqual(
      new Set(['place,notice', 'places']),
    )
    // Nor is it in the clear on the disk.
    expect(await dumpDisk()).not.toContain(given.secret)
  })

  it('is not opened by anyone else’s word, nor by words about another grant', async () => {
    const { relay, vault, grant, issuer, audience } = await begin()
    const other = await grant()
    const lies = {
      'by its giver': (cid: string) => ({ cid, issuer: audience, audience: issuer }),
      'by its holder, to another': (cid: string) => ({ cid, issuer: audience, audience }),
      'about another grant': () => ({ cid: other.cid, issuer, audience }),
    }
    for (const [what, lie] of Object.entries(lies)) {
      const { cid, secret } = await grant()
      expect(await sayOpened(vault, relay.url, secret, lie(cid)), what).toBe(true)
      expect(await fetchOpened(vault, relay.url), what).toBe(0)
      expect(await openedOf(vault, cid), what).toBeUndefined()
    }
    const { cid, secret } = await grant()
    for (const text of ['', 'no token', '{}']) {
      const body = JSON.stringify({ place: await placeOf(secret), notice: await sealNotice(secret, text) })
      await fetch(`${relay.url}/notices`, { method: 'POST', body })
      expect(await fetchOpened(vault, relay.url)).toBe(0)
    }
    expect(await openedOf(vault, cid)).toBeUndefined()
  })

  it('keeps the first link that was handed over, and is unknown without one', async () => {
    const { vault, grant } = await begin()
    const given = await grant()
    await vault.handovers.add({ ...given, secret: makeLinkSecret() })
    expect(await vault.handovers.list()).toMatchObject([{ secret: given.secret }])
    await vault.handovers.markOpened('bafyreiunknown', NOW)
    expect(await vault.handovers.list()).toHaveLength(1)
    await expect(vault.handovers.add({ ...given, secret: 'short' })).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
    })
    await vault.lock()
    await expect(vault.handovers.list()).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
  })

  it('stays unknown while the relay can’t be asked, and after 90 days it isn’t asked any more', async () => {
    const { relay, vault, grant } = await begin()
    const given = await grant()
    relay.bodies.length = 0
    expect(await fetchOpened(vault, relay.url, Date.now() + 91 * 86_400_000)).toBe(0)
    expect(relay.bodies).toEqual([])
    await relay.close()
    expect(await sayOpened(vault, relay.url, given.secret, given)).toBe(false)
    expect(await fetchOpened(vault, relay.url)).toBeUndefined()
  })
})

describe('a notice', () => {
  it('opens with its own secret alone, unchanged, and is always as long', async () => {
    const [secret, other] = [makeLinkSecret(), makeLinkSecret()]
    const notice = (await sealNotice(secret, 'opened')) ?? ''
    expect(Buffer.from(notice, 'base64url')).toHaveLength(1_024)
    expect(await openNotice(secret, notice)).toBe('opened')
    expect(await openNotice(other, notice)).toBeUndefined()
    expect(
      await openNotice(secret, `${notice.slice(0, 99)}${notice[99] === 'A' ? 'B' : 'A'}${notice.slice(100)}`),
    ).toBeUndefined()
    expect(await openNotice(secret, notice.slice(4))).toBeUndefined()
    expect(await sealNotice(secret, 'x'.repeat(997))).toBeUndefined()
    expect(await placeOf(secret)).toBe(await placeOf(secret))
    expect(await placeOf(secret)).not.toBe(await placeOf(other))
  })
})
