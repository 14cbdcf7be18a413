// The service as it is started, with real tokens over a real socket. The parts it uses have their own tests in packages/verify.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import {
  container,
  delegation,
  invocation,
  person,
  revocation,
  type Token,
} from '../../packages/enclave/src/test/naive-tokens.ts'

const [owner, friend, stranger] = [person(1), person(2), person(3)]
let server: Server
let url: string
let folder: string
/** Starts the service as Node does, with what it had in its folder. */
async function start() {
  vi.resetModules()
  server = (await import('./server.js')).server
  if (!server.listening) await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}
async function stop() {
  const closed = once(server, 'close')
  server.closeAllConnections()
  server.close()
  await closed
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyhole-verify-server-'))
  Object.assign(process.env, { DID: owner.did, DATA: folder, PORT: '0' })
  await start()
})
afterAll(async () => {
  await stop()
  await rm(folder, { recursive: true })
})

const soon = () => BigInt(Math.floor(Date.now() / 1_000) + 60)

async function ask(tokens: readonly Token[], path = '/msg') {
  const headers = { authorization: `Bearer ${container(tokens)}` }
  const response = await fetch(url + path, { method: 'POST', headers })
  return [response.status, await response.json()]
}

it('lets the owner in without a grant, and a friend with one', async () => {
  expect(await ask([invocation(owner, owner, [], { exp: soon() })])).toMatchObject([
    200,
    { issuer: owner.did },
  ])
  const grant = delegation(owner, friend)
  expect(await ask([grant, invocation(friend, owner, [grant], { exp: soon() })])).toMatchObject([
    200,
    { command: '/msg', issuer: friend.did, chain: [{ cid: grant.cid }] },
  ])
})

it('is authorised once, however many arrive together', async () => {
  const call = invocation(owner, owner, [], { exp: soon() })
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask([call])))
  expect(answers.map(([status]) => status).toSorted()).toEqual([200, ...Array(19).fill(401)])
})

it('refuses a stranger’s call, one without expiry, and one at another path', async () => {
  const about = { aud: owner.did, exp: soon() }
  expect(await ask([invocation(stranger, stranger, [], about)])).toMatchObject([
    403,
    { error: { name: 'InvalidSubject' } },
  ])
  expect(await ask([invocation(owner, owner, [])])).toMatchObject([403, { error: { name: 'LivesTooLong' } }])
  expect(await ask([invocation(owner, owner, [], { exp: soon() })], '/other')).toMatchObject([
    403,
    { error: { name: 'InvalidCommand' } },
  ])
})

it('accepts a revocation, and then no call under that grant', async () => {
  const grant = delegation(owner, friend)
  const body = container([revocation(owner, grant)])
  expect((await fetch(`${url}/revocations`, { method: 'POST', body })).status).toBe(202)
  expect(await ask([grant, invocation(friend, owner, [grant], { exp: soon() })])).toMatchObject([
    403,
    { error: { name: 'Revoked' } },
  ])
})

it('still knows what was used and revoked after it was started again', async () => {
  const grants = [delegation(owner, friend), delegation(owner, friend)]
  const [used, other] = grants.map((grant) => [grant, invocation(friend, owner, [grant], { exp: soon() })])
  expect(await ask(used ?? [])).toMatchObject([200, {}])
  const body = container([revocation(owner, grants[1] as Token)])
  expect((await fetch(`${url}/revocations`, { method: 'POST', body })).status).toBe(202)
  await stop()
  await start()
  expect(await ask(used ?? [])).toMatchObject([401, { error: { name: 'Replayed' } }])
  expect(await ask(other ?? [])).toMatchObject([403, { error: { name: 'Revoked' } }])
})
