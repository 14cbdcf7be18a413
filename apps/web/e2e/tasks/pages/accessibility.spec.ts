import type { Locator, Page } from '@playwright/test'
import { COLOUR_RULES, expectAccessible } from '../../axe-rules.ts'
import { expect, test } from '../../fixtures.ts'
import { approve, pressCounted } from '../../presses.js'
import { unreadableTexts } from '../support/forced-colours.ts'
import {
  addContact,
  another,
  card,
  expectLocked,
  expectUnlocked,
  grant,
  loseDatabase,
  makeVault,
  openTab,
  PASSPHRASE,
  STRANGER,
  tokenText,
  unlockDialog,
  visit,
} from '../support/person.ts'
import { askFor, giveMandate, takeMandate } from '../support/spending.ts'
import {
  DIALOGS,
  LABEL,
  lookAtConnect,
  lookAtDialogs,
  lookAtMaking,
  PLACES,
  REQUEST,
  requestOf,
  WITHOUT_VAULT,
} from '../support/states.ts'

/** Checks everything in light mode, then the colours in dark mode. */
async function lookInBoth(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectAccessible(page, `${what}, light`)
  await expectNoSidewaysScroll(page, what)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, `${what}, dark`, COLOUR_RULES)
}

/** In a person's own few colours, text can still be told from what is behind it. */
async function expectForcedColours(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' })
  // Colours change over a moment.
  await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished)))
  expect(await page.evaluate(unreadableTexts), `${what}, forced colours`).toEqual([])
  await page.emulateMedia({ forcedColors: null })
}

/** A window of 1280 × 1024 at 400 %, and at 200 %. */
const ENLARGED = [
  { width: 320, height: 256 },
  { width: 640, height: 512 },
]

/** Enlarged, a page scrolls one way only, and what stays in its place leaves half of the window to the rest. */
async function expectReflow(page: Page, what: string): Promise<void> {
  const viewport = page.viewportSize()
  for (const size of ENLARGED) {
    await page.setViewportSize(size)
    const where = `${what}, ${size.width} × ${size.height}`
    await expectNoSidewaysScroll(page, where)
    expect(await page.evaluate(heldHeight), `${where}: of its height is held`).toBeLessThanOrEqual(0.5)
  }
  if (viewport) await page.setViewportSize(viewport)
}

/** Runs in the page. How much of the window's height is under parts that don't scroll with the page, or of a dialog's under its buttons. */
function heldHeight(): number {
  const dialog = document.querySelector('[role="dialog"], [role="alertdialog"]')
  if (dialog) {
    const sticky = [...dialog.querySelectorAll('*')].filter(
      (each) => getComputedStyle(each).position === 'sticky',
    )
    const heights = sticky.map((each) => each.getBoundingClientRect().height)
    return heights.reduce((sum, height) => sum + height, 0) / dialog.getBoundingClientRect().height
  }
  scrollTo(0, document.documentElement.scrollHeight / 2)
  const isHeld = (element: Element | null): boolean =>
    element !== null &&
    (['fixed', 'sticky'].includes(getComputedStyle(element).position) || isHeld(element.parentElement))
  const lines = Array.from({ length: innerHeight / 4 }, (_, at) => 4 * at + 2)
  const held = lines.filter((y) => isHeld(document.elementFromPoint(innerWidth / 2, y)))
  scrollTo(0, 0)
  return held.length / lines.length
}

async function expectNoSidewaysScroll(page: Page, what: string): Promise<void> {
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(beyond, `${what}: pixels beyond the edge`).toBeLessThanOrEqual(0)
}

