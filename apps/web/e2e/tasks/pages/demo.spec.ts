import type { Page } from '@playwright/test'
import { startApp } from '../../counterparts/app.js'
import { expect, type Guard, test } from '../../fixtures.ts'
import { approve, pressAway } from '../../presses.js'
import { card, fillNewVault, madeVault, makeVault, openTab, visit } from '../support/person.ts'

test('the benchmark shows a table to copy and can be stopped', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/demo?tab=benchmark')
  const panel = card(page, 'How fast is Keyhole here?')
  await panel.getByRole('button', { name: 'Start measuring' }).click()
  await panel.getByRole('button', { name: 'Stop' }).click()
  await expect(panel.getByText('Stopped.')).toBeVisible()
  await panel.getByRole('button', { name: 'Measure again' }).click()
  await expect(panel.getByRole('progressbar')).toBeVisible()
  const rows = panel.getByRole('rowgroup').last().getByRole('row')
  await expect(rows).toHaveCount(8, { timeout: 120_000 })
  for (const row of await rows.all())
    await expect(row.getByRole('cell').first()).toHaveText(/\d.* (a second|ms)$/)
  await panel.getByRole('button', { name: 'Copy the table' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toContain('| Unlock: Argon2id, 64 MiB, 3 passes |')
})

/** Opens the demo's app as a person does, from its tab on the page. */
async function openApp(demo: Page, guard: Guard): Promise<Page> {
  await openTab(demo, 'App')
  const opening = demo.context().waitForEvent('page')
  await demo.getByRole('link', { name: 'Open the app' }).click()
  const app = await opening
  await guard.watch(app)
  await expect(app.getByRole('heading', { level: 1, name: 'Recipes' })).toBeVisible()
  return app
}

/** Makes the app ask. @returns the vault's window */
async function connect(app: Page): Promise<Page> {
  const opening = app.waitForEvent('popup')
  await app.getByRole('button', { name: /^Connect/ }).click()
  return await opening
}

test('an app asks in the vault’s own window, can use only what it got, and is cut off', async ({
  page,
  guard,
}) => {
  await makeVault(page)
  await visit(page, 'Demo')
  const app = await openApp(page, guard)
  // The app can talk to the windows it opens. Its own opener can't reach it, and it contains no vault.
  expect(await app.evaluate(() => [crossOriginIsolated, opener])).toEqual([false, null])
  for (const name of ['Read the recipes', 'Read the letters', 'Hand it to the service'])
    await expect(app.getByRole('button', { name })).toBeDisabled()

  const declining = await connect(app)
  await expect(declining.getByTestId('origin')).toHaveText(new URL(app.url()).origin)
  await pressAway(declining.getByRole('button', { name: 'Decline' }))
  await expect(app.getByText('It was declined.')).toBeVisible()
  await expect(app.locator('code', { hasText: 'DECLINED' })).toBeVisible()
  const closing = await connect(app)
  await expect(closing.getByTestId('origin')).toBeVisible()
  await closing.close()
  await expect(app.locator('code', { hasText: 'CLOSED' })).toBeVisible()

  const granting = await connect(app)
  await expect(granting.getByText('“To show your recipes”')).toBeVisible()
  await approve(granting.getByRole('button', { name: 'Grant it' }))
  await expect(app.getByText('It was granted.')).toBeVisible()
  const read = app.getByRole('button', { name: 'Read the recipes' })
  const letIn = app.getByText('The service let it in.')
  await read.click()
  await expect(letIn).toBeVisible()
  await app.getByRole('button', { name: 'Send the last call again' }).click()
  await expect(app.locator('code', { hasText: 'Replayed' })).toBeVisible()
  await app.getByRole('button', { name: 'Read the letters' }).click()
  await expect(app.locator('code', { hasText: 'MatchError' })).toBeVisible()

  await visit(page, 'Settings', 'Apps and tabs')
  const apps = card(page, 'Connected apps')
  await apps.getByRole('button', { name: /^End session/ }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'End it' }).click()
  const revocation = await apps.getByRole('region', { name: 'revocation' }).textContent()
  // A revocation counts only where it is known, and the service doesn't know yet.
  await read.click()
  await expect(letIn).toBeVisible()
  const hand = app.getByRole('button', { name: 'Hand it to the service' })
  await app.getByLabel('The revocation').fill('nonsense')
  await hand.click()
  await expect(app.locator('code', { hasText: 'MalformedToken' })).toBeVisible()
  await app.getByLabel('The revocation').fill(revocation ?? '')
  await hand.click()
  await expect(app.getByText('The service knows of it.')).toBeVisible()
  await read.click()
  await expect(app.locator('code', { hasText: 'Revoked' })).toBeVisible()
  await expect(letIn).toHaveCount(0)

  // A revoked token stays revoked. A new grant is a different token.
  await approve((await connect(app)).getByRole('button', { name: 'Grant it' }))
  await expect(app.getByText('It was granted.')).toBeVisible()
  await read.click()
  await expect(letIn).toBeVisible()
})

test('without a vault the app’s window offers to create one, then continues', async ({ page, guard }) => {
  await page.goto('/demo')
  const app = await openApp(page, guard)
  const window = await connect(app)
  await expect(window.getByText('There is no vault in this browser yet')).toBeVisible()
  const opening = window.context().waitForEvent('page')
  await window.getByRole('link', { name: 'Create vault' }).click()
  const making = await opening
  await guard.watch(making)
  await fillNewVault(making, {})
  await making.getByRole('button', { name: 'Create vault' }).click()
  await madeVault(making)
  await approve(window.getByRole('button', { name: 'Grant it' }))
  await expect(app.getByText('It was granted.')).toBeVisible()
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the app is a separate document, even from the service worker’s cache', async ({
    page,
    context,
    guard,
  }) => {
    await page.goto('/demo?tab=app')
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    await context.setOffline(true)
    const app = await openApp(page, guard)
    await expect(app).toHaveTitle(/^An app of the demo/)
    const window = await connect(app)
    await pressAway(window.getByRole('button', { name: 'Decline' }))
    await expect(app.getByText('It was declined.')).toBeVisible()
    await context.setOffline(false)
  })
})

test('the app is cut off from any other page that opens it', async ({ page, guard, baseURL }) => {
  const vault = new URL(baseURL ?? '').origin
  const stranger = await startApp(vault)
  guard.counterpart(stranger.origin)
  await page.goto(`${stranger.origin}/`)
  const opening = page.context().waitForEvent('page')
  await page.evaluate((url) => Object.assign(globalThis, { held: open(url) }), `${vault}/demo-app`)
  const app = await opening
  await expect(app.getByRole('heading', { level: 1, name: 'Recipes' })).toBeVisible()
  expect(await app.evaluate(() => opener)).toBe(null)
  expect(await page.evaluate(() => Reflect.get(globalThis, 'held').closed)).toBe(true)
  await stranger.close()
})
