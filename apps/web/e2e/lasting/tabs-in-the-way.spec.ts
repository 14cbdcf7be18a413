// Old and different versions of the client in other tabs.
import { expect, openVaultPage, test } from './fixtures.ts'

const PASSPHRASE = 'violet anvil harbour thirty'

test('an old tab doesn’t block a database upgrade', async ({ context, page, site }) => {
  await openVaultPage(page, site)
  const address = await page.evaluate(async (passphrase) => {
    const vault = await window.openVault()
    return (await vault.create({ passphrase })).address
  }, PASSPHRASE)

  // What a version with another schema does first.
  const newer = await context.newPage()
  await newer.goto(`${site.url}enclave.json`)
  const events = await newer.evaluate(
    (name) =>
      new Promise<string[]>((resolve, reject) => {
        const events: string[] = []
        const request = indexedDB.open(name, 90)
        request.onblocked = () => events.push('blocked')
        request.onupgradeneeded = () => events.push('upgraded')
        request.onerror = () => reject(request.error)
        request.onsuccess = () => {
          events.push('open')
          request.result.close()
          resolve(events)
        }
      }),
    `vault_${address}`,
  )
  expect(events).toEqual(['upgraded', 'open'])

  // The old tab has released the database. It writes nothing more, and says what to do.
  const refusal = await page.evaluate(() =>
    window.vault.accounts.label('Too late').catch((error) => `${error.code}: ${error.message}`),
  )
  expect(refusal).toMatch(/^OPERATION_FAILED: .*(?:reload|newer|close)/i)
})

test('another version of the client can’t open an account that is in use, and can once it is free', async ({
  context,
  page,
  site,
}) => {
  await openVaultPage(page, site)
  await page.evaluate(async (passphrase) => {
    const vault = await window.openVault()
    await vault.create({ passphrase })
  }, PASSPHRASE)

  const other = await context.newPage()
  await openVaultPage(other, site, '?other')
  const refusal = await other.evaluate(async () => {
    const failed = await window.openVault().catch((error) => `${error.code}: ${error.message}`)
    if (typeof failed === 'string') return failed
    const { phase, error } = window.vault.getSnapshot()
    return `${phase}: ${error?.message}`
  })
  expect(refusal).toContain('This account is open in another version of Keyhole')
  // The first tab was not disturbed.
  await page.evaluate(() => window.vault.accounts.label('Still mine'))

  await page.close()
  await openVaultPage(other, site, '?other')
  const label = await other.evaluate(async (passphrase) => {
    const vault = await window.openVault()
    await vault.unlock(passphrase)
    return vault.getSnapshot().label
  }, PASSPHRASE)
  expect(label).toBe('Still mine')
})
