// Importing an account with many tokens, and restoring it from its second copy, compared with writing the same records into IndexedDB. KEYHOLE_TOKENS sets how many.
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FILE_PASSPHRASE, manyBackup } from '../../apps/web/e2e/lasting/bulk/many-backup.js'
import { launch, newProfile, removeProfile } from '../../apps/web/e2e/lasting/chromium.js'
import { damage } from '../../apps/web/e2e/lasting/damage.js'
import { serveVaultPage } from '../../apps/web/e2e/lasting/site.js'
import { expect } from '../measure.mjs'

const TOKENS = Number(process.env.KEYHOLE_TOKENS ?? 100_000)
const PASSPHRASE = 'violet anvil harbour thirty'
/** In milliseconds, for 100,000 tokens. */
const BAR = 8_000

/** Runs in the page. Imports the chosen file. */
async function importFile([exportPassphrase, passphrase]) {
  const vault = await window.openVault()
  const [text] = document.querySelector('input').files
  let told = 0
  const start = performance.now()
  const onProgress = () => {
    told += 1
  }
  const { tokens } = await vault.importVault({ text, exportPassphrase, passphrase, onProgress })
  return { tokens, told, taken: performance.now() - start }
}

/** Runs in the page. Restores a lost account. */
async function restore(address) {
  const vault = await window.openVault()
  let told = 0
  const start = performance.now()
  const onProgress = () => {
    told += 1
  }
  const { tokens, unreadable } = await vault.accounts.restoreLost(address, { onProgress })
  return { tokens, unreadable, told, taken: performance.now() - start }
}

/** Runs in the page. Writes the account's tokens into another database with the same indexes, a portion at a time. */
async function copyRecords(address) {
  const vault = await window.openVault()
  await vault.accounts.open(address).catch(() => undefined)
  const tokens = await vault.client.getPersistedTokens()
  const opening = indexedDB.open('bare')
  opening.onupgradeneeded = () => {
    const store = opening.result.createObjectStore('tokens', { keyPath: 'id' })
    for (const field of ['type', 'issuer', 'audience', 'expiresAt', 'createdAt'])
      store.createIndex(field, field)
  }
  const database = await new Promise((resolve, reject) => {
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })
  const start = performance.now()
  for (let at = 0; at < tokens.length; at += 2_000) {
    const transaction = database.transaction('tokens', 'readwrite', { durability: 'strict' })
    for (const token of tokens.slice(at, at + 2_000)) transaction.objectStore('tokens').put(token)
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve
      transaction.onerror = () => reject(transaction.error)
    })
  }
  return performance.now() - start
}

/**
 * Chooses a file of any size: Playwright would send it to the browser, and only up to 50 MB.
 * @param {import('@playwright/test').Page} page @param {string} path
 */
async function chooseFile(page, path) {
  const client = await page.context().newCDPSession(page)
  const { result } = await client.send('Runtime.evaluate', { expression: "document.querySelector('input')" })
  await client.send('DOM.setFileInputFiles', { files: [path], objectId: result.objectId })
  await client.detach()
}

export async function figures() {
  const { address, file } = await manyBackup(TOKENS)
  const path = join(tmpdir(), `keyhole-many-${process.pid}.keyhole.json`)
  writeFileSync(path, file.join(''))
  const site = await serveVaultPage()
  const profile = newProfile()
  const open = async () => {
    const running = await launch(profile)
    const [page] = running.context.pages()
    page.setDefaultTimeout(600_000)
    await page.goto(site.url)
    await page.locator('body[data-ready]').waitFor({ state: 'attached' })
    return { page, close: running.close }
  }
  try {
    const before = await open()
    await before.page.evaluate(() => {
      document.body.append(Object.assign(document.createElement('input'), { type: 'file' }))
    })
    await chooseFile(before.page, path)
    const brought = await before.page.evaluate(importFile, [FILE_PASSPHRASE, PASSPHRASE])
    expect(brought.tokens === TOKENS && brought.told > 10, `${TOKENS} tokens are imported, with progress`)
    await before.close()
    damage(profile, 'IndexedDB', 'was deleted')
    const after = await open()
    const restored = await after.page.evaluate(restore, address)
    expect(
      restored.tokens === TOKENS && restored.unreadable === 0 && restored.told > 10,
      `${TOKENS} tokens are restored, with progress`,
    )
    const theirs = await after.page.evaluate(copyRecords, address)
    await after.close()
    const figure = (title, note, taken) => ({
      title: `${title}, ${TOKENS.toLocaleString('en-GB')} tokens`,
      note,
      better: 'less',
      rows: [
        { name: 'Keyhole', unit: 'ms', value: taken },
        { name: 'IndexedDB with five indexes, put() alone', unit: 'ms', value: theirs },
        { name: 'Bar for 100,000', unit: 'ms', value: BAR },
      ],
    })
    return [
      figure(
        'Importing a backup file into an empty browser',
        'Ours opens and checks the file, with every signature, and seals each label again. Theirs has the records in memory.',
        brought.taken,
      ),
      figure(
        'Restoring a lost account from its second copy',
        'Ours compares every checksum and parses every record.',
        restored.taken,
      ),
    ]
  } finally {
    site.close()
    removeProfile(profile)
    rmSync(path, { force: true })
  }
}
