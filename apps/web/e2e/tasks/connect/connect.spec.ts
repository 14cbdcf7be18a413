import type { Locator, Page } from '@playwright/test'
import { type App, startApp } from '../../counterparts/app.js'
import { test as base, expect } from '../../fixtures.ts'
import { approve, clickInRhythm, pressAway, putInFront, takesPresses } from '../../presses.js'
import {
  card,
  makeVault,
  OTHER_PASSPHRASE,
  PASSPHRASE,
  removeAccount,
  tokenText,
  unlock,
  visit,
} from '../support/person.ts'

const test = base.extend<{ app: App }>({
  app: async ({ baseURL, guard }, use) => {
    const app = await startApp(new URL(baseURL ?? '').origin)
    guard.counterpart(app.origin)
    await use(app)
    await app.close()
  },
})

/** The app's address with other wishes than its defaults. */
function wishing(app: App, wishes: object = {}): string {
  return `${app.origin}/#${encodeURIComponent(JSON.stringify(wishes))}`
}

/** Opens the app next to the vault and makes it ask. @returns its page, and the vault's window */
async function asks(vault: Page, app: App, wishes: object = {}): Promise<{ site: Page; window: Page }> {
  const site = await vault.context().newPage()
  await site.goto(wishing(app, wishes))
  return { site, window: await opened(site) }
}

/** Presses the app's button. @returns the window that opens */
async function opened(site: Page): Promise<Page> {
  const opening = site.waitForEvent('popup')
  await site.getByRole('button', { name: 'Connect' }).click()
  return await opening
}

/** Scrolls to the answers and waits until the Grant button accepts a press. @returns that button */
async function grantable(window: Page): Promise<Locator> {
  const grant = window.getByRole('button', { name: 'Grant it' })
  await takesPresses(grant)
  return grant
}

async function decline(window: Page): Promise<void> {
  await pressAway(window.getByRole('button', { name: 'Decline' }))
}

async function grantIt(window: Page): Promise<void> {
  await approve(window.getByRole('button', { name: 'Grant it' }))
}

async function countersign(window: Page): Promise<void> {
  await approve(window.getByRole('button', { name: /^Countersign/ }))
}

/** Waits for two frames, so that the effect of an action is visible. */
const drawn = (window: Page) =>
  window.evaluate(() => new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end))))

/** Scrolls the sentence into view. */
async function readSentence(window: Page): Promise<void> {
  await window.locator('[data-slot="sentence"]').scrollIntoViewIfNeeded()
  await drawn(window)
}

const answerOf = (site: Page) => site.locator('#answer')
const TOKEN = /^[CP][\w-]{100,}$/

test('an app asks, the person grants, the app uses it; ending the session revokes it', async ({
  page,
  app,
}) => {
  const { did } = await makeVault(page)
  await app.guard(did)
  const { site, window } = await asks(page, app)
  await expect(window.getByTestId('origin')).toHaveText(app.origin)
  await expect(window.getByText('“To show your recipes”')).toBeVisible()
  await expect(window.getByText('/notes/read').first()).toBeVisible()
  // Only this document keeps its opener.
  expect(await window.evaluate(() => [crossOriginIsolated, window.opener !== null])).toEqual([false, true])
  const closing = window.waitForEvent('close')
  await grantIt(window)
  await closing
  await expect(answerOf(site)).toHaveText(TOKEN)
  const token = (await answerOf(site).textContent()) ?? ''

  const call = { command: '/notes/read', args: { folder: 'recipes' } }
  expect(await app.use(token, call)).toEqual({ status: 200 })
  expect(await app.use(token, { ...call, args: { folder: 'letters' } })).toMatchObject({ status: 0 })

  await visit(page, 'Settings', 'Apps and tabs')
  const apps = card(page, 'Connected apps')
  const sessions = apps.getByRole('list', { name: 'Connected apps' })
  await expect(sessions.getByText(app.origin)).toBeVisible()
  await sessions.getByRole('button', { name: /^End session/ }).click()
  const dialog = page.getByRole('alertdialog')
  const affected = dialog.getByRole('list', { name: 'Who is affected' })
  await expect(affected).toContainText(app.origin)
  await expect(affected).toContainText('You let')
  // The button that keeps it has the focus, and one press confirms.
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await dialog.getByRole('button', { name: 'End it' }).click()
  await expect(apps.getByText('Ended and revoked')).toBeVisible()
  await expect(sessions.getByRole('listitem')).toHaveCount(0)
  const revocation = (await apps.getByRole('region', { name: 'revocation' }).textContent())?.trim() ?? ''
  expect(await app.use(token, call)).toEqual({ status: 200 })
  expect(await app.deliver(revocation)).toBe(202)
  expect(await app.use(token, call)).toMatchObject({ status: 403, name: 'Revoked' })
})

