// Pictures of every page in its main states, light and dark, at three widths, in `screenshots/` (not in git).
// Usage: npm run build && node scripts/screenshots.mjs [--few] [--readme]
// --few: light at 1440 and dark at 360 alone. --readme: instead of all, the pictures of README.md, in `docs/pictures/`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { createApp } from '../apps/web/src/server/app.js'
import { findBrowser } from './browser.mjs'
import { root } from './suites.mjs'

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {{name: string, path: string, act?: (page: Page) => Promise<unknown>}} Scene What is done on a page before its picture is taken. */

const asked = new Set(process.argv.slice(2))
const LOOKS = ['light', 'dark'].flatMap((scheme) => [360, 768, 1440].map((width) => ({ scheme, width })))
const FEW = [
  { scheme: 'light', width: 1440 },
  { scheme: 'dark', width: 360 },
]
const PASSPHRASE = 'violet anvil harbour thirty'
const FRIEND = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const GRANTS = [
  ['Holiday mails', '/msg/send'],
  ['Read the calendar', '/crud/read'],
  ['Build server', '/build/run'],
]

const TABS = ['overview', 'keys', 'grants', 'received', 'sessions', 'check', 'unlock', 'backup', 'activity']
/** @type {Scene[]} */
const PAGES = [
  { name: 'home', path: '/' },
  { name: 'register', path: '/register' },
  { name: 'restore', path: '/register?tab=restore' },
  { name: 'accounts', path: '/register?tab=accounts' },
  ...TABS.map((tab) => ({ name: `identity-${tab}`, path: `/identity?tab=${tab}` })),
  { name: 'payment', path: '/payment' },
  { name: 'mandates', path: '/payment?tab=mandates' },
  { name: 'search', path: '/search' },
  { name: 'demo', path: '/demo' },
  { name: 'attacks', path: '/demo?tab=attacks' },
  { name: 'merchant', path: '/demo?tab=merchant' },
  { name: 'benchmark', path: '/demo?tab=benchmark' },
  { name: 'not-found', path: '/no/such/page' },
]
/** @type {Scene[]} */
const OPEN = [
  {
    name: 'search-results',
    path: '/search?q=holiday',
    act: (page) => page.locator('mark').first().waitFor(),
  },
  {
    name: 'palette',
    path: '/',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'grant-details',
    path: '/identity?tab=grants',
    act: (page) => page.getByRole('button', { name: 'Details' }).first().click(),
  },
  {
    name: 'attack-refused',
    path: '/demo?tab=attacks',
    act: async (page) => {
      await page.getByRole('button', { name: /^Try:/ }).first().click()
      await page
        .getByText(/^Refused/)
        .first()
        .waitFor()
    },
  },
]
/** @type {Scene[]} */
const LOCKED = [
  {
    name: 'unlock-dialog',
    path: '/',
    act: async (page) => {
      await page.getByRole('banner').getByRole('button', { name: 'Unlock' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
]

const folder = join(root, 'screenshots')
const server = createServer(createApp(join(root, 'apps/web/dist')))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ['--no-sandbox', '--disable-gpu'],
})

/** Within the client, so that an open vault stays open. @param {Page} page @param {string} path */
async function go(page, path) {
  await page.keyboard.press('Escape')
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByRole('progressbar').first().waitFor({ state: 'detached', timeout: 10_000 })
}

/** @param {Page} page @param {string} state @param {readonly Scene[]} scenes @param {readonly {scheme: string, width: number}[]} looks */
async function take(page, state, scenes, looks) {
  for (const { name, path, act } of scenes) {
    try {
      await go(page, path)
      await act?.(page)
    } catch (error) {
      console.error(`${state} ${name}: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
    }
    for (const { scheme, width } of looks) {
      await page.emulateMedia({ colorScheme: scheme === 'dark' ? 'dark' : 'light', reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: width < 500 ? 760 : 900 })
      // The hole is drawn by a Worker, which hears of the theme a little later.
      await page.waitForTimeout(300)
      await page.screenshot({
        path: join(folder, `${state}-${name}-${scheme}-${width}.png`),
        fullPage: true,
      })
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (beyond > 0) console.log(`${state} ${name} at ${width}: ${beyond} pixels beyond the edge`)
    }
  }
}

/** @param {Page} page */
async function makeVault(page) {
  await page.goto('/register')
  await page.getByLabel('Name', { exact: true }).fill('Personal')
  await page.getByRole('radio', { name: /^Passphrase/ }).check()
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await page.getByLabel('The same again').fill(PASSPHRASE)
  await page.getByText(/^(Strong|Very strong)\./).waitFor()
  await page.getByRole('checkbox', { name: /^Make a recovery code/ }).setChecked(false)
  await page.getByRole('button', { name: 'Create the vault' }).click()
  await page.getByRole('heading', { name: 'Your vault is ready' }).waitFor()
}

/** @param {Page} page */
async function fillVault(page) {
  for (const [label, command] of GRANTS) {
    try {
      await go(page, '/identity?tab=overview')
      await go(page, '/identity?tab=grants')
      await page.getByLabel('To whom').fill(FRIEND)
      await page.getByLabel('May do what').fill(command)
      await page.getByLabel('A name for it').fill(label)
      await page.getByRole('button', { name: 'Sign the grant' }).click()
      await page.getByRole('heading', { name: 'Signed and stored' }).waitFor()
    } catch (error) {
      console.error(
        `${label} was not granted: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
      )
    }
  }
}

/** A picture of what is in sight, as small as WebP makes it. @param {Page} page @param {Page} desk @param {string} name */
async function takeSmall(page, desk, name) {
  const png = (await page.screenshot()).toString('base64')
  const webp = await desk.evaluate(async (source) => {
    const image = new Image()
    image.src = `data:image/png;base64,${source}`
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), {
      width: image.width,
      height: image.height,
    })
    canvas.getContext('2d')?.drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.85).split(',')[1] ?? ''
  }, png)
  const place = join(root, 'docs/pictures')
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, `${name}.webp`), Buffer.from(webp, 'base64'))
}

