// From a browser that never saw Keyhole to a grant's link in the clipboard, in Chromium on the production build: seconds and presses. A person
// types 40 words a minute, and waits for nothing that the page doesn't wait for.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { launch, newProfile, removeProfile } from '../../apps/web/e2e/lasting/chromium.js'
import { serveFolder } from '../../apps/web/e2e/lasting/site.js'
import { expect, median } from '../measure.mjs'
import { PASSPHRASE } from './make-vault.mjs'

const CLIENT = join(import.meta.dirname, '../../apps/web/dist')
const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const ROUNDS = 5
/** What it may cost. With a passphrase, choosing it is one press more. */
const BARS = { passkey: { seconds: 45, presses: 9 }, passphrase: { seconds: 75, presses: 10 } }
/** 40 words a minute, of five letters, each with its space. */
const SECONDS_A_LETTER = 60 / (40 * 6)
/** Answers at once, as if its owner touched it. */
const AUTHENTICATOR = {
  ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal', hasPrf: true },
  ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
}

/** Counts what a person does. A press is a click, a paste or a key that does something. */
class Hands {
  presses = 0
  letters = 0

  async click(target) {
    this.presses += 1
    await target.click()
  }

  async paste(field, text) {
    this.presses += 1
    await field.fill(text)
  }

  async type(field, text) {
    this.letters += text.length
    await field.fill(text)
  }
}

/** @param {import('@playwright/test').Page} page @param {keyof typeof BARS} way @param {string} url @param {Hands} hands */
async function grantAtOnce(page, way, url, hands) {
  await page.goto(url)
  const ways = page.getByRole('navigation', { name: 'Ways in' })
  await hands.click(ways.getByRole('link', { name: /Create vault/ }))
  await hands.click(page.getByRole('button', { name: 'Continue', exact: true }))
  if (way === 'passphrase') {
    await hands.click(page.getByRole('radio', { name: /^Passphrase/ }))
    await hands.type(page.getByLabel('Passphrase', { exact: true }), PASSPHRASE)
    await hands.type(page.getByLabel('Confirm passphrase'), PASSPHRASE)
  }
  await hands.click(page.getByRole('button', { name: 'Create vault' }))
  await hands.click(page.getByRole('button', { name: 'Skip for now' }))
  await hands.click(page.getByRole('link', { name: 'Create your first grant' }))
  await hands.paste(page.getByLabel('Who', { exact: true }), STRANGER)
  await hands.click(page.getByRole('button', { name: 'Read one folder' }))
  await hands.click(page.getByRole('button', { name: 'Sign the grant' }))
  await hands.click(page.getByRole('button', { name: 'Copy the link' }))
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('#token='))
}

/** @param {keyof typeof BARS} way @param {string} url */
async function measure(way, url) {
  const profile = newProfile()
  const { context, close } = await launch(profile)
  try {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await context.newPage()
    if (way === 'passkey') {
      const session = await context.newCDPSession(page)
      await session.send('WebAuthn.enable')
      await session.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR })
    }
    const hands = new Hands()
    const start = performance.now()
    await grantAtOnce(page, way, url, hands)
    const machine = (performance.now() - start) / 1_000
    return { machine, typing: hands.letters * SECONDS_A_LETTER, presses: hands.presses }
  } finally {
    await close()
    removeProfile(profile)
  }
}

export async function figures() {
  if (!existsSync(join(CLIENT, 'index.html'))) return []
  const site = await serveFolder(CLIENT)
  const found = []
  try {
    for (const [way, bar] of Object.entries(BARS)) {
      const rounds = []
      for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(way, site.url))
      const seconds = median(rounds.map(({ machine, typing }) => machine + typing))
      const presses = Math.max(...rounds.map((each) => each.presses))
      expect(presses <= bar.presses, `${way}: ${presses} presses, at most ${bar.presses}`)
      const typing = rounds[0]?.typing ?? 0
      found.push({
        title: `From the first visit to a link in the clipboard, by ${way}`,
        note: `${presses} presses of at most ${bar.presses}. ${typing.toFixed(1)} s of it are typing at 40 words a minute.`,
        better: 'less',
        rows: [
          { name: 'Keyhole', unit: 's', value: seconds },
          { name: 'Bar', unit: 's', value: bar.seconds },
        ],
      })
    }
  } finally {
    site.close()
  }
  return found
}
