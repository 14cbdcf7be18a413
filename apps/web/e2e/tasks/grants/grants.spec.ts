import { expect, test } from '../../fixtures.ts'
import {
  another,
  card,
  grant,
  makeVault,
  openTab,
  STRANGER,
  tokenText,
  unlock,
  visit,
} from '../support/person.ts'

test('a capability is handed to a pasted DID, and anyone can check it', async ({ page, browser, guard }) => {
  await makeVault(page)
  await visit(page, 'Identity', 'Grants')
  const form = card(page, 'New grant')
  await form.getByRole('button', { name: 'Send mail inside the house' }).click()
  await form.getByLabel('To whom').fill(STRANGER)
  const preview = card(page, 'What you are about to sign')
  await expect(preview).toContainText(
    /send messages, until .+, if “to” ends with “@example\.com”\.Other fields are not limited\./,
  )
  await expect(preview.getByRole('region', { name: 'payload' })).toContainText(`"aud": "${STRANGER}"`)
  await form.getByRole('button', { name: 'Sign the grant' }).click()
  const token = await tokenText(card(page, 'Signed and stored'))
  await expect(card(page, 'Granted so far').getByText('send messages')).toBeVisible()

  const { page: verifier, context } = await another(browser, guard)
  await verifier.goto('/identity?tab=check')
  await verifier.getByLabel('Token', { exact: true }).fill(token)
  await expect(verifier.getByText('It holds.', { exact: true })).toBeVisible()
  await expect(card(verifier, 'What it says')).toContainText(
    /send messages, until .+, if “to” ends with “@example\.com”\.Other fields are not limited\./,
  )
  await context.close()
})

test('a held token is narrowed and passed on, and never widened', async ({ page, browser, guard }) => {
  const { did } = await makeVault(page)
  const { page: giver, context } = await another(browser, guard)
  await makeVault(giver, { name: 'Giver' })
  const given = await grant(giver, {
    to: did,
    command: '/msg',
    limit: ['to', 'fits the pattern', '*@example.com'],
  })
  await context.close()

  await visit(page, 'Identity', 'Received')
  const take = card(page, 'Take in a token')
  await take.getByLabel('Token', { exact: true }).fill(given)
  await take.getByLabel('A name for it').fill('From the giver')
  await take.getByRole('button', { name: 'Verify and keep' }).click()
  await expect(take.getByText('Verified and stored.')).toBeVisible()
  const held = card(page, 'Given to you')
  await expect(held.getByText('From the giver')).toBeVisible()

  await held.getByRole('button', { name: 'Narrow and pass on' }).click()
  const form = card(page, 'Narrow and pass on')
  await expect(form.getByLabel('To whom')).toBeFocused()
  await form.getByLabel('To whom').fill(STRANGER)
  await form.getByLabel('May do what').fill('/msgboard')
  await expect(form.getByText('You hold /msg, which does not cover /msgboard.')).toBeVisible()
  await form.getByLabel('May do what').fill('/msg/send')
  await form.getByRole('button', { name: 'Add a limit' }).click()
  await form.getByLabel('Limit 1: field').fill('urgent')
  await form.getByLabel('Limit 1: value').fill('true')
  // What is inherited holds as well, and is told with it.
  const preview = card(page, 'What you are about to sign')
  await expect(preview).toContainText('“to” ends with “@example.com”, and “urgent” is true')
  await form.getByRole('button', { name: 'Sign and pass on' }).click()
  const narrowed = await tokenText(card(page, 'Signed and stored'))

  await visit(page, 'Identity', 'Check a token')
  await page.getByLabel('Token', { exact: true }).fill(narrowed)
  await expect(page.getByText('All 2 links fit')).toBeVisible()
  const verdict = card(page, 'What it says')
  await expect(verdict).toContainText('“to” ends with “@example.com”')
  await expect(verdict).toContainText('“urgent” is true')
  await expect(
    card(page, 'The chain')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading') }),
  ).toHaveCount(2)
})

test('what was typed outlives a change of tab and a lock', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Identity', 'Grants')
  await page.getByLabel('To whom').fill(STRANGER)
  await page.getByLabel('May do what').fill('/msg/send')
  await openTab(page, 'Keys')
  await page.getByRole('banner').getByRole('button', { name: 'Lock' }).click()
  await openTab(page, 'Grants')
  const locked = card(page, 'The vault is locked')
  await locked.getByLabel('Passphrase', { exact: true }).fill('violet anvil harbour thirty')
  await locked.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByLabel('To whom')).toHaveValue(STRANGER)
  await expect(page.getByLabel('May do what')).toHaveValue('/msg/send')
})

test('a grant is removed, and put back', async ({ page }) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/http/get', label: 'Old door' })
  const list = card(page, 'Granted so far')
  await list.getByRole('button', { name: 'Details' }).click()
  await list.getByRole('button', { name: 'Remove from this vault' }).click()
  await expect(page.getByText('Nothing is out there')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(list.getByText('Old door')).toBeVisible()
  await expect(page.getByText('Nothing is out there')).toHaveCount(0)
})

test('a grant whose end has passed stands below the others while the vault keeps it', async ({ page }) => {
  const { address } = await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  // As the clean-up puts it away: a person would wait a day for it.
  await page.evaluate(async (name) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const transaction = database.transaction(['tokens', 'metadata'], 'readwrite')
    const tokens = transaction.objectStore('tokens')
    tokens.getAll().onsuccess = ({ target }) => {
      const [record] = (target as IDBRequest).result
      const expiresAt = Date.now() - 60_000
      const key = `ended:tokens:${record.id}`
      const about = { accountAddress: name, key, updatedAt: expiresAt, sealed: '-', store: 'tokens' }
      transaction.objectStore('metadata').put({ id: key, ...about, record: { ...record, expiresAt } })
      tokens.delete(record.id)
    }
    await new Promise((resolve) => {
      transaction.oncomplete = resolve
    })
    database.close()
  }, `vault_${address}`)
  await page.reload()
  await unlock(page)
  await page.getByText('One that has ended, kept for 90 days').click()
  const ended = page.getByRole('list', { name: 'Ended tokens' })
  await expect(ended.getByText('Holiday mails')).toBeVisible()
  await expect(ended.getByText(/kept until/)).toBeVisible()
})
