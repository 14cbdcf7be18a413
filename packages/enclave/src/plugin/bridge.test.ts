// did:web through the plugin. Without JSPI it runs in Extism's own worker, and the bridge makes requests from this
// thread.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createEnclave } from '../create-enclave.ts'
import { container, invocation, type Person, person } from '../test/naive-tokens.ts'
import type { Enclave } from '../types.ts'

const owner = person(7)
const shop: Person = { ...owner, did: 'did:web:shop.example' }
const request = { invocation: container([invocation(shop, shop, [])]) }
const asked: string[] = []
const opened: Enclave[] = []

afterEach(async () => {
  vi.unstubAllGlobals()
  asked.length = 0
  await Promise.all(opened.splice(0).map((enclave) => enclave.close()))
})

async function validate(allowedHosts: string[], respond: () => Response): Promise<unknown> {
  vi.stubGlobal('fetch', async (url: URL, { redirect, credentials }: RequestInit) => {
    asked.push(`${url.href} ${redirect} ${credentials}`)
    return respond()
  })
  const enclave = await createEnclave({ allowedHosts })
  opened.push(enclave)
  return enclave.call('validate_invocation', request)
}

function document(id: string): Response {
  const method = { id: '#1', controller: id, publicKeyMultibase: owner.did.slice('did:key:'.length) }
  return Response.json({ id, verificationMethod: [method], capabilityInvocation: ['#1'] })
}

function fail(): never {
  throw new Error('no route')
}

const refused = (words: string) => ({
  valid: false,
  error: { name: 'InvalidSignature', message: expect.stringContaining(words) },
})

describe('an issuer on the web', () => {
  it('is looked up at an allowed host', async () => {
    expect(await validate(['shop.example'], () => document(shop.did))).toMatchObject({
      valid: true,
      issuer: shop.did,
    })
    expect(asked).toEqual(['https://shop.example/.well-known/did.json error omit'])
  })

  it('is not looked up at any other host', async () => {
    expect(await validate(['other.example'], () => document(shop.did))).toMatchObject(
      refused('shop.example is not among the hosts'),
    )
    expect(asked).toEqual([])
  })

  it('is not looked up without a list', async () => {
    expect(await validate([], () => document(shop.did))).toMatchObject(refused('allowedHosts'))
    expect(asked).toEqual([])
  })

  it.each<[string, () => Response, string]>([
    ['another subject', () => document('did:web:other.example'), 'another DID'],
    ['an error', () => new Response('', { status: 500 }), 'status 500'],
    ['something other than a document', () => new Response('<html>'), 'not a DID document'],
    ['too much', () => new Response('x'.repeat(300_000)), 'more than'],
    ['nothing', fail, 'could not be reached'],
  ])('is refused with a reason if its host answers with %s', async (_what, respond, words) => {
    expect(await validate(['shop.example'], respond)).toMatchObject(refused(words))
  })
})