test('a locked vault is unlocked in the window, the person grants less than was asked, and a second request gets its own window', async ({
  page,
  app,
}) => {
  await makeVault(page)
  await page.getByRole('banner').getByRole('button', { name: 'Lock', exact: true }).click()
  const { site, window } = await asks(page, app, { expiresIn: 30 * 86_400 })
  const grant = window.getByRole('button', { name: 'Grant it' })
  await expect(window.getByRole('heading', { name: 'The vault is locked' })).toBeVisible()
  await expect(grant).toBeDisabled()
  await expect(answerOf(site)).toHaveText('asking')
  await window.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await window.locator('section').getByRole('button', { name: 'Unlock' }).click()
  await grantable(window)

  await window.getByText('Change what you grant').click()
  await window.getByLabel('Expires').click()
  await window.getByRole('option', { name: 'In one hour' }).click()
  await window.getByRole('button', { name: 'Add a limit' }).click()
  await window.getByLabel('Limit 2: field').fill('page')
  await window.getByLabel('Limit 2: comparison').click()
  await window.getByRole('option', { name: 'is at most', exact: true }).click()
  await window.getByLabel('Limit 2: value').fill('3')
  const more = window.getByText('This may allow more than was requested.')
  await expect(more).toHaveCount(0)
  await window.getByLabel('Limit 1: value').fill('letters')
  await expect(more).toBeVisible()
  await window.getByLabel('Limit 1: value').fill('recipes')
  await expect(more).toHaveCount(0)
  await readSentence(window)
  await grantIt(window)
  await expect(answerOf(site)).toHaveText(TOKEN)
  const given = await app.read((await answerOf(site).textContent()) ?? '')
  expect(given).toMatchObject({
    command: '/notes/read',
    policy: [
      ['==', '.folder', 'recipes'],
      ['<=', '.page', 3],
    ],
  })
  expect(given.expiresIn).toBeGreaterThan(3000)
  expect(given.expiresIn).toBeLessThanOrEqual(3600)

  const again = await opened(site)
  await grantable(again)
  await decline(again)
  await expect(answerOf(site)).toHaveText('DECLINED')
})

test('an app can’t tell whether there is a vault: declining, closing and refusing look alike', async ({
  page,
  app,
}) => {
  await page.goto('/')
  const { site, window } = await asks(page, app)
  await expect(window.getByText('There is no vault in this browser yet')).toBeVisible()
  await expect(window.getByRole('button', { name: 'Grant it' })).toBeDisabled()
  await expect(answerOf(site)).toHaveText('asking')
  await decline(window)
  await expect(answerOf(site)).toHaveText('DECLINED')

  const closed = await opened(site)
  await expect(closed.getByTestId('origin')).toHaveText(app.origin)
  await closed.close()
  await expect(answerOf(site)).toHaveText('CLOSED')

  for (const [wishes, code] of [
    [{ command: '/' }, 'TOO_BROAD'],
    [{ policy: [['=', '.a', 1]] }, 'INVALID_REQUEST'],
    [{ command: '/payment/request' }, 'UNSUPPORTED'],
  ] as const) {
    await site.goto(wishing(app, wishes))
    await site.reload()
    await site.getByRole('button', { name: 'Connect' }).click()
    await expect(answerOf(site)).toHaveText(code)
  }
})

