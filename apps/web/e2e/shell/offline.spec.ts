import type { Page } from '@playwright/test'
import { test as base, expect } from '../fixtures.ts'
import { expectLocked, grant, makeVault, prove, STRANGER, unlock, visit } from '../tasks/support/person.ts'
import { type BuildCopy, serveBuildCopy } from './build-copy.ts'

const test = base.extend<{ copy: BuildCopy }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  copy: async ({}, use) => {
    const copy = await serveBuildCopy()
    await use(copy)
    copy.close()
  },
})

test.use({ serviceWorkers: 'allow' })

const NEXT = 'f'.repeat(16)
/** Gives a copy's service worker the version of another build. */
const asNextBuild = (worker: string) => worker.replace(/[0-9a-f]{16}/, NEXT)

async function controlled(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
}

const cachesOf = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('keyhole-client-')))

const lookForUpdate = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.update()
  })

test('after a first visit everything works offline except lookups on other hosts', async ({
  page,
  context,
}) => {
  await page.goto('/')
  await controlled(page)
  await context.setOffline(true)
  for (const route of ['/', '/search', '/register', '/payment', '/identity', '/demo', '/no/such/page']) {
    await page.goto(route)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await page.evaluate(() => document.fonts.check('1em "Keyhole Sans"'))).toBe(true)
  }
  await makeVault(page)
  const token = await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await visit(page, 'Check a token')
  await page.getByLabel('Token', { exact: true }).fill(token)
  await expect(page.getByText('Valid.', { exact: true })).toBeVisible()
  await visit(page, 'Search')
  await page.getByRole('combobox', { name: 'Search the vault' }).fill('holiday')
  await expect(page.locator('mark').first()).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: 'Lock' }).click()
  await expectLocked(page)
  await page.goto('/identity?tab=grants')
  await unlock(page)
  await expect(page.getByText('Holiday mails').first()).toBeVisible()
})

test('the next page starts as the last one was: with or without the landing page, and in the same language', async ({
  page,
}) => {
  const noted = () =>
    page.evaluate(async () => {
      const note = await (await caches.open('keyhole-shell')).match('/shell')
      return await note?.text()
    })
  await page.goto('/')
  await controlled(page)
  // The vault opens once someone moves the mouse.
  await page.mouse.move(10, 10)
  await expect.poll(() => noted()).toBe('en landing')
  await makeVault(page)
  await expect.poll(() => noted()).toBe('en frame')
  const begun = await page.goto('/')
  expect(await begun?.text()).not.toContain('<h1')
  await page.evaluate(() => localStorage.setItem('keyhole:language', 'de'))
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect.poll(() => noted()).toBe('de frame')
  const inGerman = await page.goto('/')
  expect(await inGerman?.text()).toContain('<html lang="de">')
})

