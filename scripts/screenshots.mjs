// Pictures of every page, light and dark, at three widths, in `screenshots/` (not in git): first without a vault, then with one.
// Usage: npm run build && node scripts/screenshots.mjs
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { createApp } from '../apps/web/src/server/app.js'
import { findBrowser } from './browser.mjs'
import { root } from './suites.mjs'

const WIDTHS = [360, 768, 1440]
const SCHEMES = /** @type {const} */ (['light', 'dark'])
const PAGES = {
  home: '/',
  register: '/register',
  identity: '/identity',
  keys: '/identity?tab=keys',
  grants: '/identity?tab=grants',
  received: '/identity?tab=received',
  check: '/identity?tab=check',
  unlock: '/identity?tab=unlock',
  backup: '/identity?tab=backup',
  activity: '/identity?tab=activity',
  payment: '/payment',
  search: '/search',
  demo: '/demo',
  attacks: '/demo?tab=attacks',
  'not-found': '/no/such/page',
}
const PASSPHRASE = 'violet anvil harbour thirty'

const folder = join(root, 'screenshots')
mkdirSync(folder, { recursive: true })

const server = createServer(createApp(join(root, 'apps/web/dist')))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()

const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ['--no-sandbox', '--disable-gpu'],
})

/** Takes every page, as the vault is now, at every width and in both themes. */
async function takeAll(page, state) {
  for (const [name, path] of Object.entries(PAGES)) {
    // Within the client, so that an open vault stays open.
    await page.evaluate((to) => {
      history.pushState({}, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText('Opening the vault…').waitFor({ state: 'hidden' })
    for (const colorScheme of SCHEMES) {
      for (const width of WIDTHS) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: width < 500 ? 760 : 900 })
        await page.screenshot({
          path: join(folder, `${state}-${name}-${colorScheme}-${width}.png`),
          fullPage: true,
        })
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        if (beyond > 0) console.log(`${state} ${name} at ${width}: ${beyond} pixels beyond the edge`)
      }
    }
  }
}

try {
  const page = await browser.newPage({ baseURL: `http://localhost:${port}`, locale: 'en-GB' })
  page.on('console', (message) => console.log(`${message.type()}: ${message.text()}`))
  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: 'Create a vault' }).waitFor()
  await takeAll(page, 'empty')

  await page.goto('/register')
  await page.getByLabel('Name').fill('Personal')
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await page.getByLabel('The same again').fill(PASSPHRASE)
  await page.getByText(/^(Strong|Very strong)\./).waitFor()
  await page.getByRole('button', { name: 'Create the vault' }).click()
  await page.getByRole('heading', { name: 'Your vault is ready' }).waitFor()
  await takeAll(page, 'open')

  await page.getByRole('banner').getByRole('button', { name: 'Lock' }).click()
  await page.getByRole('banner').getByRole('button', { name: 'Unlock' }).waitFor()
  await takeAll(page, 'locked')
  console.log(`The pictures are in ${folder}`)
} finally {
  await browser.close()
  server.closeAllConnections()
  server.close()
}
