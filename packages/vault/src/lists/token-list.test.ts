import { afterEach, expect, it, vi } from 'vitest'
import { KeyVault } from '../key-vault.ts'
import { freshBrowser } from '../test/browser.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { BOB } from '../test/people.ts'
import { TokenList } from './token-list.ts'

freshBrowser()

const vault = { current: new KeyVault() }
afterEach(() => vault.current.cleanup())

function make() {
  vault.current = new KeyVault({}, new EnclaveWorld())
  return { vault: vault.current, list: new TokenList(vault.current) }
}

it('loads, follows what is granted, and shows labels only while unlocked', async () => {
  const { vault, list } = make()
  const off = list.subscribe(() => undefined)
  expect(list.getSnapshot()).toEqual({ loading: true, tokens: [] })
  await vault.initialize()
  expect(list.getSnapshot()).toEqual({ loading: false, tokens: [] })
  await vault.create(openedByPasskey())
  await vault.tokens.grant({ audience_did: BOB, command: '/a', label: 'The plumber' })
  const labels = () => list.getSnapshot().tokens.map(({ label }) => label)
  await vi.waitFor(() => expect(labels()).toEqual(['The plumber']))
  const before = list.getSnapshot()
  expect(list.getSnapshot()).toBe(before)
  await vault.lock()
  await vi.waitFor(() => expect(labels()).toEqual([undefined]))
  await vault.unlock(passkeyProof())
  await vi.waitFor(() => expect(labels()).toEqual(['The plumber']))
  off()
})

it('says why the tokens cannot be read, and keeps those it has', async () => {
  const { vault, list } = make()
  list.subscribe(() => undefined)
  await vault.initialize()
  await vault.create(openedByPasskey())
  await vault.tokens.grant({ audience_did: BOB, command: '/a' })
  await vi.waitFor(() => expect(list.getSnapshot().tokens).toHaveLength(1))
  vi.spyOn(vault.tokens, 'list').mockRejectedValue(new Error('the disk is gone'))
  await vault.lock()
  await vi.waitFor(() => expect(list.getSnapshot().error).toMatchObject({ code: 'OPERATION_FAILED' }))
  expect(list.getSnapshot()).toMatchObject({ loading: false, tokens: [{ command: '/a' }] })
})

it('reads nothing while nobody listens', async () => {
  const { vault, list } = make()
  await vault.initialize()
  await vault.create(openedByPasskey())
  const read = vi.spyOn(vault.tokens, 'list')
  await vault.lock()
  expect(read).not.toHaveBeenCalled()
  const off = list.subscribe(() => undefined)
  expect(read).toHaveBeenCalledOnce()
  off()
  await vault.unlock(passkeyProof())
  expect(read).toHaveBeenCalledOnce()
})
