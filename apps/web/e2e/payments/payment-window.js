// The window that the browser opens for a payment. It is no page that Playwright knows, so it is driven over the browser's own
// protocol. For the browser tests and for bench/.

/** @typedef {import('@playwright/test').Browser} Browser */

const PATH = '/payment?request=1'
const MOMENT = 50

/** @param {{type: string, url: string}} target of the browser's protocol */
const isPayment = ({ type, url }) => type === 'page' && url.endsWith(PATH)

/** @param {() => Promise<unknown>} look @returns {Promise<any>} the first thing that is there */
async function until(look) {
  for (;;) {
    const found = await look()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, MOMENT))
  }
}

/** The window of a payment that is being asked for. */
export class PaymentWindow {
  #session
  #sessionId
  #targetId
  #last = 0
  /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} */
  #waiting = new Map()

  /**
   * @param {import('@playwright/test').CDPSession} session of the browser
   * @param {string} targetId
   * @param {string} sessionId
   */
  constructor(session, targetId, sessionId) {
    this.#session = session
    this.#targetId = targetId
    this.#sessionId = sessionId
    session.on('Target.receivedMessageFromTarget', (event) => {
      if (event.sessionId !== sessionId) return
      const { id, result, error } = JSON.parse(event.message)
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error) waiting?.reject(new Error(error.message))
      else waiting?.resolve(result)
    })
    session.on('Target.detachedFromTarget', (event) => {
      if (event.sessionId !== sessionId) return
      for (const { reject } of this.#waiting.values()) reject(new Error('The window is closed.'))
      this.#waiting.clear()
    })
  }

  /**
   * Waits for the window that the browser opens.
   * @param {Browser} browser
   * @param {() => Promise<boolean>} [isOver] whether none will come
   */
  static async find(browser, isOver = async () => false) {
    const session = await browser.newBrowserCDPSession()
    const found = await until(async () => {
      const { targetInfos } = await session.send('Target.getTargets')
      const target = targetInfos.find(isPayment)
      return target ?? ((await isOver()) ? 'over' : undefined)
    })
    if (found === 'over') {
      await session.detach()
      return undefined
    }
    const { targetId } = found
    const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false })
    const window = new PaymentWindow(session, targetId, sessionId)
    // A sheet of a browser without a screen is in front of nothing.
    await window.send('Emulation.setFocusEmulationEnabled', { enabled: true })
    return window
  }

  /**
   * Waits until no such window is there any more.
   * @param {Browser} browser
   */
  static async none(browser) {
    const session = await browser.newBrowserCDPSession()
    await until(async () => {
      const { targetInfos } = await session.send('Target.getTargets')
      return !targetInfos.some(isPayment)
    })
    await session.detach()
  }

  /** @param {string} method @param {object} [params] @returns {Promise<any>} */
  send(method, params = {}) {
    this.#last += 1
    const id = this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      const message = JSON.stringify({ id, method, params })
      this.#session.send('Target.sendMessageToTarget', { sessionId: this.#sessionId, message }).catch(reject)
    })
  }

  /**
   * What an expression is in the window. A promise is waited for.
   * @param {string} expression @returns {Promise<any>}
   */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }

  /** What is to be read in it. @returns {Promise<string>} */
  text() {
    return this.evaluate('document.querySelector("main")?.innerText ?? ""')
  }

  /** Waits until it says something. @param {string} words @returns {Promise<string>} all that it says then */
  says(words) {
    return until(async () => {
      // It loads, or is loaded anew.
      const text = await this.text().catch(() => '')
      return text.includes(words) ? text : undefined
    })
  }

  /**
   * Looks at what is asked, then at a button, and waits until it takes a press.
   * @param {string} name the beginning of what stands on it
   */
  async takes(name) {
    await until(() =>
      // Again after a while: what is asked may have come, or changed, after it was looked at.
      this.evaluate(`(async () => {
        const button = [...document.querySelectorAll('main button')].find((each) => each.innerText.startsWith(${JSON.stringify(name)}))
        if (!button) return false
        const takesPresses = () => !button.disabled && button.getAttribute('aria-disabled') !== 'true'
        const isInSight = () => {
          const { top, bottom } = button.getBoundingClientRect()
          return top >= 0 && bottom <= innerHeight
        }
        if (takesPresses() && isInSight()) return true
        const consent = document.querySelector('main [role="switch"][aria-checked="false"]')
        if (consent && consent.getAttribute('aria-disabled') !== 'true' && !['Decline', 'Back'].includes(${JSON.stringify(name)})) consent.click()
        if (performance.now() - (globalThis.lookedAt ?? -Infinity) < 2000) return false
        document.querySelector('main dl')?.scrollIntoView({ block: 'nearest' })
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
        if (!isInSight()) button.scrollIntoView({ block: 'center' })
        globalThis.lookedAt = performance.now()
        return false
      })()`),
    )
  }

  /** Where a button is. @param {string} name @returns {Promise<{x: number, y: number}>} */
  place(name) {
    return this.evaluate(`(() => {
      const button = [...document.querySelectorAll('main button')].find((each) => each.innerText.startsWith(${JSON.stringify(name)}))
      const { x, y, width, height } = button.getBoundingClientRect()
      return { x: x + width / 2, y: y + height / 2 }
    })()`)
  }

  /**
   * Waits until a button takes a press, and presses it as a person does: once more where it moved away from under the pointer, or took no press again just then.
   * @param {string} name the beginning of what stands on it
   */
  async press(name) {
    const begins = JSON.stringify(name)
    await until(async () => {
      await this.takes(name)
      const place = await this.evaluate(`(() => {
        const button = [...document.querySelectorAll('main button')].find((each) => each.innerText.startsWith(${begins}))
        if (!button || button.disabled || button.getAttribute('aria-disabled') === 'true') return undefined
        globalThis.pressed ??= new Set()
        addEventListener('click', ({ target }) => {
          const on = target instanceof Element ? target.closest('button') : null
          if (on?.innerText.startsWith(${begins}) && on.getAttribute('aria-disabled') !== 'true') globalThis.pressed.add(${begins})
        }, { capture: true, once: true })
        globalThis.pressed.delete(${begins})
        const { x, y, width, height } = button.getBoundingClientRect()
        return { x: x + width / 2, y: y + height / 2 }
      })()`)
      if (!place) return undefined
      const at = { ...place, button: 'left', clickCount: 1 }
      await this.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at })
      // The window may close before it answers.
      await this.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at }).catch(() => undefined)
      return (await this.evaluate(`globalThis.pressed.has(${begins})`).catch(() => true)) || undefined
    })
  }

  /**
   * Presses a key down, or lets it go.
   * @param {'keyDown' | 'keyUp'} type @param {'Enter' | 'Space' | 'Tab'} code @param {{autoRepeat?: boolean}} [how]
   */
  async key(type, code, { autoRepeat = false } = {}) {
    const [key, windowsVirtualKeyCode, text] = /** @type {const} */ ({
      Enter: ['Enter', 13, '\r'],
      Space: [' ', 32, ' '],
      Tab: ['Tab', 9, undefined],
    })[code]
    await this.send('Input.dispatchKeyEvent', {
      ...{ type, code, key, windowsVirtualKeyCode, autoRepeat },
      ...(type === 'keyDown' && text !== undefined && { text }),
    })
  }

  /** Types into the field that has the focus after it was clicked. @param {string} selector @param {string} text */
  async type(selector, text) {
    await until(() =>
      this.evaluate(`(() => {
      const field = document.querySelector(${JSON.stringify(selector)})
      field?.focus()
      return field !== null && document.activeElement === field
    })()`),
    )
    await this.send('Input.insertText', { text })
  }

  /** Whether it is still there. */
  async isOpen() {
    const { targetInfos } = await this.#session.send('Target.getTargets')
    return targetInfos.some(({ targetId }) => targetId === this.#targetId)
  }

  /** Resolves when the browser has closed it. */
  async closed() {
    await until(async () => !(await this.isOpen()))
  }

  /** Lets go of it. */
  async leave() {
    await this.#session.detach().catch(() => undefined)
  }
}