test('if the open vault is removed in the meantime, another one is chosen', async ({ page, app }) => {
  await makeVault(page, { name: 'Home' })
  await makeVault(page, { name: 'Work', passphrase: OTHER_PASSPHRASE })
  const { site, window } = await asks(page, app)
  await expect(window.getByRole('button', { name: 'Vaults: Work' })).toBeVisible()
  await page.bringToFront()
  await removeAccount(page, 'Work')
  await window.bringToFront()
  await expect(window.getByRole('heading', { name: 'Choose a vault' })).toBeVisible()
  await window.getByRole('button', { name: /^Open kh1/ }).click()
  await unlock(window)
  await grantIt(window)
  await expect(answerOf(site)).toHaveText(TOKEN)
})

/** Makes a page keep a reference to the window it opens. */
const holdOpened = (site: Page) =>
  site.evaluate(() => {
    const own = open.bind(globalThis)
    const hold = (...how: Parameters<typeof open>) => {
      const held = own(...how)
      Object.assign(globalThis, { open: own, held })
      return held
    }
    Object.assign(globalThis, { open: hold })
  })

/** An app asks and keeps a reference to the window, and the person could answer. */
async function askAndHold(vault: Page, app: App) {
  const site = await vault.context().newPage()
  await site.goto(wishing(app))
  await holdOpened(site)
  const window = await opened(site)
  const grant = await grantable(window)
  return { site, window, grant }
}

/** A request as the library would send it. */
const requestOf = (app: { did: string }, command: string) => ({
  protocol: 'keyhole-connect-1',
  type: 'request',
  request: {
    ...{ kind: 'capability', command, audience: app.did, policy: [], expiresIn: 3600, reason: '' },
  },
})

test('only the opener is heard, once: no other window, frame, worker or second request', async ({
  page,
  app,
}) => {
  await makeVault(page)
  // A hostile app keeps a reference to the vault's window and lets its frame and other windows reach it too.
  const { site, window } = await askAndHold(page, app)
  // What loads later is there too.
  await expect(window.getByLabel('Limit 1: value')).toBeAttached()
  // Except for the minute in the expiry time, which may have changed.
  const said = async () => (await window.locator('main').textContent())?.replace(/ until .*?\d\d:\d\d/g, '')
  const before = await said()
  const forged = requestOf(app, '/msg')
  const helper = site.waitForEvent('popup')
  await site.evaluate(() => {
    document.body.append(document.createElement('iframe'))
    open('/', 'helper')
  })
  await (await helper).evaluate((data) => {
    Reflect.get(opener, 'held')?.postMessage(data, '*', [new MessageChannel().port2])
  }, forged)
  await site.evaluate((data) => {
    const script = `parent.held.postMessage(${JSON.stringify(data)}, '*', [new MessageChannel().port2])`
    const { contentWindow } = document.querySelector('iframe') ?? {}
    Reflect.get(Object(contentWindow), 'eval')(script)
    const held: Window = Reflect.get(globalThis, 'held')
    // The library has already sent this document's first request. These are a second one, and messages that aren't requests.
    for (const each of [data, { ...data, type: 'granted', token: 'C' }, data.request, 'request', null])
      held.postMessage(each, '*', [new MessageChannel().port2])
  }, forged)
  await window.evaluate((data) => {
    postMessage(data, '*', [new MessageChannel().port2])
    new BroadcastChannel('keyhole').postMessage(data)
  }, forged)
  // Wait for two frames, so that any effect is visible.
  await drawn(window)
  expect(await said()).toBe(before)

  // Forge the vault's messages to the app: it sends its request only to the window it opened, and accepts answers only by port.
  await site.evaluate(() => {
    for (const said of [
      { type: 'ready' },
      { type: 'granted', token: 'Cforged' },
      { type: 'refused', code: 'DECLINED', message: '' },
    ])
      postMessage({ protocol: 'keyhole-connect-1', ...said }, '*')
  })
  await drawn(site)
  await expect(answerOf(site)).toHaveText('asking')

  // After a reload the window asks its opener again, and must be visible for a moment before it can grant.
  await window.reload()
  await expect(window.getByRole('button', { name: 'Grant it' })).toBeVisible()
  await decline(window)
  await expect(answerOf(site)).toHaveText('DECLINED')
  await visit(page, 'Settings', 'Apps and tabs')
  await expect(card(page, 'Connected apps').getByText('No app is connected')).toBeVisible()
})

