// Mandates with a budget on the real enclave: the count is right, however many ask at once.

import { createEnclave } from '@keyhole/enclave'
import { describe, expect, it, vi } from 'vitest'
import type { VaultDependencies } from '../base/config.ts'
import type { Mandate, MandateTerms } from '../enclave/mandate.ts'
import type { PaymentRecord } from '../enclave/payment.ts'
import type { KeyVault } from '../key-vault.ts'
import { fillDisk, freshBrowser, rawPut } from '../test/browser.ts'
import { clientOf } from '../test/client-of.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'

freshBrowser()
const vaults = new OpenVaults()
const ORIGIN = 'https://shop.example'
const PAYEE = 'did:web:shop.example'
const TERMS: MandateTerms = {
  ...{ payees: [PAYEE], min: 100, max: 5_000, currency: 'GBP' },
  budget: { period: 'month', amount: 20_000, payments: 10 },
}
const asked = (order: string, value = '10.00') => ({ origin: ORIGIN, value, currency: 'GBP', order })

async function alice(dependencies: VaultDependencies = {}): Promise<KeyVault> {
  const vault = await vaults.start({}, dependencies)
  await vault.create(openedByPasskey({ label: 'Alice' }))
  return vault
}

/** Tabs on one account, each with its own enclave, or all sharing one. */
async function tabsOf(count: number, dependencies: VaultDependencies): Promise<[KeyVault, ...KeyVault[]]> {
  const tabs: [KeyVault, ...KeyVault[]] = [await alice(dependencies)]
  while (tabs.length < count) {
    const tab = await vaults.start({}, dependencies)
    if (tab.getSnapshot().phase === 'locked') await tab.unlock(passkeyProof())
    tabs.push(tab)
  }
  return tabs
}

const KINDS: [kind: string, dependencies: () => VaultDependencies][] = [
  ['with an enclave each', () => ({ createEnclave })],
  ['that share one enclave', () => new EnclaveWorld('shared-worker')],
]

async function agent(): Promise<KeyVault> {
  const vault = await vaults.start({ enablePersistence: false })
  await vault.create(openedByPasskey())
  return vault
}

const didOf = (vault: KeyVault) => vault.getSnapshot().issuerDid ?? ''

/** What a mandate's holder asks with. */
async function request(holder: KeyVault, owner: KeyVault, proof: string, order: string, amount = 1_000) {
  const { token } = await holder.tokens.invoke({
    command: '/payment/request',
    args: { payee: PAYEE, amount, currency: 'GBP', order },
    subject_did: didOf(owner),
    proof_token: proof,
  })
  return token
}

async function mandateOf(vault: KeyVault, cid: string): Promise<Mandate | undefined> {
  return (await vault.mandates.list()).find((mandate) => mandate.cid === cid)
}

/** Fifty at once, spread over the tabs: exactly ten are authorised, each different, stored, and counted. */
async function raceOf(
  tabs: readonly KeyVault[],
  pay: (tab: KeyVault, index: number) => Promise<PaymentRecord>,
) {
  const all = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) => {
      const tab = tabs[index % tabs.length]
      if (!tab) throw new Error('There is no tab.')
      return pay(tab, index)
    }),
  )
  const authorised = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const refused = all.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  expect(refused.map(({ details }) => details?.name)).toEqual(Array(40).fill('BudgetExceeded'))
  expect(authorised).toHaveLength(10)
  expect(new Set(authorised.map(({ token }) => token)).size).toBe(10)
  expect(new Set(authorised.map(({ task }) => task)).size).toBe(10)
  await vaults.closeAll()
  const later = await vaults.start()
  await later.unlock(passkeyProof())
  const byId = (payments: readonly PaymentRecord[]) =>
    payments.toSorted((one, other) => one.id.localeCompare(other.id))
  expect(byId(await later.payments.list())).toEqual(byId(authorised))
  const [mandate] = await later.mandates.list()
  expect(mandate).toMatchObject({
    used: { payments: 10, amount: 10_000 },
    total: { payments: 10, amount: 10_000 },
    remaining: { payments: 0, amount: 10_000 },
  })
  expect(await later.activity.read()).toMatchObject({ missing: [], rewritten: [] })
}

