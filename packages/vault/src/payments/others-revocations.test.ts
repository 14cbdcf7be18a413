// What others revoked counts before a payment is countersigned: it is in the owner's feed, over a real relay.
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { closeSharedEnclave, HOST, makeRelay } from '../../../relay/src/test/relay.ts'
import type { KeyVault } from '../key-vault.ts'
import { freshBrowser } from '../test/browser.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey } from '../test/opening.ts'

freshBrowser()
const vaults = new OpenVaults()
afterAll(closeSharedEnclave)
afterEach(() => vi.unstubAllGlobals())

const relay = `https://${HOST}/relay`
const didOf = (vault: KeyVault) => vault.getSnapshot().issuerDid ?? ''

async function someone(): Promise<KeyVault> {
  const vault = await vaults.start({ enablePersistence: false })
  await vault.create(openedByPasskey())
  return vault
}

/** An owner, a holder who passed a mandate on, and a request by the one who got it. */
async function passedOn() {
  const owner = await vaults.start()
  await owner.create(openedByPasskey())
  const [holder, helper] = [await someone(), await someone()]
  const { mandate, token } = await owner.mandates.make({
    ...{ payees: ['did:web:shop.example'], max: 5_000, currency: 'GBP', audienceDid: didOf(holder) },
    budget: { period: 'month', payments: 10 },
  })
  const link = await holder.tokens.narrow({
    ...{ parent_token: token.token, audience_did: didOf(helper), command: '/payment/request' },
  })
  const ask = async (order: string) => {
    const { token } = await helper.tokens.invoke({
      ...{ command: '/payment/request', subject_did: didOf(owner), audience_did: didOf(owner) },
      args: { payee: 'did:web:shop.example', amount: 1_000, currency: 'GBP', order },
      proof_token: link.token,
    })
    return token
  }
  return { owner, holder, link, mandate, ask }
}

it('a request is refused once its feed has the revocation of a link', async () => {
  const world = await makeRelay({ clock: Date.now })
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push(url)
    return await world.relay.fetch(new Request(url, init), { address: '192.0.2.1' })
  })
  const { owner, holder, link, ask } = await passedOn()
  await owner.payments.countersign(await ask('A-1'), { relay })
  expect(asked).toEqual([`${relay}/revocations`])
  const { token: revocation } = await holder.tokens.revoke({ cid: link.cid })
  const posted = await world.post('/revocations', { revocation, token: link.token })
  expect(posted.status).toBe(201)
  const refused = owner.payments.countersign(await ask('A-2'), { relay })
  await expect(refused).rejects.toMatchObject({ details: { name: 'Revoked', cid: link.cid } })
  // Reading it leaves nothing behind.
  expect((await owner.tokens.list()).filter(({ type }) => type === 'invocation')).toEqual([])
  await world.relay.close()
})

it.each<[string, () => Promise<Response>]>([
  ['is out of reach', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['refuses', async () => Response.json({ error: 'forbidden' }, { status: 403 })],
  ['answers nonsense', async () => new Response('{"revocations": [1]}')],
  ['answers what is no JSON', async () => new Response('<p>Hello</p>')],
])('nothing is signed if the relay %s, and it can be left out', async (_what, answer) => {
  vi.stubGlobal('fetch', answer)
  const { owner, ask } = await passedOn()
  const request = await ask('A-1')
  await expect(owner.payments.countersign(request, { relay })).rejects.toMatchObject({
    details: { name: 'FeedUnknown' },
  })
  expect(await owner.payments.list()).toEqual([])
  expect(await owner.payments.countersign(request)).toMatchObject({ order: 'A-1' })
})
