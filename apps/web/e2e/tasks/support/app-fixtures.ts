import type { Page } from '@playwright/test'
import { type App, startApp } from '../../counterparts/app.js'
import { test as base, expect } from '../../fixtures.ts'
import { card, tokenText, visit } from './person.ts'

export { expect }

/** Playwright's test with an app on another origin. */
export const test = base.extend<{ app: App }>({
  app: async ({ baseURL, guard }, use) => {
    const app = await startApp(new URL(baseURL ?? '').origin)
    guard.counterpart(app.origin)
    await use(app)
    await app.close()
  },
})

/** Gives an agent a mandate for a day: up to 20 pounds per payment and 30 in total, to anyone. @returns its text */
export async function giveAgent(page: Page, audience: string): Promise<string> {
  await visit(page, 'Payments', 'New mandate')
  const form = card(page, 'New mandate')
  await form.getByRole('button', { name: 'An agent for a day' }).click()
  await form.getByRole('radio', { name: /^Any shop/ }).check()
  for (const [label, value] of [
    ['Who', audience],
    ['Maximum per payment', '20'],
    ['Total', '30'],
  ] as const)
    await form.getByLabel(label, { exact: true }).fill(value)
  await form.getByRole('button', { name: 'Sign the mandate' }).click()
  return await tokenText(card(page, 'Signed and stored'))
}
