// Pictures of every page in its main states, in English and German, light and dark, at three widths, in `screenshots/` (not in git). They are in
// one sheet there, index.html.
// Usage: npm run build && node scripts/screenshots.mjs [--few] [--width=768,1440] [--only=word,word] [--language=de] [--to=folder] [--readme]
// --few: only light at 1440 and dark at 360. --width: only these widths. --only: only scenes whose name contains one of the words. --to: another
// folder than `screenshots/`. --readme: only the pictures of README.md, in `docs/pictures/`.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium } from '@playwright/test'
import { approve } from '../apps/web/e2e/presses.js'
import { createClientServer } from '../apps/web/src/server/client-server.js'
import { openRelay } from '../apps/web/src/server/relay.js'
import { requestText } from '../packages/connect/dist/index.js'
import { findBrowser } from './browser.mjs'
import { introductionOf } from './pictures/introduction.mjs'
import { picturePaymentWindow } from './pictures/payment-window.mjs'
import { germanWords, pictureSheet } from './pictures/sheet.mjs'
import { PASSPHRASE, STORIES } from './pictures/stories.mjs'
import { root } from './suites.mjs'

/** @typedef {import('@playwright/test').Page} Page */
/**
 * @typedef {{name: string, path: string, act?: (page: Page) => Promise<unknown>, inSight?: true}} Scene What is done on a page before its picture is taken. `inSight` takes only the visible part, for dialogs and other things over the page.
 */

const flags = new Set(process.argv.slice(2))
const only = [...flags].find((each) => each.startsWith('--only='))?.slice('--only='.length) ?? ''
/** Whether a picture is asked for. @param {string} name */
const isWanted = (name) => only.split(',').some((word) => name.includes(word))
const LOOKS = ['light', 'dark'].flatMap((scheme) => [360, 768, 1440].map((width) => ({ scheme, width })))
const FEW = [
  { scheme: 'light', width: 1440 },
  { scheme: 'dark', width: 360 },
]
const widths = [...flags]
  .find((each) => each.startsWith('--width='))
  ?.slice('--width='.length)
  .split(',')
/** The looks that are asked for. */
const WANTED = (flags.has('--few') ? FEW : LOOKS).filter(
  ({ width }) => widths === undefined || widths.includes(`${width}`),
)
/** The windows that other sites open, for README.md. */
const WINDOW = { width: 480, height: 900 }
/** The part of the payment handler's window that a desktop browser shows at first. */
const SHEET = { scheme: 'light', width: 608, height: 443 }
/** The languages of the pictures; `--language` takes those of one. */
const SPOKEN = ['en', 'de'].filter((tag) => !flags.has(`--language=${tag === 'en' ? 'de' : 'en'}`))
/** Of someone who isn't a contact. */
const NEWCOMER = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'
const FRIEND = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
/** Grants and their holders. They use templates, so that they have limits. */
const GRANTS = [
  { to: FRIEND, template: 'Send email within your company', label: 'Holiday mails', end: 'In 7 days' },
  {
    to: 'did:key:z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJG',
    template: 'Share a folder',
    label: 'Photos for the agency',
    end: 'In 30 days',
  },
  { to: FRIEND, command: '/build/run', label: 'Build server', end: 'In 24 hours' },
]

