// In Chromium, an app on another origin asks the vault and gets an answer. Measures everything except the person.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startApp } from '../../apps/web/e2e/counterparts/app.js'
import { launch, newProfile, removeProfile } from '../../apps/web/e2e/lasting/chromium.js'
import { serveFolder } from '../../apps/web/e2e/lasting/site.js'
import { approve } from '../../apps/web/e2e/presses.js'
import { expect, median } from '../measure.mjs'
import { makeVault } from './make-vault.mjs'

const CLIENT = join(import.meta.dirname, '../../apps/web/dist')
const ROUNDS = 20

/** Notes, in every page of the browser, when it is clicked, when it shows the Grant button, and when it shows an answer. */
function note() {
  const at = () => performance.timeOrigin + performance.now()
  addEventListener('click', () => Object.assign(window, { clickedAt: at() }), { capture: true })
  new MutationObserver(() => {
    const buttons = [...document.querySelectorAll('main button')]
    if (!('shownAt' in window) && buttons.some(({ textContent }) => textContent === 'Grant it'))
      requestAnimationFrame(() => {
        Object.assign(window, { shownAt: at() })
        console.debug('the request is shown')
      })
    if (/^[CP][\w-]{100,}$/.test(document.querySelector('#answer')?.textContent ?? ''))
      Object.assign(window, { answeredAt: at() })
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

/** One request, from the app's button to the token in the app. */
async function askOnce(site) {
  const opening = site.waitForEvent('popup')
  // The page reports this itself. A script that polls it would use up time.
  const showing = site
    .context()
    .waitForEvent('console', { predicate: (message) => message.text() === 'the request is shown' })
  await site.getByRole('button', { name: 'Connect' }).click()
  const window = await opening
  await showing
  const grant = window.getByRole('button', { name: 'Grant it' })
  const shownAt = await window.evaluate(() => globalThis.shownAt)
  const askedAt = await site.evaluate(() => globalThis.clickedAt)
  // The answer closes the window, so note the click before.
  let clickedAt = 0
  await window.exposeFunction('keyholeClicked', (time) => {
    clickedAt = time
  })
  await window.evaluate(() =>
    addEventListener('click', () => globalThis.keyholeClicked(performance.timeOrigin + performance.now()), {
      capture: true,
    }),
  )
  const closed = window.waitForEvent('close')
  await approve(grant)
  await closed
  await site.waitForFunction(() => 'answeredAt' in globalThis)
  const answeredAt = await site.evaluate(() => globalThis.answeredAt)
  expect(clickedAt > 0 && answeredAt > clickedAt, 'an app is answered after the click')
  return { asking: shownAt - askedAt, answering: answeredAt - clickedAt }
}

export async function figures() {
  if (!existsSync(join(CLIENT, 'index.html'))) return []
  const profile = newProfile()
  const client = await serveFolder(CLIENT)
  const app = await startApp(new URL(client.url).origin)
  const { context, close } = await launch(profile)
  try {
    await context.addInitScript(note)
    const vault = await context.newPage()
    await makeVault(vault, client.url)
    await vault.waitForFunction(() => navigator.serviceWorker.controller !== null)
    const taken = []
    for (let round = 0; round <= ROUNDS; round += 1) {
      const site = await context.newPage()
      await site.goto(`${app.origin}/`)
      const times = await askOnce(site)
      await site.close()
      // The first round is a warm-up for both.
      if (round > 0) taken.push(times)
    }
    const all = median(taken.map(({ asking, answering }) => asking + answering))
    return [
      {
        title: 'An app asks, and is answered',
        note: 'On this machine, the vault open in another tab. From the click in the app to the request on the screen, and from the click on “Grant it” to the token in the app; what lies between is the person’s.',
        rows: [
          { name: 'both', unit: 'ms', value: all },
          {
            name: 'until the request is shown',
            unit: 'ms',
            value: median(taken.map(({ asking }) => asking)),
          },
          {
            name: 'until the token is there',
            unit: 'ms',
            value: median(taken.map(({ answering }) => answering)),
          },
        ],
      },
    ]
  } finally {
    await close()
    await app.close()
    client.close()
    removeProfile(profile)
  }
}
