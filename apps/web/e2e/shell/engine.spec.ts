import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, running, test } from '../fixtures.ts'
import { card, expectLocked, grant, makeVault, STRANGER, unlock, visit } from '../tasks/support/person.ts'

const WASM = '**/enclave.wasm'
const build = readFileSync(join(import.meta.dirname, '../../dist/enclave.wasm'))

async function makeVaultWithGrant(page: Page): Promise<void> {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Kept' })
}

/** Lets the engine load again and retries. Everything that was stored must be there. */
async function expectNothingLost(page: Page): Promise<void> {
  await page.unroute(WASM)
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  await expectLocked(page)
  await unlock(page)
  await visit(page, 'Grants')
  await expect(card(page, 'Granted so far').getByText('Kept')).toBeVisible()
}

test('a missing engine is explained, and nothing stored is lost', async ({ page, guard }) => {
  guard.allow(/^Failed to load resource: the server responded with a status of 404/)
  await makeVaultWithGrant(page)
  await page.route(WASM, (route) => route.fulfill({ status: 404, body: 'gone' }))
  await page.reload()
  await expect(page.getByText('The vault’s engine did not load.')).toBeVisible()
  // Unreadable data must not look as if it were gone.
  await expect(page.getByText('No grants yet')).toHaveCount(0)
  await expectNothingLost(page)
})

test('an engine of another build is refused, and nothing stored is lost', async ({ page }) => {
  await makeVaultWithGrant(page)
  const other = Buffer.from(build)
  other.writeUInt8(other.readUInt8(other.length - 1) ^ 1, other.length - 1)
  await page.route(WASM, (route) => route.fulfill({ contentType: 'application/wasm', body: other }))
  await page.reload()
  await expect(page.getByText('The vault’s engine did not load.')).toBeVisible()
  await expectNothingLost(page)
})

test('a hanging engine is given up after thirty seconds, and nothing stored is lost', async ({ page }) => {
  await makeVaultWithGrant(page)
  await page.clock.install()
  // Never answer.
  await page.route(WASM, () => undefined)
  const asked = page.waitForRequest(WASM)
  await page.reload()
  await asked
  await page.clock.fastForward(30_000)
  await expect(page.getByText('It took too long and was given up.')).toBeVisible()
  await expectNothingLost(page)
})

test('an engine with the wrong content type still loads, with a warning', async ({ page, guard }) => {
  guard.allow(/content type/i)
  const warned = page.waitForEvent(
    'console',
    (message) => message.type() === 'warning' && /wasm/i.test(message.text()),
  )
  await page.route(WASM, (route) => route.fulfill({ contentType: 'text/plain', body: build }))
  await page.goto('/register')
  await running(page)
  await page.getByLabel('Name').click()
  await warned
  await expect(page.getByLabel('Name')).toBeVisible()
})