const TABS = [
  'grants',
  'received',
  'contacts',
  'ask',
  'activity',
  'check',
  'settings',
  'overview',
  'keys',
  'unlock',
  'backup',
  'sessions',
  'accounts',
  'look',
  'about',
]
/** @type {Scene[]} Without a vault: pages that look different then. */
const EMPTY = [
  { name: 'home', path: '/', act: scrollDown },
  { name: 'register', path: '/register' },
  ...['file', 'code', 'key'].map((from) => ({
    name: `restore-${from}`,
    path: `/register?tab=restore&from=${from}`,
  })),
  { name: 'register-accounts', path: '/register?tab=accounts' },
  { name: 'settings', path: '/identity?tab=settings' },
  { name: 'ask', path: '/identity?tab=ask' },
  { name: 'check', path: '/identity?tab=check' },
  { name: 'payment', path: '/payment' },
  { name: 'search', path: '/search' },
  { name: 'demo', path: '/demo' },
  { name: 'demo-answer', path: '/demo?fn=verify_token', act: call },
  { name: 'attacks', path: '/demo?tab=attacks' },
  { name: 'attack-refused', path: '/demo?tab=attacks', act: attack },
  { name: 'demo-app-tab', path: '/demo?tab=app' },
  { name: 'benchmark', path: '/demo?tab=benchmark' },
  { name: 'not-found', path: '/no/such/page' },
  {
    name: 'preferences',
    path: '/',
    act: (page) => banner(page, 'Theme and language').click(),
    inSight: true,
  },
]
/** @type {Scene[]} With an empty vault. */
const NEW = [
  { name: 'home', path: '/' },
  ...['grants', 'received', 'activity'].map((tab) => ({
    name: tab,
    path: `/identity?tab=${tab}`,
  })),
  { name: 'payment', path: '/payment' },
  { name: 'payments', path: '/payment?tab=history' },
  { name: 'search', path: '/search' },
]
/** @type {Scene[]} */
const PAGES = [
  { name: 'home', path: '/' },
  { name: 'register', path: '/register' },
  { name: 'register-accounts', path: '/register?tab=accounts' },
  ...TABS.map((tab) => ({ name: tab, path: `/identity?tab=${tab}` })),
  {
    name: 'contact',
    path: '/identity?tab=contacts',
    act: async (page) => {
      await page
        .getByRole('list', { name: say('Contacts') })
        .getByRole('button')
        .first()
        .click()
      await page.getByRole('heading', { name: 'Anna Berger', exact: true }).waitFor()
    },
  },
  {
    name: 'ask-link',
    path: '/identity?tab=grants',
    act: (page) => page.getByRole('button', { name: say('Send them a link') }).click(),
    inSight: true,
  },
  {
    name: 'answered',
    path: '/identity?tab=grants',
    act: async (page) => {
      const link = `https://keyhole.example/identity?tab=grants#to=${NEWCOMER}&name=Ben%20Adler`
      await page.getByLabel(say('Who'), { exact: true }).first().fill(link)
      await page.getByText('Ben Adler').first().waitFor()
    },
  },
  { name: 'grant', path: '/identity?tab=grants', act: openGrant },
  { name: 'grant-received', path: '/identity?tab=received', act: openGrant },
  { name: 'payment', path: '/payment' },
  { name: 'mandate-new', path: '/payment?tab=new' },
  { name: 'payments', path: '/payment?tab=history' },
  { name: 'payment-requests', path: '/identity?tab=requests' },
  { name: 'search', path: '/search' },
]
/** @type {Scene[]} */
const OPEN = [
  { name: 'home-week', path: '/?span=week' },
  {
    name: 'home-graph',
    path: '/?view=graph',
    act: (page) =>
      page
        .getByRole('list', { name: /^(Who|Wer) / })
        .first()
        .waitFor(),
  },
  {
    name: 'home-graph-opened',
    path: '/?view=graph',
    act: (page) =>
      page
        .getByRole('button', { name: /: .* (grants?|Freigaben?|suspended|ausgesetzt)$/i })
        .first()
        .click(),
  },
  {
    name: 'grant-filled',
    path: '/identity?tab=grants',
    act: async (page) => {
      const form = card(page, say('New grant'))
      await form.getByRole('button', { name: say('Send email within your company') }).click()
      await form.getByLabel(say('Who'), { exact: true }).fill(FRIEND)
    },
  },
  {
    // With limits, and with its payload.
    name: 'grant-details',
    path: '/identity?tab=grants',
    act: async (page) => {
      await openGrant(page, 'Photos for the agency')
      await page.getByText(say('Raw payload'), { exact: true }).first().click()
      await page.getByRole('region', { name: /payload|Rohdaten/ }).waitFor()
    },
  },
  {
    name: 'revoke',
    path: '/identity?tab=grants',
    act: async (page) => {
      await openGrant(page)
      await page
        .getByRole('button', { name: say('Revoke…') })
        .first()
        .click()
    },
    inSight: true,
  },
  {
    name: 'renew',
    path: '/identity?tab=grants',
    act: async (page) => {
      await openGrant(page)
      await page
        .getByRole('button', { name: say('Renew…') })
        .first()
        .click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: say('Sign again') })
        .waitFor()
    },
    inSight: true,
  },
  {
    name: 'service-introduced',
    path: '/identity?tab=contacts',
    act: (page) => readIntroduction(page, false),
  },
  {
    name: 'service-owner',
    path: '/identity?tab=contacts',
    act: async (page) => {
      await readIntroduction(page, true)
      await page.getByRole('button', { name: say('Save the service') }).click()
      await page.getByRole('heading', { name: say('This gate is waiting for its owner') }).waitFor()
    },
  },
  {
    name: 'service-offers',
    path: '/identity?tab=contacts',
    act: async (page) => {
      await page
        .getByRole('list', { name: say('Contacts') })
        .getByRole('button', { name: gateName() })
        .first()
        .click()
      await page.getByRole('heading', { name: say('What it offers') }).waitFor()
    },
  },
  {
    name: 'service-grant',
    path: '/identity?tab=grants',
    act: async (page) => {
      const offers = page.getByRole('group', { name: gateName() }).first()
      await offers.getByRole('button', { name: 'read_text_file' }).click()
      await page.getByRole('heading', { name: say('Grant one tool') }).waitFor()
    },
  },
  {
    name: 'check-report',
    path: '/identity?tab=check',
    act: async (page) => {
      await page.getByLabel(say('Token'), { exact: true }).fill(given)
      await page.getByRole('heading', { name: say('What it says') }).waitFor()
    },
  },
  {
    name: 'check-payload',
    path: '/identity?tab=check',
    act: async (page) => {
      await page.getByLabel(say('Token'), { exact: true }).fill(given)
      await page.getByText(say('Raw payload'), { exact: true }).first().click()
    },
  },
  {
    name: 'invoke',
    path: '/identity?tab=received',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^(Use it|Nutzen)/ })
        .first()
        .click()
      await page.getByLabel(say('Command'), { exact: true }).waitFor()
    },
  },
  {
    name: 'invoked',
    path: '/identity?tab=received',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^(Use it|Nutzen)/ })
        .first()
        .click()
      await page.getByLabel('to', { exact: true }).fill('bob@example.com')
      await page.getByRole('button', { name: say('Sign the request') }).click()
      await page.getByRole('heading', { name: say('Signed request') }).waitFor()
    },
  },
  {
    name: 'narrow',
    path: '/identity?tab=received',
    act: async (page) => {
      await page
        .getByRole('button', { name: say('Narrow and pass on') })
        .first()
        .click()
      await page.getByLabel(say('Who'), { exact: true }).waitFor()
    },
  },
  {
    name: 'mandate-filled',
    path: '/payment?tab=new',
    act: async (page) => {
      const form = card(page, say('New mandate'))
      await form.getByRole('button', { name: say('A shop, every week') }).click()
      await form.getByLabel(say('Who'), { exact: true }).fill(FRIEND)
      await form.getByLabel(say('Paid to')).fill('shop.example, market.example')
    },
  },
  {
    name: 'mandate-wrong',
    path: '/payment?tab=new',
    act: async (page) => {
      const form = card(page, say('New mandate'))
      await form.getByRole('button', { name: say('Without a budget') }).click()
      await form.getByLabel(say('Paid to')).fill('Corner Shop')
      await form.getByLabel(say('Who'), { exact: true }).fill('')
      await form.getByRole('button', { name: say('Sign the mandate') }).click()
    },
  },
  {
    name: 'mandate-details',
    path: '/payment',
    act: (page) =>
      page
        .getByRole('article', { name: 'Errands' })
        .getByRole('link', { name: say('Details') })
        .click(),
  },
  {
    name: 'mandate-end',
    path: '/payment',
    act: (page) =>
      page
        .getByRole('button', { name: say('Revoke…') })
        .first()
        .click(),
    inSight: true,
  },
  {
    name: 'payment-asked',
    path: '/identity?tab=requests',
    act: async (page) => {
      await page.getByLabel(say('Request'), { exact: true }).fill(asked.at(-1) ?? '')
      await page.getByRole('button', { name: /^Countersign|gegenzeichnen$/ }).waitFor()
    },
  },
  {
    name: 'payment-countersigned',
    path: '/identity?tab=requests',
    act: async (page) => {
      const request = waiting.pop()
      if (request === undefined) throw new Error('Each language needs a request that isn’t answered yet.')
      await page.getByLabel(say('Request'), { exact: true }).fill(request)
      await approve(page.getByRole('button', { name: /^Countersign|gegenzeichnen$/ }))
      await page.getByRole('region', { name: say('authorisation') }).waitFor()
    },
  },
  {
    name: 'payment-details',
    path: '/payment?tab=history',
    act: (page) =>
      page
        .getByRole('link', { name: say('Details') })
        .first()
        .click(),
  },
  {
    name: 'qr',
    path: '/identity?tab=overview',
    act: (page) =>
      page
        .getByRole('button', { name: /^(Show a QR code|QR-Code zeigen)/ })
        .first()
        .click(),
    inSight: true,
  },
  {
    name: 'search-results',
    path: '/search?q=holiday',
    act: (page) => page.locator('mark').first().waitFor(),
  },
  { name: 'search-nothing', path: '/search?q=zeppelin' },
  { name: 'palette', path: '/', act: (page) => page.keyboard.press('Control+k'), inSight: true },
  {
    name: 'palette-typed',
    path: '/',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('holi')
    },
    inSight: true,
  },
  {
    name: 'accounts-dialog',
    path: '/',
    act: (page) =>
      page
        .getByRole('banner')
        .getByRole('button', { name: /^(Vaults|Tresore): / })
        .click(),
    inSight: true,
  },
  ...[
    ['contact-add', '/identity?tab=contacts', 'Add a contact'],
    ['service-add', '/identity?tab=contacts', 'Add a service'],
    ['passkey-add', '/identity?tab=unlock', 'Add a passkey'],
    ['key-add', '/identity?tab=keys', 'New key'],
    ['account-remove', '/register?tab=accounts', 'Remove'],
    ['word', '/payment', 'What’s a mandate?'],
  ].map(([name = '', path = '', button = '']) => ({
    ...{ name, path },
    act: (/** @type {Page} */ page) =>
      page
        .getByRole('button', { name: say(button), exact: true })
        .first()
        .click(),
    inSight: /** @type {const} */ (true),
  })),
  ...[
    ['contact-edit', 'Edit…'],
    ['contact-merge', 'Merge…'],
    ['contact-revoke', 'Revoke everything…'],
  ].map(([name = '', button = '']) => ({
    ...{ name, path: '/identity?tab=contacts' },
    act: async (/** @type {Page} */ page) => {
      await page
        .getByRole('list', { name: say('Contacts') })
        .getByRole('button', { name: /Anna/ })
        .click()
      await page.getByRole('button', { name: say(button), exact: true }).click()
    },
    inSight: /** @type {const} */ (true),
  })),
  {
    name: 'grant-signed',
    path: '/identity?tab=grants',
    act: async (page) => {
      const form = card(page, say('New grant'))
      await form.getByRole('button', { name: say('Send email within your company') }).click()
      await form.getByLabel(say('Who'), { exact: true }).fill(FRIEND)
      await form.getByRole('button', { name: say('Sign the grant') }).click()
      await page.getByRole('heading', { name: say('Signed and stored') }).waitFor()
    },
  },
  {
    name: 'grants-select',
    path: '/identity?tab=grants',
    act: async (page) => {
      await page.getByRole('button', { name: say('Select several') }).click()
      await page.getByRole('checkbox').first().check()
    },
  },
  { name: 'shortcuts', path: '/', act: (page) => page.keyboard.press('?'), inSight: true },
]
/** An agent's request, as text. */
const REQUEST = requestText({
  command: '/msg/send',
  audience: FRIEND,
  policy: [['==', '.to', 'bob@example.com']],
  expiresIn: 604_800,
  reason: 'To send you the minutes of the meeting.',
})
/** @type {Scene[]} Documents that others open, each loaded by its address. */
const CALLED_UP = [
  {
    name: 'handed-over',
    // As a person opens the link. The token isn't there yet when this list is made.
    get path() {
      return `/identity?tab=check#token=${given}&opened=aB3_-aB3_-aB3_-aB3_-ag`
    },
    act: async (page) => {
      await page.getByRole('heading', { name: say('You were sent a grant') }).waitFor()
      await page
        .getByRole('button', { name: say('Check'), exact: true })
        .first()
        .waitFor()
    },
  },
  { name: 'connect-asked', path: `/connect#${REQUEST}` },
  {
    name: 'connect-changed',
    path: `/connect#${REQUEST}`,
    act: async (page) => {
      await page.getByText(say('What it allows')).click()
      await page.getByText(say('Change what you grant'), { exact: true }).click()
      await page.getByLabel(say('Expires')).waitFor()
    },
  },
  { name: 'connect-wrong', path: '/connect#keyhole-request-1.bm90aGluZw' },
  { name: 'connect-by-hand', path: '/connect' },
  {
    name: 'demo-app',
    path: '/demo-app',
    act: (page) =>
      page.getByRole('button', { name: say('Connect to your vault'), disabled: false }).waitFor(),
  },
  { name: 'payment-window', path: '/payment?request=1' },
]
/** @type {Scene[]} */
const LOCKED = [
  ...PAGES.filter(({ name }) => ['home', 'keys', 'grants', 'activity', 'payment'].includes(name)),
  { name: 'unlock-dialog', path: '/search', act: (page) => banner(page, 'Unlock').click(), inSight: true },
]