/** Puts another request after the window's # and presses the button as soon as it is drawn. */
const swapAndPress = (window: Page, link: string) =>
  window.evaluate(
    (hash) =>
      new Promise<void>((done) => {
        const press = () => {
          for (const button of document.querySelectorAll('button'))
            if (button.textContent === 'Grant it') button.click()
          done()
        }
        addEventListener('hashchange', () => requestAnimationFrame(() => requestAnimationFrame(press)), {
          once: true,
        })
        location.hash = hash
      }),
    new URL(link).hash,
  )

test('a request that is swapped in an open window is decided again, and each gets its own answer', async ({
  page,
  app,
}) => {
  await makeVault(page)
  const [first, second, third] = await Promise.all(
    ['/notes/read', '/msg/send', '/files/list'].map((command) =>
      app.link({ command, expiresIn: 30 * 86_400, reason: `For ${command}` }),
    ),
  )
  const window = await page.context().newPage()
  await window.goto(first ?? '')
  await grantable(window)
  await window.getByText('Change what you grant').click()
  await window.getByLabel('Expires').click()
  await window.getByRole('option', { name: 'In one hour' }).click()
  await readSentence(window)
  await grantable(window)

  // A press meant for the first request doesn't count for the second, and neither do the choices made for it.
  await swapAndPress(window, second ?? '')
  await expect(window.getByText('“For /msg/send”')).toBeVisible()
  await readSentence(window)
  await grantIt(window)
  await expect(window.getByText('Now give the text below to the person who asked.')).toBeVisible()
  const token = (await window.getByRole('region', { name: 'token' }).textContent())?.trim() ?? ''
  const given = await app.read(token)
  expect(given).toMatchObject({ command: '/msg/send' })
  expect(given.expiresIn).toBeGreaterThan(29 * 86_400)

  // An answered request is finished. The next one is shown, and so is the first if it comes again.
  await swapAndPress(window, third ?? '')
  await expect(window.getByText('“For /files/list”')).toBeVisible()
  await decline(window)
  await expect(window.getByText('Declined', { exact: true })).toBeVisible()
  await swapAndPress(window, first ?? '')
  await expect(window.getByText('“For /notes/read”')).toBeVisible()
  await expect(window.getByText('Declined', { exact: true })).toHaveCount(0)
  await visit(page, 'Settings', 'Apps and tabs')
  const sessions = card(page, 'Connected apps').getByRole('list', { name: 'Connected apps' })
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
})

test('an app that asks late is still heard, and one that sends a text first is not', async ({
  page,
  app,
}) => {
  await makeVault(page)
  const site = await page.context().newPage()
  await site.goto(`${app.origin}/`)
  const openedAt = async (hash: string) => {
    const opening = site.waitForEvent('popup')
    await site.evaluate(
      (to) => Object.assign(globalThis, { held: open(to) }),
      `${new URL(page.url()).origin}/connect${hash}`,
    )
    return await opening
  }
  const ask = (command: string) =>
    site.evaluate(
      (data) => {
        Reflect.get(globalThis, 'held').postMessage(data, '*', [new MessageChannel().port2])
      },
      requestOf(app, command),
    )

  const late = await openedAt('')
  await expect(late.getByText('Waiting for the app’s request…')).toBeVisible()
  await ask('/late/request')
  await expect(late.getByText('/late/request').first()).toBeVisible()
  await grantable(late)
  await late.close()

  const text = await openedAt(new URL(await app.link({ command: '/text/first' })).hash)
  await expect(text.getByText('/text/first').first()).toBeVisible()
  await ask('/late/request')
  await grantable(text)
  await expect(text.getByText('/late/request')).toHaveCount(0)
  await expect(text.getByText('We can’t tell who sent this.')).toBeVisible()
})

