import type { Page } from '@playwright/test'

/** Holds back the client's script, so the page stays as the server sent it. @returns a function that releases the script */
export async function holdClient(page: Page): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/main[^/]*\.js$/, async (route) => {
    await held
    await route.continue()
  })
  return release
}