const folder = resolve(
  root,
  [...flags].find((each) => each.startsWith('--to='))?.slice('--to='.length) ?? 'screenshots',
)
const stored = mkdtempSync(join(tmpdir(), 'keyhole-pictures-'))
// Behind a proxy, so that each browser is a client of its own: the relay lets one address do only so much.
const relay = await openRelay({ KEYHOLE_RELAY: stored, KEYHOLE_PROXY: '1' })
const server = createClientServer(join(root, 'apps/web/dist'), { relay })
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ['--no-sandbox', '--disable-gpu'],
})
/** What moves by itself can move away under a press. */
const AS_TESTED = /** @type {const} */ ({
  ...{ baseURL: `http://localhost:${port}`, locale: 'en-GB', reducedMotion: 'reduce' },
})
/** A token that someone else gave to the vault in the pictures. */
let given = ''
/** Requests of a mandate's holder. The last one isn't answered. @type {string[]} */
const asked = []
/** Others that aren't: one for each language is countersigned before its picture. @type {string[]} */
const waiting = []

/** The language that the page speaks whose pictures are taken. */
let speaking = 'en'
const german = germanWords(join(root, 'apps/web/src'))

/** A text as the page says it. @param {string} english @param {string} [language] */
function say(english, language = speaking) {
  return language === 'de' ? (german.get(english) ?? english) : english
}

