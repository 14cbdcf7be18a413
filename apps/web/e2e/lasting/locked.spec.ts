// What a lock leaves in memory: searches the worker's memory through the debugger for keys that the test knows.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import * as v from 'valibot'
import { STRANGER } from '../tasks/support/person.ts'
import { dumpEverything, findSecret, messagesOf, recordMessages } from '../tasks/support/secrets.ts'
import { expect, openVaultPage, test } from './fixtures.ts'
import { WorkerMemory } from './worker-memory.ts'

const vector = v.parse(
  v.object({
    passphrase: v.string(),
    state: v.string(),
    data_key: v.string(),
    keys: v.array(v.object({ type: v.string(), private_key: v.string() })),
  }),
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../../vectors/keyhole/seal-v1.json'), 'utf8')),
)
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))

/** The private keys of the test account, by type. */
const KEYS = Object.fromEntries(vector.keys.map(({ type, private_key }) => [type, bytes(private_key)]))
const FILE_PASSPHRASE = 'granite sparrow window forty'
const PASSPHRASES = {
  passphrase: new TextEncoder().encode(vector.passphrase),
  'passphrase of the file': new TextEncoder().encode(FILE_PASSPHRASE),
}
const SECRETS = {
  ...KEYS,
  // As a number in little-endian words, as the two 256-bit curves store them.
  ...Object.fromEntries(Object.entries(KEYS).map(([type, key]) => [`${type} reversed`, key.toReversed()])),
  'data key': bytes(vector.data_key),
  ...PASSPHRASES,
}

/** Opens the account whose keys the test knows, and uses each key. */
async function useKnownKeys(page: Page): Promise<void> {
  await page.evaluate(
    async ([enclave, passphrase, exportPassphrase, audience_did]) => {
      const vault = await window.openVault({ enclave })
      await vault.unlock(passphrase)
      for (const { key_id } of vault.getSnapshot().keys) {
        await vault.sign(new Uint8Array(64), key_id)
        await vault.tokens.grant({ audience_did, command: '/msg/send', key_id })
      }
      await vault.exportVault({ proof: { passphrase }, exportPassphrase })
    },
    [vector.state, vector.passphrase, FILE_PASSPHRASE, STRANGER] as const,
  )
}

test('after a lock no key is in the worker, in storage or in a message; before it the same search finds them all', async ({
  browser,
  page,
  site,
}) => {
  await page.addInitScript(recordMessages)
  await openVaultPage(page, site)
  await useKnownKeys(page)
  const worker = await WorkerMemory.attach(browser, site.url)

  const unlocked = await worker.find(SECRETS)
  const held = new Set(unlocked.map(({ needle }) => needle.replace(' reversed', '')))
  expect(held).toEqual(new Set([...Object.keys(KEYS), 'data key']))
  // Keys are only in linear memory, and passphrases are already gone.
  expect(unlocked.filter(({ kind }) => kind !== 'WebAssembly.Memory')).toEqual([])
  expect(unlocked.filter(({ needle }) => needle in PASSPHRASES)).toEqual([])

  await page.evaluate(() => window.vault.lock())
  expect(await worker.find(SECRETS)).toEqual([])
  await worker.detach()

  const messages = (await messagesOf(page)).map(({ text }) => text).join('\n')
  const places = { ...(await dumpEverything(page)), messages }
  for (const [name, secret] of Object.entries(KEYS)) expect(findSecret(places, secret), name).toEqual([])
  expect(findSecret(places, SECRETS['data key']), 'data key').toEqual([])
})

test('a lock during signing leaves no key behind either', async ({ browser, page, site }) => {
  await openVaultPage(page, site)
  await useKnownKeys(page)
  const worker = await WorkerMemory.attach(browser, site.url)
  await page.evaluate(async () => {
    const { vault } = window
    const signing = Array.from({ length: 200 }, () => vault.sign(new Uint8Array(4096)).catch(() => undefined))
    await vault.lock()
    await Promise.all(signing)
  })
  expect(await worker.find(SECRETS)).toEqual([])
  await worker.detach()
})
