import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { holdClient } from '../tasks/support/held-client.ts'
import { card, makeVault } from '../tasks/support/person.ts'

const TITLE = 'Give an AI agent one folder, not your password.'

/** What was seen in any frame of the page so far: whether the landing was, and how much of the page moved without a press. */
async function watch(page: Page): Promise<() => Promise<{ landing: boolean; moved: number }>> {
  await page.addInitScript((title) => {
    const seen = { landing: false, moved: 0 }
    Reflect.set(window, 'seenFrames', seen)
    const look = () => {
      const heading = document.querySelector('h1')
      seen.landing ||= heading?.textContent === title && heading.checkVisibility()
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
          value: number
          hadRecentInput: boolean
          sources: { node: Node | null }[]
        }
        const within = sources.some(({ node }) => document.getElementById('page')?.contains(node))
        if (within && !hadRecentInput) seen.moved += value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  }, TITLE)
  return () => page.evaluate(() => Reflect.get(window, 'seenFrames'))
}

test('who has a vault never sees the landing, on a slow line and without a service worker', async ({
  page,
}) => {
  await makeVault(page)
  const seen = await watch(page)
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Network.setCacheDisabled', { cacheDisabled: true })
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 100_000,
    uploadThroughput: 50_000,
  })
  const release = await holdClient(page)
  await page.goto('/')
  // The page as the server sent it, before the client is there.
  await expect(page.getByRole('banner').getByRole('link', { name: 'Keyhole' })).toBeVisible()
  await expect(page.getByText(TITLE)).toBeHidden()
  await expect(page.getByRole('link', { name: 'Create vault' })).toHaveCount(0)
  release()
  await expect(card(page, 'The vault is locked').getByLabel('Passphrase', { exact: true })).toBeVisible()
  await expect(card(page, 'Last activity')).toBeVisible()
  expect(await seen()).toEqual({ landing: false, moved: 0 })
})

test('who has none sees it at once, and so does who has deleted theirs', async ({ page }) => {
  const seen = await watch(page)
  const release = await holdClient(page)
  await page.addInitScript(() => localStorage.setItem('keyhole:accounts', '[]'))
  await page.goto('/')
  await expect(page.getByText(TITLE)).toBeVisible()
  expect(await seen()).toMatchObject({ landing: true })
  release()
})