/** @param {Page} page @param {string} name */
function banner(page, name) {
  return page.getByRole('banner').getByRole('button', { name: say(name), exact: true })
}

/** The card under a heading. @param {Page} page @param {string} heading */
function card(page, heading) {
  return page.locator('section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) })
}

/** @param {Page} page */
async function call(page) {
  await page.getByRole('button', { name: say('Call'), exact: true }).click()
  await page.getByText(say('answered'), { exact: true }).waitFor()
}

/** Content below the fold loads once someone scrolls. @param {Page} page */
async function scrollDown(page) {
  await page.mouse.wheel(0, 200)
  await page.getByRole('heading', { level: 2 }).first().waitFor()
}

/** Opens the page of a grant in a list. @param {Page} page @param {string} [label] its name. Default: the first one */
async function openGrant(page, label = '') {
  const listed = label === '' ? page : page.getByRole('article', { name: label })
  await listed
    .getByRole('link', { name: /^(Details|Einzelheiten)$/ })
    .first()
    .click()
  await page.getByRole('heading', { name: /^(Where it came from|Woher sie kommt)$/ }).waitFor()
}

/** In each language it is another gate. */
function gateName() {
  return speaking === 'de' ? 'Büro-Gate' : 'Notes gate'
}

/** Reads what a gate says of itself. @param {Page} page @param {boolean} waits for its owner's answer */
async function readIntroduction(page, waits) {
  await page.getByRole('button', { name: say('Add a service') }).click()
  const text = await introductionOf(`http://localhost:${port}`, gateName(), waits)
  await page.getByLabel(say('Link from the service')).fill(text)
  await page.getByRole('button', { name: say('Read it') }).click()
  await page.getByRole('heading', { name: say('About this service') }).waitFor()
  await page.getByRole('button', { name: say('Use this name') }).click()
}

/** @param {Page} page */
async function attack(page) {
  await page
    .getByRole('button', { name: /^(Try it|Ausprobieren):/ })
    .first()
    .click()
  await page
    .getByText(/^(Refused|Abgewiesen|Abgelehnt)/)
    .first()
    .waitFor()
}

/** A page once the client runs in it. @param {Page} page */
async function open(page) {
  await page.goto('/')
  await page.locator('button:enabled').first().waitFor()
}

/** Goes there within the client, so that an open vault stays open. @param {Page} page @param {string} path */
async function go(page, path) {
  // A notice is a dialog too, but Escape doesn't close it, and it stays while the pointer is on it.
  await page.mouse.move(0, 0)
  const dialogs = page.locator('[role="dialog"]:not([aria-modal="false"]), [role="alertdialog"]')
  for (let tries = 0; (await dialogs.count()) > 0; tries += 1) {
    if (tries === 100) throw new Error(`A dialog doesn't close: ${await dialogs.first().textContent()}`)
    await page.keyboard.press('Escape')
    await page.waitForTimeout(50)
  }
  // Go through a page that doesn't exist, so that nothing opened on this one stays open.
  const lost = page.getByRole('heading', {
    level: 1,
    name: /^(There is no page here|Hier gibt es keine Seite)$/,
  })
  for (const to of ['/no/such/page', path]) {
    await page.evaluate((next) => {
      history.pushState({}, '', next)
      dispatchEvent(new PopStateEvent('popstate'))
    }, to)
    await lost.waitFor({ state: to === '/no/such/page' ? 'visible' : 'hidden' })
  }
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByRole('progressbar').first().waitFor({ state: 'detached', timeout: 10_000 })
}

/** Loads a separate document, in a page next to the one that keeps the vault open. @param {Page} page @param {string} path */
async function load(page, path) {
  await page.goto('about:blank')
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByRole('progressbar').first().waitFor({ state: 'detached', timeout: 10_000 })
}

/** @param {unknown} error */
function line(error) {
  return error instanceof Error ? error.message.split('\n')[0] : String(error)
}

/** @param {Page} page @param {string} state @param {readonly Scene[]} scenes @param {readonly {scheme: string, width: number}[]} looks @param {(page: Page, path: string) => Promise<void>} [visit] */
async function take(page, state, scenes, looks, visit = go) {
  for (const { name, path, act, inSight } of scenes.filter((scene) => isWanted(`${state}-${scene.name}`))) {
    try {
      await visit(page, path)
      await act?.(page)
    } catch (error) {
      console.error(`${state} ${name} (${speaking}): ${line(error)}`)
    }
    // What is under the pointer at one width is somewhere else at the next.
    await page.mouse.move(0, 0)
    await inEachLook(page, `${state}-${name}`, looks, inSight)
  }
}

/** Takes a page's picture in each look. @param {Page} page @param {string} name @param {readonly {scheme: string, width: number}[]} looks @param {true} [inSight] */
async function inEachLook(page, name, looks, inSight) {
  let last = ''
  for (const { scheme, width } of looks) {
    await page.emulateMedia({ colorScheme: scheme === 'dark' ? 'dark' : 'light', reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: width < 500 ? 760 : 900 })
    // A Worker draws the hole and learns of the theme a little later.
    await page.waitForTimeout(scheme === last ? 100 : 500)
    last = scheme
    await page.evaluate((whole) => {
      if (whole) scrollTo(0, 0)
      // On a picture of the whole page, what stays at the window's edge would cover a part of it.
      for (const bar of document.querySelectorAll('nav.fixed, [data-signing-bar]'))
        if (bar instanceof HTMLElement) bar.style.position = whole ? 'static' : ''
      // A page reached by keyboard shows where its focus is. One reached by a click would not.
      const focused = document.activeElement
      if (focused instanceof HTMLElement && focused.matches('h1, h2, h3, [data-page-start]')) focused.blur()
    }, !inSight)
    writeFileSync(
      join(folder, `${name}-${speaking}-${scheme}-${width}.png`),
      await settledPicture(page, !inSight),
    )
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (beyond > 0) console.log(`${name} (${speaking}) at ${width}: ${beyond} pixels beyond the edge`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

/**
 * A picture that came out the same twice. On a busy machine the browser leaves out parts of what scrolls on its own, such as the rows of a
 * list, though all of them are in the document and in their places.
 * @param {Page} page @param {boolean} fullPage
 */
async function settledPicture(page, fullPage) {
  let picture = await page.screenshot({ fullPage })
  for (let tries = 1; tries < 6; tries += 1) {
    const next = await page.screenshot({ fullPage })
    if (next.equals(picture)) break
    picture = next
  }
  return picture
}

/** Takes the pictures of what a person goes through, each story in browsers of its own. @param {readonly {scheme: string, width: number}[]} looks */
async function takeStories(looks) {
  let people = 0
  for (const [story, tell] of Object.entries(STORIES).filter(([name]) => isWanted(`story-${name}`))) {
    for (const language of SPOKEN) {
      speaking = language
      /** @type {import('@playwright/test').BrowserContext[]} */
      const opened = []
      const open = async () => {
        people += 1
        const extraHTTPHeaders = { 'x-forwarded-for': `192.0.2.${people}` }
        const context = await browser.newContext({ ...AS_TESTED, extraHTTPHeaders })
        opened.push(context)
        context.setDefaultTimeout(30_000)
        await context.addInitScript((tag) => localStorage.setItem('keyhole:language', tag), language)
        const page = await context.newPage()
        await page.setViewportSize({ width: 1440, height: 900 })
        return page
      }
      await tell({
        ...{ open, say },
        picture: async (page, name, { inSight } = {}) => {
          await page.mouse.move(0, 0)
          await inEachLook(page, `story-${name}`, looks, inSight)
        },
      }).catch((error) => console.error(`${story} (${speaking}): ${line(error)}`))
      for (const context of opened) await context.close()
    }
  }
  speaking = 'en'
}

/**
 * @param {Page} page @param {string} [name] @param {string} [at] the client's address, if the page has none yet @returns {Promise<string>} its DID
 */
async function makeVault(page, name = 'Personal', at = '/') {
  await page.goto(`${at}register`)
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('radio', { name: /^Passphrase/ }).check()
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await page.getByLabel('Confirm passphrase').fill(PASSPHRASE)
  await page.getByText(/^(Strong|Very strong)\./).waitFor()
  await page.getByRole('button', { name: 'Create vault' }).click()
  await page.getByRole('button', { name: 'Skip for now' }).click()
  const made = card(page, 'Your vault is ready')
  await made.waitFor()
  return (await made.locator('code').allTextContents())[1] ?? ''
}

/** @param {Page} page @param {{to: string, template?: string, command?: string, label: string, end: string}} wish @returns {Promise<string>} the token */
async function grant(page, { to, template, command, label, end }) {
  await go(page, '/identity?tab=grants')
  const form = card(page, 'New grant')
  if (template) await form.getByRole('button', { name: template }).click()
  if (command) await form.getByLabel('What they can do').fill(command)
  await form.getByLabel('Who', { exact: true }).fill(to)
  await form.getByLabel('Expires').click()
  await page.getByRole('option', { name: end }).click()
  await form.getByLabel('Your name for it').fill(label)
  await form.getByRole('button', { name: 'Sign the grant' }).click()
  const made = card(page, 'Signed and stored')
  await made.getByText('Exact token', { exact: true }).click()
  return (await made.getByRole('region', { name: 'token' }).textContent()) ?? ''
}

/** Names one of the keys, so that the pictures have people in them. @param {Page} page */
async function nameFriend(page) {
  await go(page, '/identity?tab=contacts')
  await page.getByRole('button', { name: 'Add a contact' }).click()
  const form = page.getByRole('dialog', { name: 'Add a contact' })
  await form.getByLabel('Name', { exact: true }).fill('Anna Berger')
  await form.getByRole('textbox', { name: 'DID' }).fill(FRIEND)
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Anna Berger', exact: true }).waitFor()
}

/** Adds a grant from a colleague to the vault. @param {Page} page @param {string} did */
async function takeIn(page, did) {
  const elsewhere = await browser.newContext(AS_TESTED)
  const colleague = await elsewhere.newPage()
  await makeVault(colleague, 'Colleague')
  given = await grant(colleague, {
    to: did,
    template: 'Send email within your company',
    label: '',
    end: 'In 7 days',
  })
  await elsewhere.close()
  await go(page, '/identity?tab=received')
  const form = card(page, 'Add a token')
  await form.getByLabel('Token', { exact: true }).fill(given)
  await form.getByLabel('Your name for it').fill('Post room')
  await form.getByRole('button', { name: 'Check and add' }).click()
  await form.getByRole('button', { name: 'Use it now' }).waitFor()
}

/** Mandates with a budget, and an agent's requests under one of them. @param {Page} page */
async function spend(page) {
  const elsewhere = await browser.newContext(AS_TESTED)
  const agent = await elsewhere.newPage()
  const did = await makeVault(agent, 'Agent')
  const token = await mandate(page, 'An agent for a day', { Who: did, 'Your name for it': 'Errands' })
  await mandate(page, 'A bill every month', { Who: FRIEND, 'Paid to': 'power.example' })
  await page.getByRole('tab', { name: 'Mandates', exact: true }).click()
  await page.getByRole('article', { name: 'Electricity' }).getByRole('button', { name: 'Suspend' }).click()
  await mandate(page, 'Small amounts, automatically', { 'Paid to': 'tea.example' })
  await go(agent, '/identity?tab=received')
  await agent.getByLabel('Token', { exact: true }).fill(token)
  await agent.getByRole('button', { name: 'Check and add' }).click()
  await agent.getByRole('button', { name: 'Use it now' }).click()
  for (const [amount, payee, order] of [
    ['1999', 'did:web:shop.example', 'A-17'],
    ['1250', 'did:web:market.example', '2026/883'],
    ['2000', 'did:web:shop.example', 'A-18'],
    ['40', 'did:web:shop.example', 'W-1'],
    ['30', 'did:web:shop.example', 'W-2'],
    ['640', 'did:web:shop.example', 'A-19'],
  ]) {
    const form = card(agent, 'Use it')
    await form.getByLabel('amount', { exact: true }).fill(amount ?? '')
    for (const [index, [name, value]] of [
      ['payee', payee],
      ['order', order],
    ].entries()) {
      await form.getByRole('button', { name: 'Add an argument' }).click()
      await form.getByLabel(`Argument ${index + 1}: name`).fill(name ?? '')
      await form.getByLabel(`Argument ${index + 1}: value`).fill(value ?? '')
    }
    const waits = order?.startsWith('W-')
    if (waits || order === 'A-19') {
      // It waits until its picture is taken in the last language.
      await form.getByLabel('Expires').click()
      await agent.getByRole('option', { name: 'In one hour' }).click()
    }
    await form.getByRole('button', { name: 'Sign the request' }).click()
    const signed = card(agent, 'Signed request')
    const text = await signed.getByRole('region', { name: 'request' }).textContent()
    if (waits) waiting.push((text ?? '').trim())
    else asked.push((text ?? '').trim())
    await signed.getByRole('button', { name: 'Another request' }).click()
  }
  await elsewhere.close()
  await go(page, '/identity?tab=requests')
  for (const request of asked.slice(0, -1)) {
    await page.getByLabel('Request', { exact: true }).fill(request)
    await approve(page.getByRole('button', { name: /^Countersign/ }))
    await page.getByRole('region', { name: 'authorisation' }).waitFor()
  }
}

/** @param {Page} page @param {string} template @param {Record<string, string>} fields @returns {Promise<string>} the token */
async function mandate(page, template, fields) {
  await go(page, '/payment?tab=new')
  const form = card(page, 'New mandate')
  await form.getByRole('button', { name: template }).click()
  for (const [label, value] of Object.entries(fields))
    await form.getByLabel(label, { exact: true }).fill(value)
  if (fields['Paid to'] === undefined) await form.getByRole('radio', { name: /^Any shop/ }).check()
  await form.getByRole('button', { name: 'Sign the mandate' }).click()
  const made = card(page, 'Signed and stored')
  await made.waitFor()
  const fold = made.getByText('Exact token', { exact: true })
  if ((await fold.count()) > 0) await fold.click()
  const token = made.getByRole('region', { name: 'token' })
  return (await token.count()) > 0 ? ((await token.textContent()) ?? '') : ''
}

/** Saves a picture as WebP, which is smallest. @param {Buffer} png @param {Page} converter @param {string} name */
async function keepSmall(png, converter, name) {
  const webp = await converter.evaluate(async (source) => {
    const image = new Image()
    image.src = `data:image/png;base64,${source}`
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), {
      width: image.width,
      height: image.height,
    })
    canvas.getContext('2d')?.drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.85).split(',')[1] ?? ''
  }, png.toString('base64'))
  const place = join(root, 'docs/pictures')
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, `${name}.webp`), Buffer.from(webp, 'base64'))
}

