import { describe, expect, it } from 'vitest'
import type { KeyVault } from '../key-vault.ts'
import { readServices, saveService } from '../services/index.ts'
import { readStoredState } from '../storage/account/account-databases.ts'
import { fillDisk, freshBrowser, rawAll, rawPut } from '../test/browser.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { BOB } from '../test/people.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'

const vaults = new OpenVaults()

/** A person with two accounts; the second is open and unlocked, and has a higher revision. */
async function twoAccounts() {
  const held = new EnclaveWorld('worker')
  const vault = await vaults.start({}, held)
  const { address: other } = await vault.create(openedByPasskey())
  const { address } = await vault.create(openedByPasskey())
  for (const label of ['one', 'two', 'three']) await vault.accounts.label(label)
  return { vault, address, other, holdUp: held.holdUp.bind(held) }
}

/** Opens `other` while what `act` started waits for its first answer of that export, which only then goes on. */
async function leaveDuring<T>(
  { vault, other, holdUp }: Awaited<ReturnType<typeof twoAccounts>>,
  name: Parameters<EnclaveWorld['holdUp']>[0],
  act: () => Promise<T>,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<PromiseSettledResult<T>> {
  // Waits until the old account has been saved, so nothing waits for what is done.
  const { reached: leaving, release: leave } = holdUp('vault_status')
  const opening = vault.accounts.open(other)
  await leaving
  const { reached, release: go } = holdUp(name)
  const acting = Promise.allSettled([act()])
  await reached
  leave()
  await opening
  await meanwhile()
  go()
  const [outcome] = await acting
  return outcome
}

const ownersIn = async (address: string) =>
  ((await rawAll(address, 'metadata')) as { accountAddress: string }[]).map((each) => each.accountAddress)

it('an error after another account was opened is told about the one where it happened', async () => {
  const two = await twoAccounts()
  const { vault, address } = two
  const about: unknown[] = []
  vault.on('vault:error', (error) => about.push(error.address))
  await leaveDuring(two, 'seal_records', () => vault.settings.setAutoLock(null))
  expect(about).toEqual([address])
})

it('an auto-lock that is set while another account is opened changes nothing there', async () => {
  const two = await twoAccounts()
  const { vault, address, other } = two
  await vault.accounts.open(other)
  await vault.unlock(passkeyProof())
  await vault.settings.setAutoLock(60_000)
  await vault.accounts.open(address)
  await vault.unlock(passkeyProof())
  const set = () => vault.settings.setAutoLock(null)
  const outcome = await leaveDuring(two, 'seal_records', set, () => vault.unlock(passkeyProof()))
  expect(outcome.status).toBe('rejected')
  expect(new Set(await ownersIn(other))).toEqual(new Set([other]))
  await vault.lock()
  const loaded = new Promise<void>((resolve) => {
    const off = vault.subscribe(() => {
      if (vault.getSnapshot().autoLock !== 60_000) return
      off()
      resolve()
    })
  })
  await vault.unlock(passkeyProof())
  await loaded
})

it('a clean-up that runs while another account is opened writes nothing there', async () => {
  const two = await twoAccounts()
  const { vault, address, other } = two
  await vault.tokens.grant({ audience_did: BOB, command: '/of-one' })
  const [token] = await rawAll(address, 'tokens')
  await rawPut(address, 'tokens', { ...Object(token), expiresAt: 1 })
  const outcome = await leaveDuring(two, 'log_activity', () => vault.client.removeExpiredTokens())
  expect(outcome.status).toBe('rejected')
  expect(new Set(await ownersIn(other))).toEqual(new Set([other]))
  expect(await rawAll(address, 'tokens')).toHaveLength(1)
})

it('a service that is saved while another account is opened is not saved there', async () => {
  const two = await twoAccounts()
  const json = JSON.stringify({ name: 'Gate', at: 1_800_000_000, servers: [], services: [] })
  const outcome = await leaveDuring(two, 'seal_records', () =>
    saveService(two.vault, { did: BOB, json, at: 1_800_000_000 }),
  )
  expect(outcome).toMatchObject({ status: 'rejected', reason: { details: { name: 'AccountLeft' } } })
  await two.vault.unlock(passkeyProof())
  expect(await readServices(two.vault)).toEqual(new Map())
  expect(new Set(await ownersIn(two.other))).toEqual(new Set([two.other]))
})

const stateOf = async (address: string) => (await readStoredState(address))?.enclave

it.each<[string, (vault: KeyVault) => Promise<unknown>]>([
  ['a change', (vault) => vault.accounts.label('late')],
  ['a lock', (vault) => vault.lock()],
])('%s, still running while another account is opened, is not stored there', async (_, act) => {
  const { vault, address, other, holdUp } = await twoAccounts()
  const [own, others] = [await stateOf(address), await stateOf(other)]
  // Waits until the old account has been saved, so nothing waits for the change any more.
  const { reached: leaving, release: leave } = holdUp('vault_status')
  const opening = vault.accounts.open(other)
  await leaving
  const { reached: again, release: go } = holdUp('log_activity')
  const acting = Promise.allSettled([act(vault)])
  await again
  leave()
  await opening
  go()
  await acting
  expect(await stateOf(other)).toBe(others)
  expect(await stateOf(address)).toBe(own)
  expect(vault.getSnapshot()).toMatchObject({ address: other, phase: 'locked' })
  await vault.unlock(passkeyProof())
})

it('a token signed while another account is opened is kept in neither', async () => {
  const { vault, address, other, holdUp } = await twoAccounts()
  const { reached: signed, release: go } = holdUp('new_origin_token')
  const granting = vault.tokens.grant({ audience_did: BOB, command: '/msg/send' })
  granting.catch(() => undefined)
  await signed
  await vault.accounts.open(other)
  await vault.unlock(passkeyProof())
  go()
  await expect(granting).rejects.toMatchObject({
    code: 'OPERATION_FAILED',
    details: { name: 'AccountLeft' },
  })
  expect(await vault.tokens.list()).toEqual([])
  await vault.accounts.open(address)
  expect(await vault.tokens.list()).toEqual([])
})

describe('without storage', () => {
  const IN_MEMORY = { enablePersistence: false }
  const OTHER_PASSPHRASE = 'correct horse stapler'

  /** A vault that stores nothing, with two accounts; the second is open and unlocked. */
  async function twoInMemory() {
    const vault = await vaults.start(IN_MEMORY, new EnclaveWorld('worker'))
    const { address: first } = await vault.create(openedByPasskey({ label: 'First' }))
    const { address: second } = await vault.create({ passphrase: OTHER_PASSPHRASE, label: 'Second' })
    return { vault, first, second }
  }

  it('lists every account of the page, and says that each ends with it', async () => {
    const { vault, first, second } = await twoInMemory()
    const listed = await vault.accounts.list()
    expect(listed).toEqual([
      { ...about(first), active: false },
      { ...about(second), active: true, label: 'Second' },
    ])
    expect(vault.getSnapshot()).toMatchObject({ accounts: listed, lost: [] })
    expect(await indexedDB.databases()).toEqual([])
  })

  it('locks the account being left, and opens the other one as it was', async () => {
    const { vault, first, second } = await twoInMemory()
    const told: string[] = []
    vault.on('vault:locked', ({ address }) => told.push(`locked ${address}`))
    vault.on('vault:initialized', ({ address }) => told.push(`opened ${address}`))
    await vault.generateKey({ label: 'Another' })
    await vault.accounts.open(first)
    expect(told).toEqual([`locked ${second}`, `opened ${first}`])
    expect(vault.getSnapshot()).toMatchObject({ address: first, phase: 'locked' })
    await expect(vault.unlock(OTHER_PASSPHRASE)).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    await vault.unlock(passkeyProof())
    expect(vault.getSnapshot()).toMatchObject({ label: 'First', keys: [{}] })
    await vault.accounts.label('Renamed')
    await vault.accounts.open(second)
    await vault.unlock(OTHER_PASSPHRASE)
    expect(vault.getSnapshot()).toMatchObject({ label: 'Second', keys: [{}, { label: 'Another' }] })
    await vault.accounts.open(first)
    await vault.unlock(passkeyProof())
    expect(vault.getSnapshot()).toMatchObject({ label: 'Renamed', keys: [{}] })
  })

  it('removes one account and keeps the other', async () => {
    const { vault, first, second } = await twoInMemory()
    await vault.accounts.remove(second)
    expect(vault.getSnapshot()).toMatchObject({ phase: 'empty', accounts: [about(first)] })
    await expect(vault.accounts.open(second)).rejects.toMatchObject({ code: 'VAULT_NOT_INITIALIZED' })
    await vault.accounts.open(first)
    await vault.create(openedByPasskey())
    await vault.accounts.remove(first)
    expect(vault.getSnapshot()).toMatchObject({ phase: 'unlocked', accounts: [{ active: true }] })
  })

  it('restores an account from its backup next to another, and never over an existing one', async () => {
    const { vault, first } = await twoInMemory()
    const exportPassphrase = 'granite sparrow window'
    const { text } = await vault.exportVault({ proof: { passphrase: OTHER_PASSPHRASE }, exportPassphrase })
    await vault.accounts.open(first)
    const request = { text, exportPassphrase, passphrase: OTHER_PASSPHRASE }
    await expect(vault.importVault(request)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    const another = await vaults.start(IN_MEMORY, new EnclaveWorld('worker'))
    const { address: own } = await another.create(openedByPasskey())
    const { address } = await another.importVault(request)
    expect(another.getSnapshot()).toMatchObject({ address, phase: 'unlocked' })
    expect((await another.accounts.list()).map((each) => each.address)).toEqual([own, address])
    await another.accounts.open(own)
    await another.unlock(passkeyProof())
  })

  it('refuses to reset an account by its backup, which needs storage', async () => {
    const { vault, second } = await twoInMemory()
    const exportPassphrase = 'granite sparrow window'
    const { text } = await vault.exportVault({ proof: { passphrase: OTHER_PASSPHRASE }, exportPassphrase })
    await vault.lock()
    await expect(
      vault.accounts.reset({ text, exportPassphrase, passphrase: PASSPHRASE }),
    ).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
      details: { name: 'StoresNothing' },
    })
    expect(await indexedDB.databases()).toEqual([])
    expect(vault.getSnapshot()).toMatchObject({ address: second, phase: 'locked' })
  })

  it('starts empty even if another vault has stored accounts, and ends empty', async () => {
    const stored = await vaults.start()
    await stored.create(openedByPasskey())
    const { vault } = await twoInMemory()
    expect(await vault.accounts.list()).toHaveLength(2)
    await vault.cleanup()
    await vault.initialize()
    expect(vault.getSnapshot()).toMatchObject({ phase: 'empty', accounts: [] })
    expect(vault.getSnapshot().error).toBeUndefined()
  })

  function about(address: string) {
    const time = expect.any(Number)
    return { address, createdAt: time, lastAccessed: time, untilReload: true }
  }
})

it('another account is opened also while the disk is full', async () => {
  const { vault, address, other } = await twoAccounts()
  const free = fillDisk('state')
  await vault.accounts.open(other)
  expect(vault.getSnapshot()).toMatchObject({ address: other, phase: 'locked' })
  free()
  await vault.accounts.open(address)
  await vault.unlock(passkeyProof())
  expect(vault.getSnapshot().label).toBe('three')
})
