import type { BrowserContext, Page, Worker } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { grant, makeVault, STRANGER } from '../tasks/support/person.ts'

test.use({ serviceWorkers: 'allow' })

const DAY = 86_400_000
const TAG = 'grants-expire'

/** In the worker: the numbers that it put on the app's icon, 0 where it took the number away. */
interface Badges {
  badges: number[]
}

/** The service worker, once it is in charge; what it puts on the icon is recorded, and still done. */
async function workerOf(page: Page, context: BrowserContext): Promise<Worker> {
  await page.goto('/')
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('There is no service worker.')
  await worker.evaluate(() => {
    const badges: number[] = []
    Object.assign(self, { badges })
    const { setAppBadge, clearAppBadge } = navigator
    Object.assign(navigator, {
      setAppBadge: async (count: number) => {
        badges.push(count)
        await setAppBadge?.call(navigator, count)
      },
      clearAppBadge: async () => {
        badges.push(0)
        await clearAppBadge?.call(navigator)
      },
    })
  })
  return worker
}

const badge = (worker: Worker) => worker.evaluate(() => (self as unknown as Badges).badges.at(-1))

const notices = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }))
  })

async function give(page: Page, expires: string): Promise<void> {
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails', expires })
}

/** Wakes the worker as the browser does while no page is open. */
async function wake(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const origin = new URL(page.url()).origin
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations.filter(({ scopeURL }) => scopeURL.startsWith(origin))
      if (registration) resolve(registration.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await found
  await session.send('ServiceWorker.dispatchPeriodicSyncEvent', { origin, registrationId, tag: TAG })
  await session.detach()
}

const SAID = { title: 'Grants expire soon', body: 'Open Keyhole to renew what you still need.', tag: TAG }

test('a grant that expires within two days is told of at once, without its name, and counted on the icon', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['notifications'])
  const worker = await workerOf(page, context)
  await makeVault(page)
  await expect.poll(() => badge(worker)).toBe(0)
  await give(page, 'In 24 hours')
  await expect.poll(() => notices(page)).toEqual([SAID])
  await expect.poll(() => badge(worker)).toBe(1)
})

test('a grant that has time is told of once, when the worker is woken two days before its end', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['notifications'])
  const worker = await workerOf(page, context)
  await makeVault(page)
  await give(page, 'In 30 days')
  const kept = () =>
    worker.evaluate(async () => {
      const cache = await caches.open('keyhole-reminders')
      const [vault] = await cache.keys()
      const note = vault && (await cache.match(vault))
      const { ends = [] } = (await note?.json()) ?? {}
      return ends.length
    })
  await expect.poll(kept).toBe(1)
  await wake(page)
  expect(await notices(page)).toEqual([])

  await worker.evaluate((later) => {
    const now = Date.now.bind(Date)
    Date.now = () => now() + later
  }, 29 * DAY)
  await wake(page)
  await expect.poll(() => notices(page)).toEqual([SAID])
  await expect.poll(() => badge(worker)).toBe(1)

  // The person has read it: it does not come again for the same grant.
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    for (const notice of await registration.getNotifications()) notice.close()
  })
  await expect.poll(() => notices(page)).toEqual([])
  const before = await worker.evaluate(() => (self as unknown as Badges).badges.length)
  await wake(page)
  await expect
    .poll(() => worker.evaluate(() => (self as unknown as Badges).badges.length))
    .toBeGreaterThan(before)
  expect(await notices(page)).toEqual([])
})

test('without permission the icon alone has the number', async ({ page, context }) => {
  const worker = await workerOf(page, context)
  await makeVault(page)
  await give(page, 'In 24 hours')
  await expect.poll(() => badge(worker)).toBe(1)
  expect(await notices(page)).toEqual([])
})