test('a cache that the browser can no longer read keeps no one from the page', async ({ browser, copy }) => {
  // Once it is told to, every read of the caches fails, as it does when their files are damaged.
  copy.change(
    'sw.js',
    (worker) => `let isBroken = false
addEventListener('message', ({ data }) => { isBroken ||= data === 'break' })
for (const name of ['open', 'match']) {
  const read = CacheStorage.prototype[name]
  CacheStorage.prototype[name] = function (...given) {
    return isBroken ? Promise.reject(new DOMException('It is damaged.', 'UnknownError')) : read.apply(this, given)
  }
}
${worker}`,
  )
  copy.deploy()
  const page = await browser.newPage()
  await page.goto(copy.url)
  await controlled(page)
  await page.evaluate(() => navigator.serviceWorker.controller?.postMessage('break'))
  for (const route of ['register', 'search']) {
    await page.goto(`${copy.url}${route}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await page.close()
})

test('a new version is offered and starts only when asked for', async ({ browser, copy }) => {
  const page = await browser.newPage()
  await page.goto(copy.url)
  await controlled(page)
  const before = await cachesOf(page)
  const logged = page.waitForEvent('console', (message) =>
    /^Keyhole: a new version is installed/.test(message.text()),
  )
  copy.change('sw.js', asNextBuild)
  copy.deploy()
  await lookForUpdate(page)
  await logged
  const offer = page.getByRole('button', { name: 'Load it now' })
  await expect(offer).toBeVisible()
  // Reloading the page doesn't switch versions.
  await page.reload()
  await expect(offer).toBeVisible()
  expect(await cachesOf(page)).toEqual([...before, `keyhole-client-${NEXT}`])
  await offer.click()
  await expect(offer).toBeHidden()
  await expect.poll(() => cachesOf(page)).toEqual([`keyhole-client-${NEXT}`])
  await page.close()
})

test('a build with a wrong file is not installed', async ({ browser, copy }) => {
  const page = await browser.newPage()
  await page.goto(copy.url)
  await controlled(page)
  copy.change('sw.js', asNextBuild)
  copy.change('manifest.webmanifest', (text) => `${text}\n`)
  copy.deploy()
  const outcome = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    const found = new Promise<ServiceWorker | null>((resolve) => {
      registration?.addEventListener('updatefound', () => resolve(registration.installing))
    })
    await registration?.update().catch(() => undefined)
    const worker = await found
    return await new Promise((resolve) => {
      const look = () => {
        if (worker?.state === 'redundant' || worker?.state === 'installed') resolve(worker.state)
      }
      worker?.addEventListener('statechange', look)
      look()
    })
  })
  expect(outcome).toBe('redundant')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Load it now' })).toHaveCount(0)
  await page.close()
})

const DEVICES = '/enclave-devices.wasm'
/** The caches that have the engine for several devices. */
const withDevices = (page: Page) =>
  page.evaluate(async (path) => {
    const names = (await caches.keys()).filter((name) => name.startsWith('keyhole-client-'))
    const found = await Promise.all(names.map(async (name) => await (await caches.open(name)).match(path)))
    return names.filter((_, at) => found[at] !== undefined)
  }, DEVICES)

test('a vault on several devices unlocks offline; with one device its engine is never fetched', async ({
  page,
  context,
  guard,
}) => {
  guard.allow(/net::ERR_INTERNET_DISCONNECTED/)
  // It asks first whether the relay keeps records, without saying who asks.
  guard.allow(/^Failed to load resource: the server responded with a status of 401 \(Unauthorized\)$/)
  await page.goto('/')
  await controlled(page)
  await makeVault(page)
  expect(await withDevices(page)).toEqual([])
  await visit(page, 'Settings', 'Devices')
  await page.getByRole('button', { name: 'Use on several devices' }).click()
  await prove(page, 'Start')
  await expect(page.getByText('Your devices are in sync.')).toBeVisible()
  expect(await withDevices(page)).toEqual(await cachesOf(page))
  await context.setOffline(true)
  await page.goto('/identity?tab=devices')
  await expectLocked(page)
  await unlock(page)
  await expect(page.getByText('The relay can’t be reached.')).toBeVisible()
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Made offline' })
  await context.setOffline(false)
  await visit(page, 'Settings', 'Devices')
  await expect(page.getByText('Your devices are in sync.')).toBeVisible()
  await expect(page.getByText('Everything has been sent.')).toBeVisible()
})

test('a new version has the engine for several devices too, if it was used', async ({ browser, copy }) => {
  const page = await browser.newPage()
  await page.goto(copy.url)
  await controlled(page)
  expect(await page.evaluate(async (path) => (await fetch(path)).ok, DEVICES)).toBe(true)
  const before = await cachesOf(page)
  await expect.poll(() => withDevices(page)).toEqual(before)
  copy.change('sw.js', asNextBuild)
  copy.deploy()
  await lookForUpdate(page)
  await expect(page.getByRole('button', { name: 'Load it now' })).toBeVisible()
  expect(await withDevices(page)).toEqual([...before, `keyhole-client-${NEXT}`])
  await page.close()
})

test('it checks for a new version every hour', async ({ page }) => {
  await page.clock.install()
  await page.addInitScript(() => {
    const { update } = ServiceWorkerRegistration.prototype
    ServiceWorkerRegistration.prototype.update = function () {
      const { dataset } = document.documentElement
      dataset.updates = String(Number(dataset.updates ?? 0) + 1)
      return update.call(this)
    }
  })
  await page.goto('/')
  await controlled(page)
  const html = page.locator('html')
  await page.clock.fastForward(3_500_000)
  await expect(html).not.toHaveAttribute('data-updates', /.*/)
  await page.clock.fastForward(100_000)
  await expect(html).toHaveAttribute('data-updates', '1')
  await page.clock.fastForward(3_600_000)
  await expect(html).toHaveAttribute('data-updates', '2')
})

test('a failed registration is logged, and the page still works', async ({ browser, copy }) => {
  copy.remove('sw.js')
  copy.deploy()
  const page = await browser.newPage()
  const logged = page.waitForEvent('console', (message) =>
    /^Keyhole: the service worker could not be registered\./.test(message.text()),
  )
  await page.goto(copy.url)
  expect((await logged).type()).toBe('error')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.close()
})