test('a request can’t be swapped, neither by another from the app nor through the #', async ({
  page,
  app,
}) => {
  await makeVault(page)
  const { site, window } = await askAndHold(page, app)
  const link = await app.link({ command: '/msg/send', reason: 'Something else' })
  await site.evaluate((to) => {
    Reflect.get(globalThis, 'held').location = to
  }, link)
  await expect.poll(() => window.url()).toBe(link)
  await expect(window.getByText('“To show your recipes”')).toBeVisible()
  await expect(window.getByText('Something else')).toHaveCount(0)
  await grantIt(window)
  await expect(answerOf(site)).toHaveText(TOKEN)
  const token = (await answerOf(site).textContent()) ?? ''
  expect(await app.read(token)).toMatchObject({ command: '/notes/read' })
})

test('an app that is isolated from its windows is told so and doesn’t wait forever', async ({
  page,
  guard,
  baseURL,
}) => {
  const app = await startApp(new URL(baseURL ?? '').origin, { openerPolicy: 'same-origin' })
  guard.counterpart(app.origin)
  await page.goto(`${app.origin}/`)
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(answerOf(page)).toHaveText('CLOSED')
  await app.close()
})

test('a request as a link or text is answered as text, and a session is saved', async ({ page, app }) => {
  await makeVault(page)
  const link = await app.link({ command: '/notes/read', expiresIn: 3600, reason: 'For the shell' })
  await page.goto(link)
  await expect(page.getByText('We can’t tell who sent this.')).toBeVisible()
  // The vault closed with the tab's last document. It comes back locked or open, depending on the other tabs.
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await page.locator('section').getByRole('button', { name: 'Unlock' }).click()
  await grantIt(page)
  await expect(page.getByText('Now give the text below to the person who asked.')).toBeVisible()
  const token = (await page.getByRole('region', { name: 'token' }).textContent())?.trim() ?? ''
  expect(await app.read(token)).toMatchObject({ command: '/notes/read' })

  const second = await page.context().newPage()
  await second.goto('/connect')
  await second.getByLabel('The request').fill('keyhole-request-1.nonsense')
  await second.getByRole('button', { name: 'Read request' }).click()
  await expect(second.getByText('This isn’t a request, or part of it is missing')).toBeVisible()
  await second.getByLabel('The request').fill(link)
  await second.getByRole('button', { name: 'Read request' }).click()
  await expect(second.getByText('“For the shell”')).toBeVisible()
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the window keeps its opener when it comes from the service worker’s cache', async ({ page, app }) => {
    await makeVault(page)
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    const { site, window } = await asks(page, app)
    await expect(window.getByTestId('origin')).toHaveText(app.origin)
    expect(await window.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    const header = await window.evaluate(async () =>
      (await fetch('/connect.html')).headers.get('cross-origin-opener-policy'),
    )
    expect(header).toBe('unsafe-none')
    await decline(window)
    await expect(answerOf(site)).toHaveText('DECLINED')
  })
})

test('a window opened by an app leads nowhere else in the client, and the client’s pages don’t lead to it', async ({
  page,
}) => {
  await page.goto('/connect')
  await expect(page.getByRole('heading', { name: 'Answer a request' })).toBeVisible()
  await expect(page.getByRole('link')).toHaveCount(0)
  const response = await page.goto('/connect')
  expect(response?.headers()['cross-origin-opener-policy']).toBe('unsafe-none')
})