for (const [colorScheme, width] of [
  ['light', 1440],
  ['dark', 360],
] as const) {
  test.describe(`${colorScheme}, ${width} pixels`, () => {
    test.use({ colorScheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' })
    // Axe checks each state in full, which takes long on a busy machine.
    test.describe.configure({ timeout: 420_000 })

    const look = async (page: Page, what: string) => {
      await expectAccessible(page, what)
      await expectNoSidewaysScroll(page, what)
      if (width > 640) await expectReflow(page, what)
      else await expectForcedColours(page, what)
    }

    test('without a vault', async ({ page, guard }) => {
      guard.allow(/^Failed to load resource: the server responded with a status of 404/)
      for (const path of [...WITHOUT_VAULT, '/connect', `/connect#${REQUEST}`, '/no/such/page']) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(page.getByText('Opening the vault…')).toHaveCount(0)
        await look(page, path)
      }
      await page.goto('/demo')
      await expect(card(page, 'Call a function')).toBeVisible()
      await look(page, '/demo')
      await openTab(page, 'Attacks')
      await page
        .getByRole('button', { name: /^Try it:/ })
        .first()
        .click()
      await expect(page.getByText(/^Refused/)).toBeVisible()
      await look(page, 'attacks')
      await openTab(page, 'App')
      await look(page, 'app')
      await page.getByRole('tab', { name: 'Shop' }).click()
      await expect(card(page, 'A shop').getByRole('button', { name: 'Pay €7.50' })).toBeVisible()
      await look(page, 'shop')
      await page.goto('/demo-app')
      await expect(page.getByRole('button', { name: 'Connect to your vault' })).toBeEnabled()
      await look(page, '/demo-app')
    })

    test('with an open vault', async ({ page }) => {
      await lookAtMaking(page, (what) => look(page, what))
      const token = await grant(page, { to: STRANGER, command: '/msg/send', label: LABEL })
      await look(page, 'signed')
      await visit(page, 'Home')
      await expect(card(page, 'Active grants').getByText(LABEL)).toBeVisible()
      for (const [place, part] of PLACES) {
        await visit(page, place, part)
        await expect(page.getByText('Opening the vault…')).toHaveCount(0)
        await look(page, [place, part].join(' '))
      }
      await visit(page, 'Grants')
      await card(page, 'New grant').getByRole('button', { name: 'Send email within your company' }).click()
      await card(page, 'New grant').getByRole('button', { name: 'Sign the grant' }).click()
      // Out from under the bar with the button, which covers what is scrolled below it.
      await card(page, 'Granted so far').scrollIntoViewIfNeeded()
      await look(page, 'a grant with errors')
      await card(page, 'Granted so far').getByRole('link', { name: 'Details' }).click()
      await expect(card(page, 'Where it came from')).toBeVisible()
      await look(page, 'the page of a grant')
      await page.getByRole('button', { name: 'Revoke…' }).click()
      await expect(page.getByRole('alertdialog').getByRole('list', { name: 'Who is affected' })).toBeVisible()
      await look(page, 'confirmation')
      await page.keyboard.press('Escape')
      await visit(page, 'Check a token')
      await page.getByLabel('Token', { exact: true }).fill(token)
      await expect(page.getByText('Valid.', { exact: true })).toBeVisible()
      await look(page, 'checked')
      await visit(page, 'Search')
      await page.getByRole('combobox', { name: 'Search the vault' }).fill('send')
      await expect(page.locator('mark').first()).toBeVisible()
      await look(page, 'search')
    })

    test('what an agent asks of an open vault', async ({ page, guard }) => {
      await makeVault(page)
      await lookAtConnect(page, look, (tab) => guard.watch(tab))
    })

    test('the dialogs of an open vault, and a locked one', async ({ page }) => {
      await makeVault(page)
      await visit(page, 'Grants', 'Contacts')
      await addContact(page, 'Anna Berger', STRANGER)
      await grant(page, { to: STRANGER, command: '/msg/send', label: LABEL })
      await lookAtDialogs(page, (what) => look(page, what))
      await page.getByRole('banner').getByRole('button', { name: 'Lock' }).click()
      await expectLocked(page)
      await visit(page, 'Home')
      await look(page, 'home, locked')
      await page.getByRole('banner').getByRole('button', { name: 'Unlock' }).click()
      await expect(unlockDialog(page)).toBeVisible()
      await look(page, 'asked for the passphrase')
    })
  })
}

test('the screens that protect a vault from loss and from others', async ({ page, context, guard }) => {
  test.setTimeout(420_000)
  await page.clock.install()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 360, height: 800 })
  const { address, recoveryCode } = await makeVault(page)
  await lookInBoth(page, 'a vault that is ready')
  await page.getByRole('button', { name: 'Show the code' }).click()
  await lookInBoth(page, 'a recovery code to save')
  await page.getByLabel('Paste it back').fill(recoveryCode)
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  await lookInBoth(page, 'a first backup to save')
  await page.getByRole('button', { name: 'Create backup file' }).click()
  await expect(page.getByText('Look for the backup file in your downloads.')).toBeVisible()
  await lookInBoth(page, 'a first backup to check')
  await visit(page, 'Settings', 'Unlocking')
  await page.getByRole('button', { name: 'Remove Passphrase' }).click()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByRole('dialog', { name: 'Add a passkey' })).toBeVisible()
  await lookInBoth(page, 'a passkey to add, behind a proof')
  await page.keyboard.press('Escape')
  await visit(page, 'Settings', 'Backup and storage')
  const foreign = card(page, 'Import a key')
  await foreign
    .getByLabel('Key or phrase')
    .fill('abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about')
  await foreign.getByRole('button', { name: 'Check this key' }).click()
  await expect(foreign.getByText('Is this the right key?')).toBeVisible()
  // Axe reports a target as too small if the header covers half of it.
  await page.evaluate(() => scrollTo(0, 0))
  await lookInBoth(page, 'a phrase, shown')
  // A key press restarts the 15 minutes. The warning stays for 20 seconds, which must be enough for the check.
  await page.keyboard.press('Tab')
  await page.clock.fastForward(15 * 60_000 - 19_000)
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Stay unlocked' })).toBeFocused()
  await expectAccessible(page, 'about to lock')
  await page.clock.fastForward(20_000)
  await page.getByRole('banner').getByRole('button', { name: 'Unlock' }).click()
  await unlockDialog(page).getByRole('button', { name: 'Use the recovery code instead' }).click()
  await unlockDialog(page).getByLabel('Recovery code', { exact: true }).fill(recoveryCode.slice(1))
  await unlockDialog(page).getByRole('button', { name: 'Unlock', exact: true }).click()
  await expect(unlockDialog(page).getByRole('alert')).toBeVisible()
  await lookInBoth(page, 'a mistyped recovery code')

  const after = await loseDatabase(page, context, guard, address)
  await after.setViewportSize({ width: 360, height: 800 })
  await expect(after.getByRole('button', { name: 'Restore it from the copy' })).toBeVisible()
  await lookInBoth(after, 'a vault that is missing')
  await after.getByRole('button', { name: 'Restore from a backup' }).click()
  await expect(after.getByLabel('Backup passphrase')).toBeVisible()
  await lookInBoth(after, 'a backup to restore it from')
})

