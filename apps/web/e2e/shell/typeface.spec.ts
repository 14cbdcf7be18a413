import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

const FONT = /\/assets\/sans-[^/]*\.woff2$/
const OWN = 'Atkinson Hyperlegible Next'

/** The fonts that draw an element's text, by their own names, and whether each was downloaded. Empty while the page is being redrawn. */
async function fontsOf(page: Page, selector: string): Promise<{ name: string; fetched: boolean }[]> {
  await page.locator(selector).waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId }).catch(() => ({ fonts: [] }))
  await session.detach()
  return fonts.map(({ familyName, isCustomFont }) => ({ name: familyName, fetched: isCustomFont }))
}

/** How far content on the page has shifted so far (Layout Instability). */
const shifted = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            if (!Reflect.get(entry, 'hadRecentInput')) sum += Number(Reflect.get(entry, 'value'))
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 100)
      }),
  )

test('the page uses our typeface, and our mono for what machines read', async ({ page, guard }) => {
  guard.allow(/status of 404/)
  await page.goto('/no/such/page')
  await expect.poll(() => fontsOf(page, 'h1')).toEqual([{ name: OWN, fetched: true }])
  await expect
    .poll(() => fontsOf(page, 'main code'))
    .toEqual([{ name: expect.stringMatching(/^Atkinson Hyperlegible Mono/), fetched: true }])
})

test('letters missing from our typeface come from a system font', async ({ page }) => {
  // A page that has its typeface too late keeps what it began with, so this one finds it in the cache.
  const came = page.waitForResponse(FONT)
  await page.goto('/register')
  await (await came).finished()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => {
    const heading = document.querySelector('h1')
    if (heading) heading.textContent = 'Zoë, Günter & Мария'
  })
  await expect
    .poll(() => fontsOf(page, 'h1'))
    .toEqual(
      expect.arrayContaining([
        { name: OWN, fetched: true },
        { name: expect.any(String), fetched: false },
      ]),
    )
})

test('a typeface that arrives late shifts nothing and is used on the next page', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(FONT, async (route) => {
    await held
    await route.continue()
  })
  // Preloads delay the load event.
  await page.goto('/register', { waitUntil: 'domcontentloaded' })
  await expect(page.getByLabel('Name', { exact: true })).toBeVisible()
  expect((await fontsOf(page, 'h1')).every(({ fetched }) => !fetched)).toBe(true)
  const came = page.waitForResponse(FONT)
  release()
  await came
  await page.evaluate(() => document.fonts.ready)
  await expect
    .poll(async () => {
      await page.getByRole('link', { name: 'Payments', exact: true }).first().click()
      await page.getByRole('link', { name: 'Activity', exact: true }).first().click()
      return await fontsOf(page, 'h1')
    })
    .toEqual([{ name: OWN, fetched: true }])
  expect(await shifted(page)).toBe(0)
})
