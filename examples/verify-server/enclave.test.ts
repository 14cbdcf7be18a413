// The service with the plugin: what only real tokens can show.
import { once } from 'node:events'
import type { Server } from 'node:http'
import { answerOf, createEnclave, type Enclave } from '@keyhole/enclave'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createService } from './server.js'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

interface Made {
  readonly token: string
  readonly cid: string
}

class Person {
  readonly did: string
  readonly #enclave: Enclave

  constructor(enclave: Enclave, did: string) {
    this.#enclave = enclave
    this.did = did
  }

  static async make(): Promise<Person> {
    const enclave = await createEnclave()
    const secret = { passphrase: 'four words that nobody guesses' }
    await enclave.call('create_vault', secret).then(answerOf)
    const { issuer_did } = await enclave.call('get_issuer_did').then(answerOf)
    return new Person(enclave, issuer_did)
  }

  grant(to: Person): Promise<Made> {
    return this.#enclave.call('new_origin_token', { audience_did: to.did, command: '/notes' }).then(answerOf)
  }

  narrow(parent: Made, to: Person): Promise<Made> {
    const request = { audience_did: to.did, command: '/notes/read', parent_token: parent.token }
    return this.#enclave.call('new_attenuated_token', request).then(answerOf)
  }

  invoke(of: Person, proof?: Made, more: object = {}): Promise<Made> {
    const proof_token = proof && { proof_token: proof.token }
    const request = { command: '/notes/read', args: {}, subject_did: of.did, ...proof_token, ...more }
    return this.#enclave.call('invoke', request).then(answerOf)
  }

  revoke(what: Made): Promise<Made> {
    return this.#enclave.call('revoke', { cid: what.cid }).then(answerOf)
  }

  close(): Promise<void> {
    return this.#enclave.close()
  }
}

let people: Person[] = []
let owner: Person
let friend: Person
let stranger: Person
let server: Server
let url: string

beforeAll(async () => {
  people = [await Person.make(), await Person.make(), await Person.make()]
  const [first, second, third] = people
  if (!first || !second || !third) throw new Error('three were made')
  owner = first
  friend = second
  stranger = third
  server = await createService({ did: owner.did })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await Promise.all(people.map((person) => person.close()))
})

async function ask({ token }: Made) {
  const response = await fetch(url, { method: 'POST', headers: { Authorization: `Bearer ${token}` } })
  return { status: response.status, body: await response.json() }
}

async function tell(body: string) {
  const response = await fetch(`${url}/revocations`, { method: 'POST', body })
  return { status: response.status, body: await response.json() }
}

it('lets the owner in without a proof, and a friend with one', async () => {
  expect(await ask(await owner.invoke(owner))).toMatchObject({
    status: 200,
    body: { authorised: { chain: [] } },
  })
  const grant = await owner.grant(friend)
  expect(await ask(await friend.invoke(owner, grant))).toMatchObject({
    status: 200,
    body: { authorised: { command: '/notes/read', issuer: friend.did, chain: [{ cid: grant.cid }] } },
  })
})

it('refuses what is valid, but not about the owner', async () => {
  const invocation = await stranger.invoke(stranger, undefined, { audience_did: owner.did })
  expect(await ask(invocation)).toMatchObject({
    status: 403,
    body: { error: { name: 'InvalidSubject', cid: invocation.cid } },
  })
})

it('refuses what never ends', async () => {
  const invocation = await owner.invoke(owner, undefined, { expires_at: null })
  expect(await ask(invocation)).toMatchObject({ status: 403, body: { error: { name: 'LivesTooLong' } } })
})

it('hears of a revocation before its delegation, from one in the middle of the chain', async () => {
  const grant = await owner.grant(friend)
  const narrowed = await friend.narrow(grant, stranger)
  const revocation = await friend.revoke(narrowed)
  expect(await tell(revocation.token)).toEqual({
    status: 202,
    body: { accepted: { cid: revocation.cid, revokes: narrowed.cid, by: friend.did } },
  })
  expect(await ask(await stranger.invoke(owner, narrowed))).toMatchObject({
    status: 403,
    body: { error: { name: 'Revoked', cid: narrowed.cid } },
  })
  expect(await ask(await friend.invoke(owner, grant))).toMatchObject({ status: 200 })
})

it('takes no notice of a revocation by one who may not', async () => {
  const grant = await owner.grant(friend)
  expect(await tell((await stranger.revoke(grant)).token)).toMatchObject({ status: 202 })
  expect(await ask(await friend.invoke(owner, grant))).toMatchObject({ status: 200 })
})

it('refuses a revocation that is none', async () => {
  const [invocation, grant] = [await friend.invoke(friend), await owner.grant(friend)]
  expect(await tell(invocation.token)).toMatchObject({
    status: 400,
    body: { error: { name: 'NotARevocation' } },
  })
  for (const [text, name, why] of [
    [grant.token, 'MalformedToken', 'NoInvocation'],
    ['eyJhbGciOiJFZERTQSJ9.e30.c2ln', 'UnsupportedVersion', 'Jwt'],
  ] as const) {
    expect(await tell(text)).toMatchObject({
      status: 400,
      body: { error: { name, why, cid: null } },
    })
  }
})

it('says who was expected, and who asked', async () => {
  const grant = await owner.grant(friend)
  const other = { audience_did: stranger.did }
  const { body } = await ask(await friend.invoke(owner, grant, other))
  expect(body).toMatchObject({
    error: { name: 'InvalidAudience', expected: owner.did, found: stranger.did },
  })
})
