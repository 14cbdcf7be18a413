import type { Page } from '@playwright/test'
import { type App, startApp } from '../counterparts/app.js'
import { test as base, expect } from '../fixtures.ts'
import { card, makeVault, visit } from './person.ts'

const test = base.extend<{ app: App }>({
  app: async ({ baseURL, guard }, use) => {
    const app = await startApp(new URL(baseURL ?? '').origin)
    guard.counterpart(app.origin)
    await use(app)
    await app.close()
  },
})

/** What the app asks for instead of what it asks for by itself. */
function wishing(app: App, wishes: object = {}): string {
  return `${app.origin}/#${encodeURIComponent(JSON.stringify(wishes))}`
}

/** Opens the app beside the vault, and lets it ask. @returns its page, and the vault's window */
async function asks(vault: Page, app: App, wishes: object = {}): Promise<{ site: Page; window: Page }> {
  const site = await vault.context().newPage()
  await site.goto(wishing(app, wishes))
  return { site, window: await opened(site) }
}

/** Presses the app's button. @returns the window that opens */
async function opened(site: Page): Promise<Page> {
  const opening = site.waitForEvent('popup')
  await site.getByRole('button', { name: 'Connect' }).click()
  return await opening
}

const answerOf = (site: Page) => site.locator('#answer')
const TOKEN = /^[CP][\w-]{100,}$/

test('an app asks, the person grants, the app uses it; ending the session revokes it', async ({
  page,
  app,
}) => {
  const { did } = await makeVault(page)
  await app.guard(did)
  const { site, window } = await asks(page, app)
  await expect(window.getByTestId('origin')).toHaveText(app.origin)
  await expect(window.getByText('“To show your recipes”')).toBeVisible()
  await expect(window.getByText('/notes/read').first()).toBeVisible()
  // Its opener is kept, by this document alone.
  expect(await window.evaluate(() => [crossOriginIsolated, window.opener !== null])).toEqual([false, true])
  const grant = window.getByRole('button', { name: 'Grant it' })
  await expect(grant).toBeEnabled()
  const closing = window.waitForEvent('close')
  await grant.click()
  await closing
  await expect(answerOf(site)).toHaveText(TOKEN)
  const token = (await answerOf(site).textContent()) ?? ''

  const call = { command: '/notes/read', args: { folder: 'recipes' } }
  expect(await app.use(token, call)).toEqual({ status: 200 })
  expect(await app.use(token, { ...call, args: { folder: 'letters' } })).toMatchObject({ status: 0 })

  await visit(page, 'Identity', 'Sessions')
  const apps = card(page, 'Connected apps')
  const sessions = apps.getByRole('list', { name: 'Connected apps' })
  await expect(sessions.getByText(app.origin)).toBeVisible()
  await sessions.getByRole('button', { name: /^End session/ }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('textbox').fill('end')
  await dialog.getByRole('button', { name: 'End it' }).click()
  await expect(apps.getByText('Ended and revoked')).toBeVisible()
  await expect(sessions.getByRole('listitem')).toHaveCount(0)
  const revocation = (await apps.getByRole('region', { name: 'revocation' }).textContent())?.trim() ?? ''
  expect(await app.use(token, call)).toEqual({ status: 200 })
  expect(await app.deliver(revocation)).toBe(202)
  expect(await app.use(token, call)).toMatchObject({ status: 403, name: 'Revoked' })
})
