import { expect, test } from '../../fixtures.ts'
import { card, grant, makeVault, openTab, STRANGER, visit } from '../support/person.ts'

const HUGE = 10 * 1024 * 1024

test('a paste of 10 MB is turned away at the field, and the page goes on at once', async ({ page }) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Kept' })
  await visit(page, 'Identity', 'Check a token')
  const field = page.getByLabel('Token', { exact: true })
  await field.fill('typed before')
  await field.evaluate((element, size) => {
    const data = new DataTransfer()
    data.setData('text/plain', 'A'.repeat(size))
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  }, HUGE)
  await expect(page.getByText('This is 10 MiB of text.')).toBeVisible()
  await expect(field).toHaveValue('typed before')
  await field.fill('typed after')
  await expect(page.getByText('This is 10 MiB of text.')).toHaveCount(0)

  // The same by a field that is filled from elsewhere: told, not taken, and the page still answers.
  await field.evaluate((element, size) => {
    if (!(element instanceof HTMLTextAreaElement)) return
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set
    set?.call(element, 'A'.repeat(size))
    element.dispatchEvent(new Event('input', { bubbles: true }))
  }, HUGE)
  await expect(page.getByText('This is 10 MiB of text.')).toBeVisible()
  await expect(field).toHaveValue('typed after')
  await openTab(page, 'Grants')
  await expect(card(page, 'Granted so far').getByText('Kept')).toBeVisible()
})

test('a file of 10 MB is not read as a token', async ({ page }) => {
  await page.goto('/identity?tab=check')
  await page.locator('input[type=file]').setInputFiles({
    name: 'film.mkv',
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(HUGE, 65),
  })
  await expect(page.getByText('“film.mkv” has 10 MiB')).toBeVisible()
})

test('a policy that does not parse is told at the field, with its place, and stays', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Identity', 'Grants')
  const form = card(page, 'New grant')
  await form.getByLabel('To whom').fill(STRANGER)
  await form.getByLabel('May do what').fill('/msg/send')
  await form.getByText('As it stands in the token').click()
  const field = form.getByLabel('The exact policy')
  for (const [bad, words] of [
    ['[["==", ".a", 1]', 'line 1, column 17'],
    ['[["===", ".a", 1]]', '“===” is no operator'],
    ['[["<", ".a", "many"]]', '“<” compares with a number.'],
    ['[["==", "a", 1]]', 'A field starts with a dot'],
    ['{}', 'A policy is a list of statements'],
  ] as const) {
    await field.fill(bad)
    await expect(form.getByText(words)).toBeVisible()
    await form.getByRole('button', { name: 'Sign the grant' }).click()
    await expect(field).toHaveValue(bad)
    await expect(card(page, 'Signed and stored')).toHaveCount(0)
  }
  await field.fill('[["not", ["==", ".draft", true]]]')
  await expect(form.getByText('A “not” lets through what is missing.')).toBeVisible()
  await expect(form.getByLabel('Limit 1.1: field')).toHaveValue('.draft')
})

test('what is not a DID or a command is told as soon as it is typed', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Identity', 'Grants')
  const form = card(page, 'New grant')
  await form.getByRole('button', { name: 'Sign the grant' }).click()
  await expect(form.getByText('Paste the DID of whoever gets it.')).toBeVisible()
  await expect(form.getByText('Say what they may do')).toBeVisible()
  await form.getByLabel('To whom').fill('bob')
  await expect(form.getByText('A DID starts with did:')).toBeVisible()
  await form.getByLabel('To whom').fill(STRANGER.slice(0, 20))
  await expect(form.getByText('This did:key is cut')).toBeVisible()
  // Looks like a DID, but its key is none: the enclave says so, and nothing is lost.
  await form.getByLabel('To whom').fill(`did:key:z${'1'.repeat(46)}`)
  await form.getByLabel('May do what').fill('msg/send')
  await expect(form.getByText('A command starts with a slash')).toBeVisible()
  await form.getByLabel('May do what').fill('/msg/send')
  await form.getByRole('button', { name: 'Sign the grant' }).click()
  await expect(form.getByRole('alert').last()).not.toBeEmpty()
  await expect(form.getByLabel('May do what')).toHaveValue('/msg/send')
})

test('a token made out to someone else is not taken in', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Identity', 'Received')
  const form = card(page, 'Take in a token')
  await form.getByRole('button', { name: 'Verify and keep' }).click()
  await expect(form.getByText('Paste the token that you were given.')).toBeVisible()
  await form.getByLabel('Token', { exact: true }).fill('nonsense')
  await form.getByRole('button', { name: 'Verify and keep' }).click()
  await expect(form.getByText('This cannot be read as a token.')).toBeVisible()
  await expect(form.getByLabel('Token', { exact: true })).toHaveValue('nonsense')
})

test('an address that makes no sense opens the page all the same', async ({ page }) => {
  for (const path of [
    '/identity?tab=nonsense&token=5',
    '/search?kind=7&status=[]',
    '/demo?fn=rm',
    '/register?tab=1',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
})
