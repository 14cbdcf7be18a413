import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../fixtures.ts'
import { card, expectLocked, grant, makeVault, STRANGER, visit } from '../support/person.ts'

/** The official delegation of UCAN 1.0.0: expired since, and signed by someone we have never met. */
function officialToken(): string {
  const file = join(import.meta.dirname, '../../../../../vectors/ucan-1.0.0/delegation.json')
  const vectors: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const found = /"token":\s*"([^"]+)"/.exec(JSON.stringify(vectors))?.[1]
  if (!found) throw new Error('The official vector has no token.')
  return found
}

test('any token can be checked without a vault: the official one has expired', async ({ page }) => {
  await page.goto('/identity?tab=check')
  await page.getByLabel('Token', { exact: true }).fill(officialToken())
  await expect(page.getByText('Do not rely on it. It has expired.')).toBeVisible()
  const chain = card(page, 'The chain')
  await expect(chain.getByText('bafyreig')).toBeVisible()
  await expect(chain.getByText('It has expired.')).toBeVisible()
  await chain.getByText('Raw payload').click()
  await expect(chain.getByRole('region', { name: 'payload' })).toContainText('"cmd": "/account"')
})

test('a changed letter, a cut token and garbage are told apart from a good one', async ({ page }) => {
  await makeVault(page)
  const token = await grant(page, { to: STRANGER, command: '/msg/send' })
  await visit(page, 'Identity', 'Check a token')
  const field = page.getByLabel('Token', { exact: true })
  await field.fill(token)
  await expect(page.getByText('It holds.', { exact: true })).toBeVisible()
  await expect(card(page, 'Try a call').getByText('Allowed.', { exact: true })).toBeVisible()

  // Within the signature: the container's and the envelope's heads take the first 20 letters.
  const changed = `${token.slice(0, 50)}${token.charAt(50) === 'A' ? 'B' : 'A'}${token.slice(51)}`
  for (const [bad, words] of [
    [changed, /A signature does not fit|cannot be read as a token/],
    [token.slice(0, -30), /cannot be read as a token/],
    ['certainly not a token', /cannot be read as a token/],
  ] as const) {
    await field.fill(bad)
    await expect(page.getByText(words).first()).toBeVisible()
    await expect(page.getByText('It holds.', { exact: true })).toHaveCount(0)
    await expect(field).toHaveValue(bad)
  }
})

test('a dropped file is read as a pasted text is', async ({ page }) => {
  await page.goto('/identity?tab=check')
  await page.locator('input[type=file]').setInputFiles({
    name: 'token.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(officialToken()),
  })
  await expect(page.getByText('Do not rely on it. It has expired.')).toBeVisible()
})

test('a token that this vault has revoked does not hold here, wherever it is pasted', async ({ page }) => {
  await makeVault(page)
  const token = await grant(page, { to: STRANGER, command: '/msg/send' })
  await visit(page, 'Identity', 'Received')
  await page.getByLabel('Token', { exact: true }).fill(token)
  await page.getByRole('button', { name: 'Verify and keep' }).click()
  await expect(page.getByText('It is here already: this vault has made it itself.')).toBeVisible()
  await visit(page, 'Identity', 'Grants')
  await page.getByRole('button', { name: 'Details' }).first().click()
  await page.getByRole('button', { name: 'Revoke…' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel(/to confirm/).fill('revoke')
  await dialog.getByRole('button', { name: 'Revoke it for good' }).click()
  await expect(dialog).toHaveCount(0)
  await visit(page, 'Identity', 'Check a token')
  await page.getByLabel('Token', { exact: true }).fill(token)
  await expect(page.getByText('Do not rely on it. It was revoked.')).toBeVisible()
  await expect(card(page, 'The chain').getByText('It was revoked.')).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: 'Lock', exact: true }).click()
  await expectLocked(page)
  await expect(page.getByText('Do not rely on it. It was revoked.')).toBeVisible()
})

test('where whoever runs Keyhole named no website, it says that none can be asked', async ({ page }) => {
  await page.goto('/identity?tab=check')
  await expect(card(page, 'Signed by a website').getByText('Whoever runs it has allowed none.')).toBeVisible()
})

test.describe('a build that may ask a website', () => {
  test('asks it when a person allowed it, and remembers that here', async ({ page }) => {
    await page.route('/identity*', async (route) => {
      const response = await route.fetch()
      const named = '<meta name="did-web-hosts" content="shop.example">'
      await route.fulfill({ response, body: (await response.text()).replace('</title>', `</title>${named}`) })
    })
    await page.goto('/identity?tab=check')
    const box = page.getByRole('checkbox', { name: 'Ask shop.example' })
    await expect(box).not.toBeChecked()
    await box.check()
    await page.reload()
    await expect(box).toBeChecked()
    await box.uncheck()
    await page.reload()
    await expect(box).not.toBeChecked()
  })
})