test('an agent asks in a window for a payment under its mandate: countersigned once, and counted', async ({
  page,
  app,
}) => {
  const { did } = await makeVault(page)
  await visit(page, 'Payments', 'New mandate')
  const form = card(page, 'New mandate')
  await form.getByRole('button', { name: 'An agent for a day' }).click()
  for (const [label, value] of [
    ['Who', app.did],
    ['Paid to', 'https://shop.example'],
    ['Maximum per payment', '20'],
    ['Total', '30'],
  ] as const)
    await form.getByLabel(label, { exact: true }).fill(value)
  await form.getByRole('button', { name: 'Sign the mandate' }).click()
  const mandate = await tokenText(card(page, 'Signed and stored'))
  const payment = { payee: 'did:web:shop.example', amount: 1999, currency: 'GBP', order: 'A-17' }
  const invocation = await app.pay(mandate, did, payment)

  const { site, window } = await asks(page, app, { invocation })
  await expect(window.getByTestId('origin')).toHaveText(app.origin)
  await expect(window.getByText('£19.99', { exact: true }).first()).toBeVisible()
  await countersign(window)
  await expect(answerOf(site)).toHaveText(TOKEN)
  const authorisation = (await answerOf(site).textContent()) ?? ''
  expect(await app.read(authorisation)).toMatchObject({ command: '/payment/authorize' })

  // Asked again, the app gets the same authorisation, and a payment above the budget can't be pressed. Neither is signed.
  const again = await asks(page, app, { invocation })
  await expect(again.window.getByText('You’ve already countersigned this.')).toBeVisible()
  await expect(again.window.getByRole('button', { name: 'Countersign' })).toHaveCount(0)
  await expect(answerOf(again.site)).not.toHaveText(TOKEN)
  await approve(again.window.getByRole('button', { name: 'Send the authorisation again' }))
  await expect(answerOf(again.site)).toHaveText(authorisation)
  const over = await asks(page, app, {
    invocation: await app.pay(mandate, did, { ...payment, amount: 1500, order: 'A-18' }),
  })
  const tooMuch = over.window.getByRole('button', { name: /^Countersign/ })
  await expect(tooMuch).toHaveAccessibleDescription(/^This is more than what is left/)
  await expect(tooMuch).toBeDisabled()
  await decline(over.window)
  await expect(answerOf(over.site)).toHaveText('DECLINED')
  await visit(page, 'Payments', 'History')
  await expect(page.getByRole('list', { name: 'Payments' }).getByRole('listitem')).toHaveCount(1)
})

test.describe('the request', () => {
  const LATER = /\/assets\/connect-[^/]*\.js$/

  const wishes = [
    { name: 'with limits and a reason', wish: {} },
    { name: 'without any', wish: { policy: [], reason: '' } },
    { name: 'to spend', wish: { command: '/payment/authorize', policy: [], reason: 'A\u202e<b>b' } },
    { name: 'of a name', wish: { audience: 'did:web:agent.example' } },
    { name: 'while the vault is locked', wish: {}, isLocked: true },
  ]
  test('is shown before the vault is ready, and stays unchanged', async ({ page, app }) => {
    await makeVault(page)
    for (const { name, wish, isLocked = false } of wishes)
      await test.step(name, async () => {
        if (isLocked) await page.getByRole('button', { name: 'Lock', exact: true }).click()
        let goOn = () => {}
        const held = new Promise<void>((resolve) => {
          goOn = resolve
        })
        await page.context().route(LATER, async (route) => {
          await held
          await route.continue()
        })
        let window = page
        // Retry if the opener was heard too late: nothing is then shown before React, which is held back here.
        await expect(async () => {
          ;({ window } = await asks(page, app, wish))
          await expect(window.getByTestId('origin')).toHaveText(app.origin, { timeout: 5_000 })
        }).toPass()
        const grant = window.getByRole('button', { name: 'Grant it' })
        await expect(grant).toBeDisabled()
        // Except for the minute in the expiry time, which may have changed.
        const places = () =>
          window
            .locator('[data-slot]')
            .evaluateAll((all) =>
              all.map((each) => [
                each.getAttribute('data-slot'),
                each.textContent?.replace(/ until .*?\d\d:\d\d/, ''),
                each.querySelector('path')?.outerHTML,
              ]),
            )
        const before = await places()
        const told = await window.locator('[data-slot="sentence"]').textContent()
        // A locked vault may know whose key it is.
        expect(told?.includes('Unknown')).toBe(!isLocked && wish.audience === undefined)
        goOn()
        if (isLocked) await expect(window.getByRole('heading', { name: 'The vault is locked' })).toBeVisible()
        else await grantable(window)
        expect(await places()).toEqual(before)
        await expect(window.getByRole('heading', { level: 1 })).toHaveCount(1)
        await window.close()
        await page.context().unroute(LATER)
      })
  })

  test('gives way to a message if the rest of the page can’t be loaded, and comes back on a retry', async ({
    page,
    app,
  }) => {
    await makeVault(page)
    await page.context().route(LATER, (route) => route.abort())
    const { window } = await asks(page, app)
    await expect(window.getByRole('alert')).toContainText('This page could not be shown.')
    await expect(window.getByRole('button', { name: 'Grant it' })).toHaveCount(0)
    await page.context().unroute(LATER)
    await window.getByRole('button', { name: 'Load it again' }).click()
    await grantable(window)
    await expect(window.getByTestId('origin')).toHaveText(app.origin)
  })
})