test('spending: mandates, requests and the history', async ({ page, browser, guard }) => {
  test.setTimeout(420_000)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 360, height: 800 })
  const look = (what: string) => lookInBoth(page, what)
  const agent = await another(browser, guard)
  const { did } = await makeVault(agent.page, { name: 'Agent' })
  await makeVault(page)
  await giveMandate(page, 'Small amounts, automatically', { 'Paid to': 'Corner Shop' })
  await expect(page.getByLabel('Paid to')).toBeFocused()
  await look('a mandate with an error')
  await page.getByLabel('Paid to').fill('shop.example')
  await page.getByRole('button', { name: 'Sign the mandate' }).click()
  await expect(page.getByRole('meter')).toBeVisible()
  await look('a mandate of the vault’s own')
  await page.getByRole('button', { name: 'New mandate' }).click()
  await giveMandate(page, 'An agent for a day', { Who: did, 'Paid to': 'shop.example' })
  await takeMandate(agent.page, await tokenText(card(page, 'Signed and stored')))
  const request = await askFor(agent.page, '1999', 'A-17')
  const asked = await page.context().newPage()
  await guard.watch(asked)
  await asked.emulateMedia({ reducedMotion: 'reduce' })
  await asked.setViewportSize({ width: 360, height: 800 })
  await asked.goto(
    `/connect#${requestOf({ kind: 'payment', invocation: await askFor(agent.page, '500', 'A-16') })}`,
  )
  await expect(asked.getByRole('button', { name: /^Countersign/ })).toBeVisible()
  await lookInBoth(asked, 'a payment that an agent asks for')
  await approve(asked.getByRole('button', { name: /^Countersign/ }))
  await expect(asked.getByText('Countersigned, counted and stored.')).toBeVisible()
  await lookInBoth(asked, 'a payment that an agent asked for')
  await asked.close()
  await visit(page, 'Grants', 'Requests')
  await page.getByLabel('Request', { exact: true }).fill(request)
  await approve(page.getByRole('button', { name: /^Countersign/ }))
  await expect(page.getByRole('region', { name: 'authorisation' })).toBeVisible()
  await look('a request, answered')
  await visit(page, 'Payments', 'History')
  await look('the history')
  await page.getByRole('link', { name: 'Details' }).first().click()
  await expect(page.getByRole('button', { name: 'Check and add' })).toBeVisible()
  await expectReflow(page, 'the page of a payment')
  await look('the page of a payment')
  await openTab(page, 'Mandates')
  const item = page.getByRole('article', { name: 'Errand' })
  await item.getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByRole('button', { name: 'Dismiss' }).first()).toBeVisible()
  await expectAccessible(page, 'a notice')
  await item.getByRole('link', { name: 'Details' }).first().click()
  await expect(item.getByRole('list', { name: 'Authorised by payee' })).toBeVisible()
  await expectReflow(page, 'the page of a mandate')
  await look('the page of a suspended mandate')
})

