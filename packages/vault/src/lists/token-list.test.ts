import { afterEach, expect, it, vi } from 'vitest'
import { KeyVault } from '../key-vault.ts'
import { freshBrowser } from '../test/browser.ts'
import { FakeWorld } from '../test/fake-enclave.ts'
import { TokenList } from './token-list.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const vault = { current: new KeyVault() }
afterEach(() => vault.current.cleanup())

function make() {
  vault.current = new KeyVault({}, new FakeWorld())
  return { vault: vault.current, list: new TokenList(vault.current) }
}

it('loads, follows what is granted, and shows labels only while unlocked', async () => {
  const { vault, list } = make()
  const off = list.subscribe(() => undefined)
  expect(list.getSnapshot()).toEqual({ loading: true, tokens: [] })
  await vault.initialize()
  expect(list.getSnapshot()).toEqual({ loading: false, tokens: [] })
  await vault.create({ passphrase: PASSPHRASE })
  await vault.tokens.grant({ audience_did: 'did:key:zBob', command: '/a', label: 'The plumber' })
  const labels = () => list.getSnapshot().tokens.map(({ label }) => label)
  await vi.waitFor(() => expect(labels()).toEqual(['The plumber']))
  const before = list.getSnapshot()
  expect(list.getSnapshot()).toBe(before)
  await vault.lock()
  await vi.waitFor(() => expect(labels()).toEqual([undefined]))
  await vault.unlock(PASSPHRASE)
  await vi.waitFor(() => expect(labels()).toEqual(['The plumber']))
  off()
})

it('says why the tokens cannot be read, and keeps those it has', async () => {
  const { vault, list } = make()
  list.subscribe(() => undefined)
  await vault.initialize()
  await vault.create({ passphrase: PASSPHRASE })
  await vault.tokens.grant({ audience_did: 'did:key:zBob', command: '/a' })
  await vi.waitFor(() => expect(list.getSnapshot().tokens).toHaveLength(1))
  vi.spyOn(vault.tokens, 'list').mockRejectedValue(new Error('the disk is gone'))
  await vault.lock()
  await vi.waitFor(() => expect(list.getSnapshot().error).toMatchObject({ code: 'OPERATION_FAILED' }))
  expect(list.getSnapshot()).toMatchObject({ loading: false, tokens: [{ command: '/a' }] })
})

it('reads nothing while nobody listens', async () => {
  const { vault, list } = make()
  await vault.initialize()
  await vault.create({ passphrase: PASSPHRASE })
  const read = vi.spyOn(vault.tokens, 'list')
  await vault.lock()
  expect(read).not.toHaveBeenCalled()
  const off = list.subscribe(() => undefined)
  expect(read).toHaveBeenCalledOnce()
  off()
  await vault.unlock(PASSPHRASE)
  expect(read).toHaveBeenCalledOnce()
})