async function pictureReadme() {
  const context = await browser.newContext({
    baseURL: `http://localhost:${port}`,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 800 },
  })
  const [page, desk] = [await context.newPage(), await browser.newPage()]
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await takeSmall(page, desk, 'welcome')
  await makeVault(page)
  await fillVault(page)
  for (const [name, path] of [
    ['home', '/'],
    ['grants', '/identity?tab=grants'],
    ['search', '/search?q=holiday'],
  ]) {
    await go(page, path)
    await page.emulateMedia({ colorScheme: name === 'search' ? 'dark' : 'light' })
    await takeSmall(page, desk, name)
  }
}

async function pictureAll() {
  const looks = asked.has('--few') ? FEW : LOOKS
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const context = await browser.newContext({ baseURL: `http://localhost:${port}`, locale: 'en-GB' })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  page.on('console', (message) => console.log(`${message.type()}: ${message.text()}`))
  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: 'Create a vault' }).waitFor()
  await take(page, 'empty', PAGES, looks)
  await makeVault(page)
  await page.screenshot({ path: join(folder, 'made-vault.png'), fullPage: true })
  await fillVault(page)
  await take(page, 'open', [...PAGES, ...OPEN], looks)

  // The first page keeps the vault open for the one in German.
  await page.evaluate(() => localStorage.setItem('keyhole:language', 'de'))
  const german = await context.newPage()
  await german.goto('/')
  await take(
    german,
    'german',
    PAGES.filter(({ name }) => name === 'home' || name === 'identity-grants'),
    looks,
  )
  await german.close()
  await page.evaluate(() => localStorage.removeItem('keyhole:language'))

  await go(page, '/')
  await page.getByRole('banner').getByRole('button', { name: 'Lock' }).click()
  await page.getByRole('banner').getByRole('button', { name: 'Unlock' }).waitFor()
  await take(page, 'locked', [...PAGES, ...LOCKED], looks)
  console.log(`The pictures are in ${folder}`)
}

try {
  await (asked.has('--readme') ? pictureReadme() : pictureAll())
} finally {
  await browser.close()
  server.closeAllConnections()
  server.close()
}