describe('fifty payments at once against a budget of ten', () => {
  it('exactly ten are authorised in one tab', async () => {
    const vault = await alice()
    const { mandate } = await vault.mandates.make(TERMS)
    const options = { mandate: mandate.cid, byItself: true }
    await raceOf([vault], (tab, index) => tab.payments.authorize(asked(`A-${index}`), options))
  })

  it.each(KINDS)('exactly ten are authorised across four tabs %s', async (_kind, dependencies) => {
    const tabs = await tabsOf(4, dependencies())
    const { mandate } = await tabs[0].mandates.make(TERMS)
    const options = { mandate: mandate.cid, byItself: true }
    await raceOf(tabs, (tab, index) => tab.payments.authorize(asked(`A-${index}`), options))
  })

  it.each(KINDS)(
    'exactly ten are authorised across four tabs %s, when a holder asks',
    async (_kind, dependencies) => {
      const tabs = await tabsOf(4, dependencies())
      const holder = await agent()
      const { token } = await tabs[0].mandates.make({ ...TERMS, audienceDid: didOf(holder) })
      const requests: string[] = []
      while (requests.length < 50) {
        requests.push(await request(holder, tabs[0], token.token, `A-${requests.length}`))
      }
      await raceOf(tabs, (tab, index) => tab.payments.countersign(requests[index] ?? ''))
    },
  )
})

it('a payment signed by a tab that died before storing it does not count as spent', async () => {
  const [here, there] = await tabsOf(2, new EnclaveWorld('shared-worker'))
  const { mandate } = await here.mandates.make(TERMS)
  const followed = new Promise<void>((resolve) => {
    const { revision } = here.getSnapshot()
    there?.subscribe(() => there.getSnapshot().revision > revision && resolve())
  })
  const { cid } = mandate
  await clientOf(here).enclave.call('spend_mandate', { cid, payment: asked('A-1'), by_itself: true })
  await followed
  await there?.payments.authorize(asked('A-2'), { mandate: cid, byItself: true })
  expect(await there?.payments.list()).toMatchObject([{ order: 'A-2' }])
  expect((await there?.mandates.list())?.[0]).toMatchObject({ used: { payments: 1 }, total: { payments: 1 } })
})

/** The database goes back to before a payment, while the shared enclave stays as it is. */
async function forgotten() {
  const shared = new EnclaveWorld('shared-worker')
  const here = await alice(shared)
  const { mandate } = await here.mandates.make(TERMS)
  const before = await here.client.loadPersistedState()
  const { amount } = await here.payments.authorize(asked('A-1'), { mandate: mandate.cid, byItself: true })
  if (before) await rawPut(before.accountAddress, 'state', before)
  return { shared, here, counted: [{ cid: mandate.cid, used: { payments: 1, amount } }] }
}

describe('a payment that was handed out still counts after the database lost it', () => {
  it('while unlocked, whatever is changed next', async () => {
    const { shared, here, counted } = await forgotten()
    const { revision } = here.getSnapshot()
    const { enclave } = clientOf(here)
    // The log line isn't part of the payment.
    await enclave.call('rollback_vault', { revision })
    const refusal = await enclave.call('rollback_vault', { revision: revision - 1 })
    expect(refusal).toMatchObject({ code: 'OPERATION_FAILED', name: 'AuthorisationDelivered' })
    const there = await vaults.start({}, shared)
    await there.accounts.label('Later')
    expect(await there.mandates.list()).toMatchObject(counted)
  })

  it('after a lock, and is stored again by the next unlock', async () => {
    const { here, counted } = await forgotten()
    await here.lock()
    await here.unlock(passkeyProof())
    expect(await here.mandates.list()).toMatchObject(counted)
    await vaults.closeAll()
    const later = await vaults.start()
    await later.unlock(passkeyProof())
    expect(await later.mandates.list()).toMatchObject(counted)
  })

  it('even if the lock could not be stored', async () => {
    const { here, counted } = await forgotten()
    const free = fillDisk('state')
    await here.lock()
    free()
    await here.unlock(passkeyProof())
    expect(await here.mandates.list()).toMatchObject(counted)
  })
})

it('a payment is not handed out before the enclave has settled it', async () => {
  const vault = await alice()
  const { mandate } = await vault.mandates.make(TERMS)
  const { enclave } = clientOf(vault)
  const call = enclave.callByName.bind(enclave)
  vi.spyOn(enclave, 'callByName').mockImplementation(async (name, ...rest) => {
    if (name === 'settle_payment') throw new Error('the enclave is gone')
    return await call(name, ...rest)
  })
  const options = { mandate: mandate.cid, byItself: true }
  await expect(vault.payments.authorize(asked('A-1'), options)).rejects.toMatchObject({
    code: 'OPERATION_FAILED',
  })
  expect(await vault.mandates.list()).toMatchObject([{ used: { payments: 1 } }])
  expect(await vault.payments.list()).toMatchObject([{ order: 'A-1' }])
})

