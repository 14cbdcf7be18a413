import { expect, test } from '../fixtures.ts'

const canvas = '[data-testid=hole] canvas[data-moving]'

test('the hole is behind every page and hidden from assistive technology', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  await expect(page.getByTestId('hole')).toHaveAttribute('aria-hidden', 'true')
  await expect(page.locator(canvas)).toHaveAttribute('data-moving', 'true')
  await page.getByRole('link', { name: 'Activity', exact: true }).first().click()
  await expect(page.locator(canvas)).toBeAttached()
})

test('the hole is painted', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/demo')
  await expect(page.locator(canvas)).toHaveAttribute('data-moving', 'false')
  // We can still draw from a canvas whose control was transferred, so check that it isn't empty.
  await expect
    .poll(() =>
      page.locator(canvas).evaluate((element) => {
        if (!(element instanceof HTMLCanvasElement)) return 0
        const copy = document.createElement('canvas')
        copy.width = 64
        copy.height = 64
        const surface = copy.getContext('2d')
        surface?.drawImage(element, 0, 0, 64, 64)
        return surface?.getImageData(0, 0, 64, 64).data.reduce((sum, value) => sum + value, 0) ?? 0
      }),
    )
    .toBeGreaterThan(0)
})

test('the hole stops moving when reduced motion is on, and moves again when it is off', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  await expect(page.locator(canvas)).toHaveAttribute('data-moving', 'false')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect(page.locator(canvas)).toHaveAttribute('data-moving', 'true')
})
