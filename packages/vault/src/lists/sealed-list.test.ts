import { expect, it, vi } from 'vitest'
import { raise } from '../base/events.ts'
import type { PaymentRecord } from '../enclave/payment.ts'
import { freshBrowser } from '../test/browser.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { MandateList, PaymentList } from './sealed-list.ts'

freshBrowser()
const vaults = new OpenVaults()

const COFFEE: PaymentRecord = {
  ...{ id: 'bafya', token: 'C', task: 'bafyt', at: 1, expiresAt: 2, issuer: 'did:key:zA', by: 'hand' },
  ...{ payee: 'did:web:shop.example', amount: 2_500, currency: 'GBP', digits: 2, order: 'A-1001' },
}

/** A vault that says that it holds these payments. */
async function holding(payments: PaymentRecord[]) {
  const vault = await vaults.start()
  await vault.create(openedByPasskey())
  const read = vi.spyOn(vault.payments, 'list').mockImplementation(async () => [...payments])
  return { vault, read, list: new PaymentList(vault) }
}

it('follows what changes, and shows nothing while locked', async () => {
  const payments: PaymentRecord[] = []
  const { vault, list } = await holding(payments)
  expect(list.getSnapshot()).toEqual({ loading: true, payments: [] })
  const heard = vi.fn()
  const off = list.subscribe(heard)
  await vi.waitFor(() => expect(list.getSnapshot()).toEqual({ loading: false, payments: [] }))
  payments.push(COFFEE)
  raise(vault, 'vault:changed', { change: 'payments' })
  const full = { loading: false, payments: [COFFEE] }
  await vi.waitFor(() => expect(list.getSnapshot()).toEqual(full))
  expect(list.getSnapshot()).toBe(list.getSnapshot())
  heard.mockClear()
  raise(vault, 'vault:changed', { change: 'sessions' })
  await vault.accounts.label('At home')
  expect(heard).not.toHaveBeenCalled()
  await vault.lock()
  expect(list.getSnapshot()).toEqual({ loading: false, payments: [] })
  await vault.unlock(passkeyProof())
  await vi.waitFor(() => expect(list.getSnapshot()).toEqual(full))
  // Another account is another list, from its first moment.
  payments.length = 0
  await vault.create(openedByPasskey())
  expect(list.getSnapshot().payments).toEqual([])
  off()
})

it('says why it cannot be read, and keeps what it has', async () => {
  const { vault, read, list } = await holding([COFFEE])
  list.subscribe(() => undefined)
  await vi.waitFor(() => expect(list.getSnapshot().payments).toHaveLength(1))
  read.mockRejectedValue(new Error('the disk is gone'))
  raise(vault, 'vault:imported', { tokens: 0, keys: 0 })
  await vi.waitFor(() => expect(list.getSnapshot().error).toMatchObject({ code: 'OPERATION_FAILED' }))
  expect(list.getSnapshot()).toMatchObject({ loading: false, payments: [COFFEE] })
})

it('reads nothing while nobody listens, or locked', async () => {
  const { vault, read, list } = await holding([])
  raise(vault, 'vault:changed', { change: 'payments' })
  await vault.lock()
  const off = list.subscribe(() => undefined)
  expect(read).not.toHaveBeenCalled()
  expect(list.getSnapshot()).toEqual({ loading: false, payments: [] })
  off()
  await vault.unlock(passkeyProof())
  expect(read).not.toHaveBeenCalled()
})

it('shows mandates alike', async () => {
  const { vault } = await holding([])
  const list = new MandateList(vault)
  list.subscribe(() => undefined)
  await vi.waitFor(() => expect(list.getSnapshot()).toEqual({ loading: false, mandates: [] }))
})