describe('a mandate', () => {
  it('is stored as a grant with its label, and shows what is left', async () => {
    const vault = await alice()
    const holder = await agent()
    const changes: string[] = []
    vault.on('vault:changed', ({ change }) => changes.push(change))
    const terms = { ...TERMS, audienceDid: didOf(holder), expiresAt: null, label: 'Groceries' }
    const { token, mandate } = await vault.mandates.make(terms)
    expect(changes).toEqual(['tokens', 'mandates'])
    expect(token).toMatchObject({
      ...{ type: 'origin', cid: mandate.cid, command: '/payment/request', label: 'Groceries' },
      ...{ audienceDid: didOf(holder), issuer: didOf(vault), keyId: vault.getSnapshot().defaultKey },
    })
    expect(token.expiresAt).toBeUndefined()
    expect(await vault.tokens.list()).toEqual([token])
    expect(mandate).toMatchObject({
      ...{ issuer: didOf(vault), audience: didOf(holder), payees: [PAYEE], min: 100, max: 5_000, digits: 2 },
      ...{ currency: 'GBP', budget: TERMS.budget, own: false, suspended: false, ended: false },
      remaining: { amount: 20_000, payments: 10 },
    })
    expect(await vault.mandates.list()).toEqual([mandate])
    expect((await vault.activity.read()).lines.at(-1)).toMatchObject({
      act: 'makeMandate',
      about: { cid: mandate.cid, max: 5_000, currency: 'GBP', period: 'month', amount: 20_000, payments: 10 },
    })
    expect(JSON.stringify(await vault.activity.read())).not.toContain('Groceries')
    await expect(vault.mandates.make({ ...TERMS, budget: { period: 'day' } })).rejects.toMatchObject({
      details: { name: 'InvalidMandate' },
    })
    expect(await vault.tokens.list()).toHaveLength(1)
  })

  it('allows payments within it, to its payees', async () => {
    const vault = await alice()
    const holder = await agent()
    const { mandate } = await vault.mandates.make({ ...TERMS, audienceDid: didOf(holder) })
    const options = { mandate: mandate.cid }
    const named = (name: string) => ({ code: 'OPERATION_FAILED', details: { name } })
    const pay = (change: object, how: object = options) =>
      vault.payments.authorize({ ...asked('A-1'), ...change }, how)
    await expect(pay({ value: '50.01' })).rejects.toMatchObject(named('OutsideMandate'))
    await expect(pay({ value: '0.99' })).rejects.toMatchObject(named('OutsideMandate'))
    await expect(pay({ currency: 'EUR' })).rejects.toMatchObject(named('OutsideMandate'))
    await expect(pay({ origin: 'https://evil.example' })).rejects.toMatchObject(named('OutsideMandate'))
    // The vault approves nothing automatically under someone else's mandate.
    await expect(pay({}, { ...options, byItself: true })).rejects.toMatchObject(named('OutsideMandate'))
    await expect(pay({}, { byItself: true })).rejects.toMatchObject(named('UnknownMandate'))
    expect(await vault.payments.list()).toEqual([])
    expect(await pay({})).toMatchObject({ by: 'hand', mandate: mandate.cid })
    expect((await mandateOf(vault, mandate.cid))?.used.payments).toBe(1)
  })

  it('is suspended and confirmed again', async () => {
    const vault = await alice()
    const { mandate } = await vault.mandates.make(TERMS)
    const options = { mandate: mandate.cid, byItself: true }
    expect(await vault.mandates.suspend(mandate.cid, true)).toMatchObject({ suspended: true })
    await expect(vault.payments.authorize(asked('A-1'), options)).rejects.toMatchObject({
      details: { name: 'MandateSuspended' },
    })
    await vault.mandates.suspend(mandate.cid, false)
    expect(await vault.payments.authorize(asked('A-1'), options)).toMatchObject({ by: 'mandate' })
    const acts = (await vault.activity.read()).lines.map(({ act, outcome }) => `${act} ${outcome}`)
    expect(acts.slice(-4)).toEqual([
      ...['suspendMandate done', 'authorizePayment OPERATION_FAILED'],
      ...['confirmMandate done', 'authorizePayment done'],
    ])
  })

  it.each(['endMandate', 'revoke'] as const)('is ended and revoked by %s', async (how) => {
    const vault = await alice()
    const holder = await agent()
    const { mandate, token } = await vault.mandates.make({ ...TERMS, audienceDid: didOf(holder) })
    const text = await request(holder, vault, token.token, 'A-1')
    if (how === 'endMandate') expect(await vault.mandates.end(mandate.cid)).toMatchObject({ ended: true })
    else {
      const revoked = await vault.tokens.revoke({ cid: mandate.cid, token: token.token, label: 'No more' })
      expect(revoked).toMatchObject({ type: 'revocation', revokes: mandate.cid, label: 'No more' })
    }
    expect(await mandateOf(vault, mandate.cid)).toMatchObject({ ended: true })
    const [revocation] = await vault.tokens.revocations()
    expect(revocation).toMatchObject({ revokes: mandate.cid })
    const revocations = [revocation?.token ?? '']
    expect(await vault.tokens.verify({ token: token.token, revocations })).toMatchObject({
      error: { name: 'Revoked' },
    })
    await expect(vault.payments.countersign(text)).rejects.toMatchObject({ details: { name: 'Revoked' } })
    await expect(vault.payments.authorize(asked('A-1'), { mandate: mandate.cid })).rejects.toMatchObject({
      details: { name: 'MandateEnded' },
    })
    // Ending it again changes nothing.
    await vault.mandates.end(mandate.cid)
    expect(await vault.tokens.revocations()).toHaveLength(1)
    expect((await vault.tokens.list()).filter(({ type }) => type === 'revocation')).toHaveLength(1)
  })
})