test('a vault is created, locked and opened by keyboard alone', async ({ page }) => {
  await page.goto('/register')
  await expect(page.getByLabel('Name')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByText('Skip to the page')).toBeFocused()
  const until = async (reached: () => Promise<boolean>) => {
    for (let step = 0; step < 30; step += 1) {
      if (await reached()) return
      await page.keyboard.press('Tab')
    }
    throw new Error('Tab does not lead there.')
  }
  const focused = (label: string) => () =>
    page.getByLabel(label, { exact: true }).evaluate((element) => element === document.activeElement)
  await until(focused('Name'))
  await page.keyboard.type('Personal')
  await page.keyboard.press('Enter')
  const passkey = page.getByRole('radio', { name: /^Passkey/ })
  await until(() => passkey.evaluate((element) => element === document.activeElement))
  await page.keyboard.press('ArrowDown')
  await until(focused('Passphrase'))
  await page.keyboard.type(PASSPHRASE)
  await until(focused('Confirm passphrase'))
  await page.keyboard.type(PASSPHRASE)
  await expect(page.getByText(/^(Strong|Very strong)\./)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create vault' })).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(card(page, 'Save your recovery code')).toBeVisible()
  const skip = page.getByRole('button', { name: 'Skip for now' })
  await until(() => skip.evaluate((element) => element === document.activeElement))
  await page.keyboard.press('Enter')
  await expect(card(page, 'Your vault is ready')).toBeVisible()
  const at = (locator: Locator) => () =>
    locator.evaluateAll((elements) => elements.some((element) => element === document.activeElement))
  const banner = page.getByRole('banner')
  await page.getByRole('link', { name: 'Skip to the page' }).focus()
  await until(at(banner.getByRole('button', { name: 'Lock' })))
  await page.keyboard.press('Enter')
  await expectLocked(page)
  await page.getByRole('link', { name: 'Skip to the page' }).focus()
  await until(at(banner.getByRole('button', { name: 'Unlock' })))
  await page.keyboard.press('Enter')
  await expect(unlockDialog(page).getByLabel('Passphrase', { exact: true })).toBeFocused()
  // Escape closes it and returns the focus to what opened it.
  await page.keyboard.press('Escape')
  await expect(unlockDialog(page)).toBeHidden()
  await expect(banner.getByRole('button', { name: 'Unlock' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(unlockDialog(page).getByLabel('Passphrase', { exact: true })).toBeFocused()
  await page.keyboard.type(PASSPHRASE)
  await page.keyboard.press('Enter')
  await expectUnlocked(page)
  await page.getByRole('link', { name: 'Skip to the page' }).focus()
  await until(at(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Grants' })))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Grants' })).toBeFocused()
  await until(at(page.getByRole('tab', { name: 'Given' })))
  // The focused element shows a focus ring.
  expect(
    await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle),
  ).not.toBe('none')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Received', exact: true })).toBeFocused()
})

test('each dialog opens by keyboard, keeps the focus, and gives it back to what opened it', async ({
  page,
}) => {
  test.setTimeout(300_000)
  await makeVault(page)
  await visit(page, 'Grants', 'Contacts')
  await addContact(page, 'Anna Berger', STRANGER)
  await grant(page, { to: STRANGER, command: '/msg/send', label: LABEL })
  for (const { name, come, opener, title, role = 'dialog' } of DIALOGS) {
    await come(page)
    const dialog = page.getByRole(role, { name: title })
    const hasFocus = () => dialog.evaluate((element) => element.contains(document.activeElement))
    // Some wait for what they need, such as the unlock methods.
    await expect(opener(page)).toBeEnabled()
    // A new page focuses its heading in the second frame. While the palette is still loading, that counts as what opened it.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    )
    await opener(page).focus()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible()
    await expect.poll(hasFocus, name).toBe(true)
    for (let stop = 0; stop < 12; stop += 1) {
      await page.keyboard.press('Tab')
      await expect.poll(hasFocus, `${name}, after ${stop + 1} times Tab`).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(opener(page), name).toBeFocused()
  }
})

test('what an agent asks for is granted and handed over by keyboard alone', async ({ page, guard }) => {
  await makeVault(page)
  const tab = await page.context().newPage()
  await guard.watch(tab)
  await tab.goto(`/connect#${REQUEST}`)
  const grant = tab.getByRole('button', { name: 'Grant it' })
  await expect(grant).toBeVisible()
  const tabTo = async (target: Locator) => {
    for (let step = 0; step < 30; step += 1) {
      await tab.keyboard.press('Tab')
      if (await target.evaluate((element) => element === document.activeElement)) return
    }
    throw new Error('Tab does not lead there.')
  }
  const consent = tab.getByRole('switch')
  await tabTo(consent)
  await pressCounted(consent, { press: () => tab.keyboard.press('Space') })
  await tabTo(grant)
  await pressCounted(grant, { press: () => tab.keyboard.press('Enter') })
  await expect(tab.getByText('Now give the text below to the person who asked.')).toBeVisible()
  await tabTo(tab.getByText('Copy', { exact: true }))
})

test('theme and language can be chosen by keyboard, are saved, and keep the focus', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await ground()
  const preferences = page.getByRole('button', { name: 'Theme and language' })
  // The prerendered buttons can't be pressed yet.
  await expect(preferences).toBeEnabled()
  await preferences.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: 'System' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  expect(await ground()).not.toBe(light)
  await page.getByRole('radio', { name: 'English' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: 'Farbschema und Sprache' })).toBeFocused()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.reload()
  const again = page.getByRole('button', { name: 'Farbschema und Sprache' })
  await again.click()
  await expect(page.getByRole('radio', { name: 'Dunkel' })).toBeChecked()
  expect(await ground()).not.toBe(light)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('radio', { name: 'Dunkel' })).toBeHidden()
  await expect(again).toBeFocused()
})