async function pictureReadme() {
  const context = await browser.newContext({
    baseURL: `http://localhost:${port}`,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 800 },
  })
  context.setDefaultTimeout(60_000)
  const [page, converter] = [await context.newPage(), await browser.newPage()]
  await open(page)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForTimeout(500)
  await keepSmall(await page.screenshot(), converter, 'welcome')
  await makeVault(page)
  await nameFriend(page)
  for (const wish of GRANTS) await grant(page, wish)
  for (const { name, path, act } of [...PAGES, ...OPEN].filter((scene) =>
    ['home', 'grant-filled', 'search-results'].includes(scene.name),
  )) {
    await go(page, path)
    await act?.(page)
    await page.emulateMedia({ colorScheme: name === 'search-results' ? 'dark' : 'light' })
    await page.evaluate(() => {
      scrollTo(0, 0)
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    })
    await page.waitForTimeout(500)
    await keepSmall(await page.screenshot(), converter, name)
  }
  const window = await context.newPage()
  await window.setViewportSize(WINDOW)
  await load(window, `/connect#${REQUEST}`)
  await window.getByRole('button', { name: 'Grant it' }).waitFor()
  await window.waitForTimeout(500)
  await keepSmall(await window.screenshot(), converter, 'request')
  await picturePayments(
    [{ scheme: 'light', ...WINDOW }],
    ['en'],
    (name) => name === 'handler-asked',
    async (_name, png) => {
      await keepSmall(png, converter, 'payment')
    },
  )
}