describe('a request', () => {
  it('is countersigned once, for the holder who asks', async () => {
    const vault = await alice()
    const holder = await agent()
    const { mandate, token } = await vault.mandates.make({ ...TERMS, audienceDid: didOf(holder) })
    const text = await request(holder, vault, token.token, 'A-1')
    const all = await Promise.allSettled([1, 2, 3].map(() => vault.payments.countersign(text)))
    expect(all.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    await expect(vault.payments.countersign(text)).rejects.toMatchObject({ details: { name: 'Replayed' } })
    const [paid, ...more] = await vault.payments.list()
    expect(more).toEqual([])
    expect(paid).toMatchObject({
      ...{ by: 'request', mandate: mandate.cid, requester: didOf(holder), issuer: didOf(vault) },
      ...{ payee: PAYEE, amount: 1_000, currency: 'GBP', order: 'A-1' },
    })
    expect((await mandateOf(vault, mandate.cid))?.used.payments).toBe(1)
  })

  it('from someone the mandate was passed on to is accepted until that is revoked', async () => {
    const vault = await alice()
    const [holder, helper] = [await agent(), await agent()]
    const { mandate, token } = await vault.mandates.make({ ...TERMS, audienceDid: didOf(holder) })
    const narrowed = await holder.tokens.narrow({
      ...{ parent_token: token.token, audience_did: didOf(helper), command: '/payment/request' },
      policy: [['<=', '.amount', 2_000]],
    })
    const ask = (order: string, amount?: number) => request(helper, vault, narrowed.token, order, amount)
    await vault.payments.countersign(await ask('A-1'))
    await expect(ask('A-2', 3_000)).rejects.toMatchObject({ details: { name: 'MatchError' } })
    const text = await ask('A-3')
    await vault.tokens.revoke({ cid: narrowed.cid, path: [mandate.cid, narrowed.cid] })
    await expect(vault.payments.countersign(text)).rejects.toMatchObject({ details: { name: 'Revoked' } })
    expect(await vault.payments.list()).toMatchObject([{ requester: didOf(helper), order: 'A-1' }])
  })

  it('is refused once someone else in its chain revoked a link, if the vault is given the revocation', async () => {
    const vault = await alice()
    const [holder, helper, other] = [await agent(), await agent(), await agent()]
    const { mandate, token } = await vault.mandates.make({ ...TERMS, audienceDid: didOf(holder) })
    const [toHelper, toOther] = await Promise.all(
      [helper, other].map((each) =>
        holder.tokens.narrow({
          ...{ parent_token: token.token, audience_did: didOf(each), command: '/payment/request' },
        }),
      ),
    )
    if (!toHelper || !toOther) throw new Error('Both are passed on.')
    const { token: revocation } = await holder.tokens.revoke({ cid: toHelper.cid })
    // One by someone who only received it means nothing.
    const { token: none } = await other.tokens.revoke({ cid: toOther.cid })
    const revocations = [none, revocation]
    const refused = await request(helper, vault, toHelper.token, 'A-1')
    await expect(vault.payments.countersign(refused, { revocations })).rejects.toMatchObject({
      details: { name: 'Revoked', cid: toHelper.cid },
    })
    expect(await mandateOf(vault, mandate.cid)).toMatchObject({ used: { payments: 0 } })
    const text = await request(other, vault, toOther.token, 'A-2')
    await expect(vault.payments.countersign(text, { revocations: ['Coops'] })).rejects.toMatchObject({
      details: { name: 'MalformedToken' },
    })
    expect(await vault.payments.countersign(text, { revocations })).toMatchObject({ order: 'A-2' })
  })

  it('without a mandate, or that is not a request, signs nothing', async () => {
    const vault = await alice()
    const holder = await agent()
    const grant = await vault.tokens.grant({ audience_did: didOf(holder), command: '/payment/request' })
    const under = await request(holder, vault, grant.token, 'A-1')
    await expect(vault.payments.countersign(under)).rejects.toMatchObject({
      details: { name: 'UnknownMandate' },
    })
    await expect(vault.payments.countersign(grant.token)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    await expect(vault.payments.countersign('nonsense')).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    expect(await vault.payments.list()).toEqual([])
  })
})
