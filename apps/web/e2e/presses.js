// Approves as a person does, for the browser tests and for bench/.
import { expect } from '@playwright/test'

/**
 * Scrolls through the whole request to the button that approves it, turns on its switch if there is one, and waits until the button accepts
 * a press.
 * @param {import('@playwright/test').Locator} button
 */
export async function takesPresses(button) {
  // Try again if React takes over the page in the meantime.
  await expect(async () => {
    await button.evaluate(async (each) => {
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
    })
    await expect(button).toBeEnabled({ timeout: 5_000 })
  }).toPass()
}

/**
 * Presses a button that closes its window. The window may close before Playwright sees that it was pressed.
 * @param {import('@playwright/test').Locator} button
 */
export async function pressAway(button) {
  await button.click().catch((error) => {
    if (!button.page().isClosed()) throw error
  })
}

/**
 * Approves as a person does, after looking at what is asked.
 * @param {import('@playwright/test').Locator} button
 */
export async function approve(button) {
  await expect(async () => {
    await takesPresses(button)
    // Listen in the page: if the button moves under the pointer the press doesn't count, and a person would press again.
    await button.evaluate((each) => {
      const takes = () => each.getAttribute('aria-disabled') !== 'true'
      const how = { capture: true, once: true }
      Object.assign(globalThis, { hasCounted: false })
      each.addEventListener('pointerdown', () => Object.assign(globalThis, { hasCounted: takes() }), how)
      each.addEventListener('click', () => takes() || Object.assign(globalThis, { hasCounted: false }), how)
    })
    await pressAway(button)
    const page = button.page()
    const hasCounted = await page
      .evaluate(() => Reflect.get(globalThis, 'hasCounted'))
      .catch((error) => page.isClosed() || Promise.reject(error))
    expect(hasCounted).toBe(true)
  }).toPass()
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
