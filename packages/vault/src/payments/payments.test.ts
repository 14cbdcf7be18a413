// Payments on the real enclave: what is signed, what is stored, and what happens if it can't be stored.
import { describe, expect, it, vi } from 'vitest'
import type { AskedPayment } from '../enclave/payment.ts'
import type { KeyVault } from '../key-vault.ts'
import { dumpDisk, fillDisk, freshBrowser, MemoryStorage, rawAll, rawPut, settled } from '../test/browser.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'

freshBrowser()
const vaults = new OpenVaults()

const PASSPHRASE = 'correct horse battery staple'
const FILE = 'another passphrase for the file'
const COFFEE: AskedPayment = {
  origin: 'https://shop.example',
  value: '25.00',
  currency: 'GBP',
  order: 'A-1001',
}
const TERMS = { payee: 'did:web:shop.example', amount: 2_500, currency: 'GBP', digits: 2, order: 'A-1001' }
const OWN = {
  ...{ payees: ['did:web:shop.example'], max: 5_000, currency: 'GBP' },
  budget: { period: 'month', payments: 10 },
} as const

async function alice(): Promise<KeyVault> {
  const vault = await vaults.start()
  await vault.create(openedByPasskey({ label: 'Alice' }))
  return vault
}

async function reloaded(): Promise<KeyVault> {
  await vaults.closeAll()
  const vault = await vaults.start()
  await vault.unlock(passkeyProof())
  return vault
}

const metadataOf = async (vault: KeyVault) => {
  const { address = '' } = vault.getSnapshot()
  return (await rawAll(address, 'metadata')) as { id: string; sealed: string }[]
}
const paymentsOf = async (vault: KeyVault) =>
  (await metadataOf(vault)).filter(({ id }) => id.startsWith('payment:'))

describe('a payment approved by hand', () => {
  it('is signed as shown, checked by the payee, and stored sealed', async () => {
    const vault = await alice()
    expect(await vault.payments.check(COFFEE)).toEqual(TERMS)
    const changes: string[] = []
    vault.on('vault:changed', ({ change }) => changes.push(change))
    const before = Date.now()
    const paid = await vault.payments.authorize(COFFEE)
    expect(paid).toMatchObject({ ...TERMS, by: 'hand', issuer: vault.getSnapshot().issuerDid })
    expect(paid.expiresAt).toBeGreaterThan(before + 299_000)
    expect(changes).toEqual(['payments'])

    const merchant = await vaults.start({ enablePersistence: false })
    const verdict = await merchant.tokens.validate({ invocation: paid.token, audience: TERMS.payee })
    const { digits: _, ...args } = TERMS
    const command = '/payment/authorize'
    expect(verdict).toMatchObject({ valid: true, cid: paid.id, task: paid.task, command, args })

    expect(await vault.payments.list()).toEqual([paid])
    expect(await dumpDisk()).not.toContain('A-1001')
    const line = (await vault.activity.read()).lines.at(-1)
    expect(line).toMatchObject({
      act: 'authorizePayment',
      about: { cid: paid.id, payee: TERMS.payee, amount: 2_500, currency: 'GBP', by: 'hand' },
    })
    expect(await (await reloaded()).payments.list()).toEqual([paid])
  })

  it('outlives the clean-up of expired tokens', async () => {
    const vault = await alice()
    const paid = await vault.payments.authorize(COFFEE)
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 365 * 86_400_000)
    await vault.client.removeExpiredTokens()
    vi.restoreAllMocks()
    expect(await vault.payments.list()).toEqual([paid])
  })

  it.each([
    ['no amount', { value: '25,00' }],
    ['more decimals than the currency has', { value: '1.5', currency: 'JPY' }],
    ['an unknown currency', { currency: 'XQQ' }],
    ['an insecure site', { origin: 'http://shop.example' }],
    ['no order', { order: '' }],
    ['an invalid receipt key', { receiptKey: 'did:web:evil.example' }],
  ])('is refused by name for %s: nothing is signed or stored', async (_what, wrong) => {
    const vault = await alice()
    const asked = { ...COFFEE, ...wrong }
    const refusal = { code: 'OPERATION_FAILED', details: { name: 'InvalidPayment' } }
    await expect(vault.payments.check(asked)).rejects.toMatchObject(refusal)
    await expect(vault.payments.authorize(asked)).rejects.toMatchObject(refusal)
    expect(await vault.payments.list()).toEqual([])
  })

  it('needs an unlocked vault; checking what would be signed does not', async () => {
    const vault = await alice()
    await vault.payments.authorize(COFFEE)
    const { mandate } = await vault.mandates.make(OWN)
    await vault.lock()
    expect(await vault.payments.check(COFFEE)).toEqual(TERMS)
    const locked = [
      vault.payments.authorize(COFFEE),
      vault.payments.authorize(COFFEE, { mandate: mandate.cid, byItself: true }),
      vault.payments.countersign('C'),
      vault.payments.list(),
      vault.payments.export('csv'),
      vault.payments.addReceipt('C'),
      vault.mandates.make(OWN),
      vault.mandates.list(),
      vault.mandates.suspend(mandate.cid, true),
      vault.mandates.end(mandate.cid),
    ]
    for (const each of await Promise.allSettled(locked)) {
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'VAULT_LOCKED' } })
    }
  })
})

