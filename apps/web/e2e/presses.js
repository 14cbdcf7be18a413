// Approves as a person does, for the browser tests and for bench/.
import { expect } from '@playwright/test'

/**
 * Scrolls through the whole request to the button that approves it, turns on its switch if there is one, and waits until the button accepts
 * a press.
 * @param {import('@playwright/test').Locator} button
 * @returns {Promise<boolean>} whether it turned on a switch
 */
export async function takesPresses(button) {
  let hasSwitched = false
  // Try again if React takes over the page in the meantime.
  await expect(async () => {
    const isTurned = await button.evaluate(async (each) => {
      const drawn = () => new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))
      const subject = document.querySelector('[data-slot="sentence"], main dl')
      subject?.scrollIntoView({ block: 'nearest' })
      await drawn()
      // Scroll through anything taller than the window from its top.
      const { top: begins = 0, height = 0 } = subject?.getBoundingClientRect() ?? {}
      if (height > innerHeight - 80) {
        scrollBy({ top: begins - 80 })
        for (let seen = 0; seen < height; seen += innerHeight / 3) {
          await drawn()
          scrollBy({ top: innerHeight / 3 })
        }
        await drawn()
      }
      const { top, bottom } = each.getBoundingClientRect()
      if (top < 80 || bottom > innerHeight) each.scrollIntoView({ block: 'center' })
      // Spending and sending need a switch first, which becomes active no sooner than the button.
      const consent = document.querySelector('main [role="switch"][aria-checked="false"]')
      for (let frame = 0; consent?.getAttribute('aria-disabled') === 'true' && frame < 120; frame += 1)
        await drawn()
      if (consent instanceof HTMLElement) consent.click()
      await drawn()
      return consent?.getAttribute('aria-checked') === 'true'
    })
    hasSwitched ||= isTurned
    await expect(button).toBeEnabled({ timeout: 5_000 })
  }).toPass()
  return hasSwitched
}

/**
 * Presses a button that closes its window. The window may close before Playwright sees that it was pressed.
 * @param {import('@playwright/test').Locator} button
 * @param {() => Promise<void>} [press] another way to press it. Default: a mouse
 */
export async function pressAway(button, press = () => button.click()) {
  await press().catch((error) => {
    if (!button.page().isClosed()) throw error
  })
}

/**
 * Presses a button or switch until the page counts a press: if something moves just then it doesn't, and a person presses again.
 * `aria-disabled` says at each moment whether a press counts.
 * @param {import('@playwright/test').Locator} button
 * @param {object} [how]
 * @param {() => Promise<void>} [how.press] presses it. Default: a mouse
 * @param {() => Promise<unknown>} [how.ready] waits until it accepts a press
 */
export async function pressCounted(
  button,
  {
    press = () => button.click({ timeout: 10_000 }),
    ready = () => expect(button).toBeEnabled({ timeout: 5_000 }),
  } = {},
) {
  let wasPressed = false
  await expect(async () => {
    // Only a press that counts ends the page.
    if (wasPressed && button.page().isClosed()) return
    await ready()
    const seen = await button.evaluateHandle((each) => {
      const pressed = { hasCounted: false, isVoid: false }
      const takes = () => each.getAttribute('aria-disabled') !== 'true'
      const once = { capture: true, once: true }
      // A change while it is held makes the press void, even if it is enabled again at the end.
      const changes = new MutationObserver(() => {
        pressed.isVoid = true
      })
      const begin = () => {
        pressed.isVoid ||= !takes()
        changes.observe(each, { attributeFilter: ['aria-disabled'] })
      }
      const end = () => {
        pressed.hasCounted = !pressed.isVoid && changes.takeRecords().length === 0 && takes()
        changes.disconnect()
      }
      each.addEventListener('pointerdown', begin, once)
      each.addEventListener('keydown', begin, once)
      each.addEventListener('click', end, once)
      return pressed
    })
    wasPressed = true
    await pressAway(button, press)
    expect(await seen.evaluate(({ hasCounted }) => hasCounted).catch(() => true)).toBe(true)
  }).toPass()
}

/**
 * Approves as a person does, after looking at what is asked.
 * @param {import('@playwright/test').Locator} button
 * @param {() => Promise<void>} [press] another way to press it. Default: a mouse
 * @returns {Promise<number>} presses that a person makes for it: the switch, if there is one, and the button
 */
export async function approve(button, press) {
  let hasSwitched = false
  const ready = async () => {
    hasSwitched = (await takesPresses(button)) || hasSwitched
  }
  await pressCounted(button, { ready, ...(press && { press }) })
  return hasSwitched ? 2 : 1
}

// Presses that weren't meant for the button they hit. They run in the page, on the same thread as the code they race against.

/**
 * Keeps the window in the background, where nothing can be approved, or lets it come to the front.
 * @param {boolean} isInFront
 */
export function putInFront(isInFront) {
  Object.defineProperty(document, 'hasFocus', { configurable: true, value: () => isInFront })
  dispatchEvent(new Event(isInFront ? 'focus' : 'blur'))
}

/**
 * Brings the window to the front and clicks a button at a steady rhythm. The clicks start before the button is visible and go on for three
 * times as long as it must be.
 * @param {string} name that the button begins with
 * @param {boolean} [withSwitch] whether every second click is at the switch that comes before it
 * @returns {Promise<void>}
 */
export function clickInRhythm(name, withSwitch = false) {
  const [RHYTHM, CLICKS] = [150, 16]
  // Done here so that the first click isn't late when the page is slow to notice.
  Object.defineProperty(document, 'hasFocus', { configurable: true, value: () => true })
  dispatchEvent(new Event('focus'))
  /** @param {boolean} isSwitch */
  const click = (isSwitch) => {
    const consent = isSwitch ? document.querySelector('main [role="switch"]') : null
    const named = [...document.querySelectorAll('main button')].find(({ textContent }) =>
      textContent?.startsWith(name),
    )
    const button = consent ?? named
    const how = { bubbles: true, cancelable: true, detail: 1 }
    button?.dispatchEvent(new PointerEvent('pointerdown', how))
    button?.dispatchEvent(new PointerEvent('pointerup', how))
    button?.dispatchEvent(new MouseEvent('click', how))
  }
  return new Promise((resolve) => {
    let clicks = 0
    const rhythm = setInterval(() => {
      click(withSwitch && clicks % 2 === 0)
      clicks += 1
      if (clicks < CLICKS) return
      clearInterval(rhythm)
      resolve()
    }, RHYTHM)
  })
}
