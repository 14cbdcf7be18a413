import { expect, it } from 'vitest'
import { freshBrowser } from '../test/browser.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { BOB } from '../test/people.ts'

freshBrowser()

const vaults = new OpenVaults()

async function granted() {
  const vault = await vaults.start()
  const { address } = await vault.create(openedByPasskey())
  const request = { audience_did: BOB, command: '/msg/send', label: 'The plumber' }
  return { vault, address, stored: await vault.tokens.grant(request) }
}

it('a removed token is restored as it was, with its label', async () => {
  const { vault, stored } = await granted()
  await vault.tokens.remove(stored.id)
  expect(await vault.tokens.list()).toEqual([])
  await vault.tokens.restore(stored.id)
  expect(await vault.tokens.list()).toEqual([stored])
  const acts = (await vault.activity.read()).lines.map(({ act }) => act)
  expect(acts.slice(-2)).toEqual(['removeToken', 'restoreToken'])
  await expect(vault.tokens.restore(stored.id)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
})

it('a removed token is restored while the account is locked', async () => {
  const { vault, stored } = await granted()
  await vault.lock()
  await vault.tokens.remove(stored.id)
  await vault.tokens.restore(stored.id)
  await vault.unlock(passkeyProof())
  expect(await vault.tokens.list()).toEqual([stored])
})

it('a removed token is never restored into another account', async () => {
  const { vault, address, stored } = await granted()
  await vault.tokens.remove(stored.id)
  await vault.create(openedByPasskey())
  await expect(vault.tokens.restore(stored.id)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
  expect(await vault.tokens.list()).toEqual([])
  await vault.accounts.open(address)
  await vault.tokens.restore(stored.id)
  expect(await vault.tokens.list()).toHaveLength(1)
})