describe('when storage is full', () => {
  it.each(['state', 'metadata'])(
    'no payment is handed out or counted: the store %s is full',
    async (store) => {
      const vault = await alice()
      const { mandate } = await vault.mandates.make(OWN)
      const { revision } = vault.getSnapshot()
      const free = fillDisk(store)
      const refusal = { code: 'OPERATION_FAILED', details: { quota: true } }
      await expect(vault.payments.authorize(COFFEE)).rejects.toMatchObject(refusal)
      await expect(vault.payments.authorize(COFFEE, { mandate: mandate.cid })).rejects.toMatchObject(refusal)
      free()
      expect(vault.getSnapshot().revision).toBe(revision)
      expect(await vault.payments.list()).toEqual([])
      expect((await vault.mandates.list())[0]).toMatchObject({ used: { payments: 0 } })
      const after = await reloaded()
      expect(await after.payments.list()).toEqual([])
      expect((await after.mandates.list())[0]).toMatchObject({
        used: { payments: 0 },
        total: { payments: 0 },
      })
      await after.payments.authorize(COFFEE, { mandate: mandate.cid })
      expect((await after.mandates.list())[0]).toMatchObject({ used: { payments: 1 } })
    },
  )

  it('a mandate is neither half made nor half ended: the store of tokens is full', async () => {
    const vault = await alice()
    const { mandate } = await vault.mandates.make(OWN)
    const free = fillDisk('tokens')
    await expect(vault.mandates.make(OWN)).rejects.toMatchObject({ details: { quota: true } })
    await expect(vault.mandates.end(mandate.cid)).rejects.toMatchObject({ details: { quota: true } })
    free()
    expect(await vault.mandates.list()).toEqual([mandate])
    expect(await vault.tokens.revocations()).toEqual([])
    expect(await (await reloaded()).mandates.list()).toEqual([mandate])
  })
})

describe('a stored payment', () => {
  it('that does not open is kept, reported once and skipped', async () => {
    const vault = await alice()
    const paid = await vault.payments.authorize(COFFEE)
    const { address = '' } = vault.getSnapshot()
    const [record] = await paymentsOf(vault)
    // One with another payment's key, and one that isn't sealed text at all.
    await rawPut(address, 'metadata', { ...record, id: 'payment:x', key: 'payment:x' })
    await rawPut(address, 'metadata', { ...record, id: 'payment:y', key: 'payment:y', sealed: 'nonsense' })
    const reports: string[] = []
    vault.on('vault:error', ({ message }) => reports.push(message))
    expect(await vault.payments.list()).toEqual([paid])
    expect(await vault.payments.list()).toEqual([paid])
    expect(reports).toHaveLength(2)
    expect(await paymentsOf(vault)).toHaveLength(3)
  })

  it('is in backups: restored elsewhere, and merged without losing either side', async () => {
    const vault = await alice()
    const first = await vault.payments.authorize(COFFEE)
    const { mandate } = await vault.mandates.make(OWN)
    const options = { mandate: mandate.cid, byItself: true }
    const second = await vault.payments.authorize({ ...COFFEE, order: 'A-1002' }, options)
    const { text } = await vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })
    const third = await vault.payments.authorize({ ...COFFEE, order: 'A-1003' }, options)
    await vault.importVault({ text, exportPassphrase: FILE })
    const orders = async (of: KeyVault) => (await of.payments.list()).map(({ order }) => order).sort()
    expect(await orders(vault)).toEqual(['A-1001', 'A-1002', 'A-1003'])
    expect((await vault.mandates.list())[0]?.used.payments).toBe(2)
    const { text: later } = await vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })

    await vaults.closeAll()
    for (const { name } of await indexedDB.databases())
      if (name) await settled(indexedDB.deleteDatabase(name))
    vi.stubGlobal('localStorage', new MemoryStorage())
    const elsewhere = await vaults.start()
    await elsewhere.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE })
    expect(await elsewhere.payments.list()).toEqual([second, first])
    // Payments since the backup are unknown here, so a person has to confirm the mandate.
    expect(await elsewhere.mandates.list()).toMatchObject([{ suspended: true, used: { payments: 1 } }])
    await expect(elsewhere.payments.authorize(COFFEE, options)).rejects.toMatchObject({
      details: { name: 'MandateSuspended' },
    })
    await elsewhere.importVault({ text: later, exportPassphrase: FILE })
    expect(await elsewhere.payments.list()).toEqual([third, second, first])
    expect(await elsewhere.mandates.list()).toMatchObject([{ suspended: true, used: { payments: 2 } }])
    expect(await elsewhere.mandates.suspend(mandate.cid, false)).toMatchObject({ suspended: false })
    await elsewhere.payments.authorize(COFFEE, options)
  })
})

it('without persistence a payment is signed but not stored', async () => {
  const vault = await vaults.start({ enablePersistence: false })
  await vault.create(openedByPasskey())
  const { mandate } = await vault.mandates.make(OWN)
  await vault.payments.authorize(COFFEE, { mandate: mandate.cid, byItself: true })
  await vault.payments.authorize(COFFEE)
  expect(await vault.payments.list()).toEqual([])
  expect((await vault.mandates.list())[0]?.used.payments).toBe(1)
  expect((await vault.mandates.end(mandate.cid)).ended).toBe(true)
})
