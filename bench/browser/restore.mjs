// Restoring a lost account from its second copy, compared with only writing the same records into IndexedDB.

import { launch, newProfile, removeProfile } from '../../apps/web/e2e/lasting/chromium.js'
import { damage } from '../../apps/web/e2e/lasting/damage.js'
import { serveVaultPage } from '../../apps/web/e2e/lasting/site.js'
import { expect } from '../measure.mjs'

const TOKENS = 2_000
const PASSPHRASE = 'violet anvil harbour thirty'
const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

/** Creates an account with many tokens. @returns its address */
async function fill([passphrase, audience_did, count]) {
  const vault = await window.openVault()
  const { address } = await vault.create({ passphrase })
  let next = 0
  const lane = async () => {
    while (next < count) {
      next += 1
      await vault.tokens.grant({ audience_did, command: '/msg/send', label: `Number ${next}` })
    }
  }
  await Promise.all(Array.from({ length: 16 }, lane))
  return address
}

async function restore(address) {
  const vault = await window.openVault()
  const start = performance.now()
  const { tokens, unreadable } = await vault.accounts.restoreLost(address)
  return { tokens, unreadable, taken: performance.now() - start }
}

/** Reads the account's tokens and writes them into a separate database, in one strict transaction. */
async function copyRecords(address) {
  const settled = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const from = await settled(indexedDB.open(`vault_${address}`))
  const stores = ['tokens', 'metadata']
  const records = await Promise.all(
    stores.map((store) => settled(from.transaction(store).objectStore(store).getAll())),
  )
  from.close()
  const opening = indexedDB.open('bare')
  opening.onupgradeneeded = () => {
    for (const store of stores) opening.result.createObjectStore(store, { keyPath: 'id' })
  }
  const to = await settled(opening)
  const start = performance.now()
  const transaction = to.transaction(stores, 'readwrite', { durability: 'strict' })
  for (const [index, store] of stores.entries()) {
    for (const record of records[index]) transaction.objectStore(store).put(record)
  }
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve
    transaction.onerror = () => reject(transaction.error)
  })
  return performance.now() - start
}

export async function figures() {
  const site = await serveVaultPage()
  const profile = newProfile()
  const open = async () => {
    const running = await launch(profile)
    const [page] = running.context.pages()
    await page.goto(site.url)
    await page.locator('body[data-ready]').waitFor({ state: 'attached' })
    return { page, close: running.close }
  }
  try {
    const before = await open()
    const address = await before.page.evaluate(fill, [PASSPHRASE, STRANGER, TOKENS])
    await before.close()
    damage(profile, 'IndexedDB', 'was deleted')
    const after = await open()
    const { tokens, unreadable, taken } = await after.page.evaluate(restore, address)
    expect(tokens === TOKENS && unreadable === 0, `all of ${TOKENS} tokens came back, not ${tokens}`)
    const theirs = await after.page.evaluate(copyRecords, address)
    await after.close()
    return [
      {
        title: `A lost account of ${TOKENS} tokens, back from the second copy`,
        note: 'Ours read from files, every checksum compared, the state opened in an enclave; theirs the same records from memory, in one transaction.',
        better: 'less',
        rows: [
          { name: 'Keyhole, restoreLost()', unit: 'ms', value: taken },
          { name: 'IndexedDB, put()', unit: 'ms', value: theirs },
        ],
      },
    ]
  } finally {
    site.close()
    removeProfile(profile)
  }
}
