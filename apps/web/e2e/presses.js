// Approving as a person does, for the browser tests and for bench/.
import { expect } from '@playwright/test'

/**
 * Looks at what is asked, then at the button that approves it, and waits until it takes a press.
 * @param {import('@playwright/test').Locator} button
 */
export async function takesPresses(button) {
  // Once more where React takes the page over meanwhile.
  await expect(async () => {
    await button.evaluate(async (each) => {
      document.querySelector('[data-slot="sentence"], main dl')?.scrollIntoView({ block: 'nearest' })
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
      const { top, bottom } = each.getBoundingClientRect()
      if (top < 80 || bottom > innerHeight) each.scrollIntoView({ block: 'center' })
    })
    await expect(button).toBeEnabled({ timeout: 5_000 })
  }).toPass()
}

/**
 * Presses what ends its window: that may be closed before it is told that it was pressed.
 * @param {import('@playwright/test').Locator} button
 */
export async function pressAway(button) {
  await button.click().catch((error) => {
    if (!button.page().isClosed()) throw error
  })
}

/**
 * Approves as a person does who has looked at what is asked.
 * @param {import('@playwright/test').Locator} button
 */
export async function approve(button) {
  await expect(async () => {
    await takesPresses(button)
    // Noted by the page: where it moves under the pointer, the press counts for nothing, and a person presses again.
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

// Presses that were not meant for what they come upon. These run in the page, whose own time they share with what they try to be
// faster than.

/**
 * Holds the window back from the front, where nothing can be approved, or lets it come there.
 * @param {boolean} isInFront
 */
export function putInFront(isInFront) {
  Object.defineProperty(document, 'hasFocus', { configurable: true, value: () => isInFront })
  dispatchEvent(new Event(isInFront ? 'focus' : 'blur'))
}

/**
 * Brings the window to the front and clicks at a button in a rhythm, for three times as long as it has to be in sight, begun before it was.
 * @param {string} name that the button begins with
 * @returns {Promise<void>}
 */
export function clickInRhythm(name) {
  const [RHYTHM, CLICKS] = [150, 16]
  // Here, so that the first click is not late where the page is slow to be told of it.
  Object.defineProperty(document, 'hasFocus', { configurable: true, value: () => true })
  dispatchEvent(new Event('focus'))
  const click = () => {
    const button = [...document.querySelectorAll('main button')].find(({ textContent }) =>
      textContent?.startsWith(name),
    )
    const how = { bubbles: true, cancelable: true, detail: 1 }
    button?.dispatchEvent(new PointerEvent('pointerdown', how))
    button?.dispatchEvent(new PointerEvent('pointerup', how))
    button?.dispatchEvent(new MouseEvent('click', how))
  }
  return new Promise((resolve) => {
    let clicks = 0
    const rhythm = setInterval(() => {
      click()
      clicks += 1
      if (clicks < CLICKS) return
      clearInterval(rhythm)
      resolve()
    }, RHYTHM)
  })
}