test.describe('a press that was not meant to grant', () => {
  /** A small vault window, held by its opener, which knows the id of a field in it that it shouldn't know. */
  async function smallWindow(vault: Page, app: App) {
    const site = await vault.context().newPage()
    await site.goto(wishing(app))
    await holdOpened(site)
    const window = await opened(site)
    await window.setViewportSize({ width: 300, height: 200 })
    const field = window.getByLabel('Limit 1: value')
    await expect(field).toBeAttached()
    return { site, window, field, id: (await field.getAttribute('id')) ?? '' }
  }

  test('Enter grants nothing in a field that the opener has scrolled to, away from the request', async ({
    page,
    app,
  }) => {
    await makeVault(page)
    const idsIn = (window: Page) =>
      window
        .locator('main [id]')
        .evaluateAll((all) => all.map(({ id }) => id).filter((id) => document.getElementById(id)))
    const { site, window, field, id } = await smallWindow(page, app)
    // The ids of one window are useless in the next.
    const ids = await idsIn(window)
    expect(ids.length).toBeGreaterThan(0)
    const other = await smallWindow(page, app)
    expect((await idsIn(other.window)).filter((each) => ids.includes(each))).toEqual([])
    await other.site.close()
    await site.evaluate(
      (to) => {
        Reflect.get(globalThis, 'held').location = to
      },
      `${new URL(page.url()).origin}/connect#${id}`,
    )
    await expect(field).toBeFocused()
    await window.keyboard.press('Enter')
    await window.keyboard.type('x')
    await window.keyboard.press('Enter')
    await drawn(window)
    const grant = window.getByRole('button', { name: 'Grant it' })
    await expect(grant).toBeDisabled()

    // When the opener scrolls to the button itself, with the request out of view, a press scrolls back to the request.
    await window.getByLabel('Limit 1: value').fill('recipes')
    await grant.scrollIntoViewIfNeeded()
    const sentence = window.locator('[data-slot="sentence"]')
    await expect(sentence).not.toBeInViewport()
    await grant.click({ force: true })
    await expect(sentence).toBeInViewport()
    await drawn(window)
    await expect(answerOf(site)).toHaveText('asking')
    await drawn(window)
    // A person can still grant in a window this small.
    await grantIt(window)
    await expect(answerOf(site)).toHaveText(TOKEN)
  })

  test('presses that start before the button works don’t count: held down or at a rhythm', async ({
    page,
    app,
  }) => {
    await makeVault(page)
    const { site, window, grant } = await askAndHold(page, app)
    const stillAsked = async () => {
      await drawn(window)
      await expect(answerOf(site)).toHaveText('asking')
    }
    await test.step('a pointer held down', async () => {
      await grant.hover()
      await window.evaluate(putInFront, false)
      await expect(grant).toBeDisabled()
      await window.mouse.down()
      await window.evaluate(putInFront, true)
      await expect(grant).toBeEnabled()
      await window.mouse.up()
      await stillAsked()
    })
    for (const key of ['Enter', 'Space'])
      await test.step(`${key} held down`, async () => {
        await grant.focus()
        await window.evaluate(putInFront, false)
        await expect(grant).toBeDisabled()
        await window.keyboard.down(key)
        await window.evaluate(putInFront, true)
        await expect(grant).toBeEnabled()
        await window.keyboard.down(key)
        await window.keyboard.down(key)
        await window.keyboard.up(key)
        await stillAsked()
      })
    await test.step('clicks at a rhythm', async () => {
      await window.evaluate(putInFront, false)
      await expect(grant).toBeDisabled()
      await window.evaluate(clickInRhythm, 'Grant it')
      await stillAsked()
    })
    await test.step('Enter in a limit, where everything is visible', async () => {
      await window.setViewportSize({ width: 1280, height: 1600 })
      await window.getByText('Change what you grant').click()
      const field = window.getByLabel('Limit 1: value')
      await field.fill('letters')
      await field.press('Enter')
      await expect(grant).toBeEnabled()
      await field.press('Enter')
      await stillAsked()
    })
    await decline(window)
    await expect(answerOf(site)).toHaveText('DECLINED')
  })

  test('nothing is granted while it isn’t visible who asks', async ({ page, app }) => {
    await makeVault(page)
    const { site, window, grant } = await askAndHold(page, app)
    // So small that at its end only the button is visible.
    await window.setViewportSize({ width: 480, height: 120 })
    const height = await grant.evaluate((button) =>
      Math.ceil(document.documentElement.scrollHeight - scrollY - button.getBoundingClientRect().top),
    )
    expect(height).toBeLessThan(120)
    await window.setViewportSize({ width: 480, height })
    await window.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect(grant).toBeInViewport({ ratio: 1 })
    await expect(window.locator('[data-slot="host"]').last()).not.toBeInViewport()
    await expect(grant).toBeDisabled()
    await grant.evaluate((button: HTMLElement) => button.click())
    await drawn(window)
    await expect(answerOf(site)).toHaveText('asking')
    // In a window with room for both, the same press grants.
    await window.setViewportSize({ width: 480, height: 600 })
    await grantIt(window)
    await expect(answerOf(site)).toHaveText(TOKEN)
  })
})

