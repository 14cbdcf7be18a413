import 'fake-indexeddb/auto'
import { KeyVault, type PaymentRecord } from '@keyhole/vault'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EnclaveWorld } from '../../vault/src/test/enclave-world.ts'
import { openedByPasskey, passkeyProof } from '../../vault/src/test/opening.ts'
import { BOB } from '../../vault/src/test/people.ts'
import { ListStore } from './list-store.ts'

const COFFEE: PaymentRecord = {
  ...{ id: 'bafya', token: 'C', task: 'bafyt', at: 1, expiresAt: 2, issuer: 'did:key:zA', by: 'hand' },
  ...{ payee: 'did:web:shop.example', amount: 2_500, currency: 'GBP', digits: 2, order: 'A-1001' },
}

let vault: KeyVault
beforeEach(() => {
  localStorage.clear()
  vault = new KeyVault({}, new EnclaveWorld())
})
afterEach(async () => {
  vi.restoreAllMocks()
  await vault.cleanup()
  for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name)
})

/** Raises one of the vault's events, as a change would. */
const raise = (name: string, detail: object) => vault.dispatchEvent(new CustomEvent(name, { detail }))

describe('a list that can be read while locked', () => {
  const tokenList = () =>
    new ListStore(vault, {
      change: 'tokens',
      read: () => vault.tokens.list(),
      whileLocked: ({ label: _, ...token }) => token,
    })

  it('loads, follows new grants, and hides what is sealed as soon as the vault locks', async () => {
    const list = tokenList()
    const off = list.subscribe(() => undefined)
    expect(list.getSnapshot()).toEqual({ loading: true, items: [] })
    await vault.initialize()
    expect(list.getSnapshot()).toEqual({ loading: false, items: [] })
    await vault.create(openedByPasskey())
    await vault.tokens.grant({ audience_did: BOB, command: '/a', label: 'The plumber' })
    const labels = () => list.getSnapshot().items.map(({ label }) => label)
    await vi.waitFor(() => expect(labels()).toEqual(['The plumber']))
    const before = list.getSnapshot()
    expect(list.getSnapshot()).toBe(before)
    // When the vault reports the lock, before the list has been read again.
    const labelsWhenLocked = new Promise((resolve) =>
      vault.on('vault:locked', () => resolve(JSON.stringify(list.getSnapshot()))),
    )
    await vault.lock()
    expect(await labelsWhenLocked).not.toContain('plumber')
    expect(list.getSnapshot().items).toMatchObject([{ command: '/a' }])
    await vault.unlock(passkeyProof())
    await vi.waitFor(() => expect(labels()).toEqual(['The plumber']))
    off()
  })

  it('reports why a read failed, and keeps the items it has', async () => {
    const list = tokenList()
    list.subscribe(() => undefined)
    await vault.initialize()
    await vault.create(openedByPasskey())
    await vault.tokens.grant({ audience_did: BOB, command: '/a' })
    await vi.waitFor(() => expect(list.getSnapshot().items).toHaveLength(1))
    vi.spyOn(vault.tokens, 'list').mockRejectedValue(new Error('the disk is gone'))
    await vault.lock()
    await vi.waitFor(() => expect(list.getSnapshot().error).toMatchObject({ code: 'OPERATION_FAILED' }))
    expect(list.getSnapshot()).toMatchObject({ loading: false, items: [{ command: '/a' }] })
  })

  it('reads nothing without a subscriber', async () => {
    await vault.initialize()
    await vault.create(openedByPasskey())
    const list = tokenList()
    const read = vi.spyOn(vault.tokens, 'list')
    await vault.lock()
    expect(read).not.toHaveBeenCalled()
    const off = list.subscribe(() => undefined)
    expect(read).toHaveBeenCalledOnce()
    off()
    await vault.unlock(passkeyProof())
    expect(read).toHaveBeenCalledOnce()
  })

  it('never shows the items of one account in another', async () => {
    await vault.initialize()
    await vault.create(openedByPasskey())
    await vault.tokens.grant({ audience_did: BOB, command: '/a' })
    const list = tokenList()
    const shown: string[] = []
    list.subscribe(() => shown.push(`${vault.getSnapshot().address} ${list.getSnapshot().items.length}`))
    await vi.waitFor(() => expect(list.getSnapshot().items).toHaveLength(1))
    await vault.create(openedByPasskey())
    await vi.waitFor(() => expect(list.getSnapshot()).toEqual({ loading: false, items: [] }))
    expect(shown).not.toContain(`${vault.getSnapshot().address} 1`)
  })
})

describe('a sealed list', () => {
  /** The list of a vault with these payments. */
  async function listOf(payments: PaymentRecord[]) {
    await vault.initialize()
    await vault.create(openedByPasskey())
    const read = vi.spyOn(vault.payments, 'list').mockImplementation(async () => [...payments])
    return { read, list: new ListStore(vault, { change: 'payments', read: () => vault.payments.list() }) }
  }

  it('follows its own changes, and shows nothing while locked', async () => {
    const payments: PaymentRecord[] = []
    const { list } = await listOf(payments)
    expect(list.getSnapshot()).toEqual({ loading: true, items: [] })
    const heard = vi.fn()
    const off = list.subscribe(heard)
    await vi.waitFor(() => expect(list.getSnapshot()).toEqual({ loading: false, items: [] }))
    payments.push(COFFEE)
    raise('vault:changed', { change: 'payments' })
    const full = { loading: false, items: [COFFEE] }
    await vi.waitFor(() => expect(list.getSnapshot()).toEqual(full))
    heard.mockClear()
    raise('vault:changed', { change: 'sessions' })
    await vault.accounts.label('At home')
    expect(heard).not.toHaveBeenCalled()
    await vault.lock()
    expect(list.getSnapshot()).toEqual({ loading: false, items: [] })
    await vault.unlock(passkeyProof())
    await vi.waitFor(() => expect(list.getSnapshot()).toEqual(full))
    payments.length = 0
    await vault.create(openedByPasskey())
    expect(list.getSnapshot().items).toEqual([])
    off()
  })

  it('reports why a read failed, and keeps the items it has', async () => {
    const { read, list } = await listOf([COFFEE])
    list.subscribe(() => undefined)
    await vi.waitFor(() => expect(list.getSnapshot().items).toHaveLength(1))
    read.mockRejectedValue(new Error('the disk is gone'))
    raise('vault:imported', { tokens: 0, keys: 0 })
    await vi.waitFor(() => expect(list.getSnapshot().error).toMatchObject({ code: 'OPERATION_FAILED' }))
    expect(list.getSnapshot()).toMatchObject({ loading: false, items: [COFFEE] })
  })

  it('reads nothing while locked or without a subscriber', async () => {
    const { read, list } = await listOf([])
    raise('vault:changed', { change: 'payments' })
    await vault.lock()
    const off = list.subscribe(() => undefined)
    expect(read).not.toHaveBeenCalled()
    expect(list.getSnapshot()).toEqual({ loading: false, items: [] })
    off()
    await vault.unlock(passkeyProof())
    expect(read).not.toHaveBeenCalled()
  })
})