/** @param {readonly {scheme: string, width: number, height?: number}[]} looks @param {readonly string[]} languages @param {(name: string) => boolean} isAsked @param {(name: string, png: Buffer) => Promise<void> | void} keep */
async function picturePayments(looks, languages, isAsked, keep) {
  const url = `http://localhost:${port}/`
  await picturePaymentWindow({
    ...{ url, looks, languages, say, isAsked, keep },
    makeVault: (page) => makeVault(page, 'Personal', url),
    lock: async (page) => {
      await page.bringToFront()
      await banner(page, 'Lock').click()
    },
  })
}

async function pictureAll() {
  const looks = WANTED
  mkdirSync(folder, { recursive: true })
  // Only older pictures are removed, because any folder can be named.
  for (const name of only === '' ? readdirSync(folder) : [])
    if (name.endsWith('.png')) rmSync(join(folder, name))
  const context = await browser.newContext(AS_TESTED)
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  page.on('console', (message) => console.log(`${message.type()}: ${message.text()}`))
  await open(page)
  await page.getByRole('banner').getByRole('link', { name: 'Create vault' }).waitFor()
  /** @param {string} state @param {readonly Scene[]} scenes @param {typeof go} [visit] */
  const takeAll = async (state, scenes, visit) => {
    for (const language of SPOKEN) {
      // Another page, so that the first one keeps the vault open.
      const shown = await context.newPage()
      await page.evaluate((tag) => localStorage.setItem('keyhole:language', tag), language)
      await open(shown)
      speaking = language
      await take(shown, state, scenes, looks, visit)
      await shown.close()
    }
    speaking = 'en'
    await page.evaluate(() => localStorage.removeItem('keyhole:language'))
  }
  await takeAll('empty', EMPTY)
  await takeAll(
    'empty',
    CALLED_UP.filter(({ name }) => name === 'connect-asked'),
    load,
  )
  const did = await makeVault(page)
  if (only === '') await page.screenshot({ path: join(folder, 'made-vault.png'), fullPage: true })
  await takeAll('new', NEW)
  await nameFriend(page)
  for (const wish of GRANTS) await grant(page, wish)
  await takeIn(page, did)
  await spend(page)
  await takeAll('open', [...PAGES, ...OPEN])
  await takeAll('open', CALLED_UP, load)
  await go(page, '/')
  await banner(page, 'Lock').click()
  await banner(page, 'Unlock').waitFor()
  await takeAll('locked', LOCKED)
  await takeAll(
    'locked',
    CALLED_UP.filter(({ name }) => name === 'connect-asked'),
    load,
  )
  await takeStories(looks)
  await picturePayments([...looks, SHEET], SPOKEN, isWanted, (name, png) =>
    writeFileSync(join(folder, `${name}.png`), png),
  )
  const sheet = pictureSheet(folder)
  console.log(`${sheet.pictures} pictures, in one sheet: ${join(folder, 'index.html')}`)
  for (const name of sheet.missing) console.error(`No picture: ${name}`)
}

try {
  await (flags.has('--readme') ? pictureReadme() : pictureAll())
} finally {
  await browser.close()
  server.closeAllConnections()
  server.close()
  await relay?.close()
  rmSync(stored, { recursive: true, force: true })
}