test.describe('a person grants', () => {
  test.use({ hasTouch: true })

  /** Presses a key on it, after going there with Tab. */
  const byKey = async (window: Page, target: Locator, key: string) => {
    const isThere = () => target.evaluate((button) => button === document.activeElement)
    for (let stop = 0; stop < 30 && !(await isThere()); stop += 1) await window.keyboard.press('Tab')
    await expect(target).toBeFocused()
    await window.keyboard.press(key)
  }
  const ways: Record<string, (window: Page, grant: Locator) => Promise<number>> = {
    'by a mouse': (_window, grant) => approve(grant),
    'by a finger': (_window, grant) => approve(grant, () => grant.tap({ timeout: 10_000 })),
    'by Tab and Enter': (window, grant) => approve(grant, () => byKey(window, grant, 'Enter')),
    'by Tab and Space': (window, grant) => approve(grant, () => byKey(window, grant, 'Space')),
    'by a click without a press': (_window, grant) =>
      approve(grant, () => grant.evaluate((button: HTMLElement) => button.click())),
  }
  test('in every way a person can press', async ({ page, app }) => {
    await makeVault(page)
    for (const [way, press] of Object.entries(ways))
      await test.step(way, async () => {
        const { site, window } = await asks(page, app)
        // The answer closes the window.
        await press(window, window.getByRole('button', { name: 'Grant it' }))
        await expect(answerOf(site)).toHaveText(TOKEN)
        await site.close()
      })
  })
})
