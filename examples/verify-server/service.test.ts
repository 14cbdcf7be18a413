// The service as it is started, with real tokens over a real socket. The parts it uses have their own tests in packages/verify.
import { once } from 'node:events'
import type { Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  container,
  delegation,
  invocation,
  person,
  revocation,
  type Token,
} from '../../packages/enclave/src/test/naive-tokens.ts'
import { createService } from './server.js'

const [owner, friend, stranger] = [person(1), person(2), person(3)]
let server: Server
let url: string
beforeAll(async () => {
  server = await createService({ did: owner.did })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
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
