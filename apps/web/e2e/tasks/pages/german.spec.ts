import type { Page } from '@playwright/test'
import { lookWithAxe } from '../../axe-rules.ts'
import { expect, test } from '../../fixtures.ts'
import { grant, makeVault, STRANGER } from '../support/person.ts'

const WITHOUT_VAULT = [
  '/',
  '/register',
  '/register?tab=restore',
  '/register?tab=accounts',
  '/identity',
  '/identity?tab=check',
  '/payment',
  '/search',
  '/demo',
  '/demo?tab=attacks',
  '/no/such/page',
]
const SECTIONS = ['overview', 'keys', 'unlock', 'backup', 'sessions', 'accounts', 'look', 'about']
const WITH_VAULT = [
  '/',
  '/register?tab=accounts',
  ...['grants', 'received', 'contacts', 'activity', 'check', 'settings', ...SECTIONS].map(
    (tab) => `/identity?tab=${tab}`,
  ),
  '/payment',
  '/search?q=Urlaub',
]

/** The same in both languages: names, and words that German has borrowed. */
const SAME = new Set(
  'Keyhole Demo Details Name Token Tokens Passkey Passkeys Passphrase Personal Urlaub Status Version Text Budget Import Export Argumente in min max Graph Tab App Shop Corner System'.split(
    ' ',
  ),
)

/** What a person reads or hears on a page: texts, and names in attributes. */
async function read(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      const inCode = parent?.closest(
        'code, pre, output, samp, script, style, noscript, textarea, [lang]:not(html)',
      )
      if (!inCode && parent?.checkVisibility()) found.add(node.textContent ?? '')
    }
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) {
      for (const element of document.body.querySelectorAll(`[${name}]`))
        found.add(element.getAttribute(name) ?? '')
    }
    return [...found].map((text) => text.replace(/\s+/g, ' ').trim())
  })
}

/** Whether a text belongs to a language. A DID, a command, a number or a shortened key doesn't. */
function isLanguage(text: string): boolean {
  // The end of a key can be all letters and look like a word.
  const unshortened = text.replace(/\S+…\S+/g, '')
  const words = unshortened
    .split(/[^\p{L}\p{N}:/_.-]+/u)
    .filter((word) => /^\p{L}[\p{Ll}]+[.:]?$/u.test(word))
  return words.some((word) => !SAME.has(word.replace(/[.:]$/, '')))
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  // The prerendered page may still be in the last language. Its buttons are disabled until React takes over.
  await expect(page.getByRole('banner').getByRole('button').first()).toBeEnabled()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
}

/** Reads every page in both languages. @returns the texts that are the same in both, by page */
async function readBoth(page: Page, paths: readonly string[]): Promise<string[]> {
  const left: string[] = []
  for (const path of paths) {
    const texts: string[][] = []
    for (const language of ['en', 'de']) {
      await page.evaluate((chosen) => localStorage.setItem('keyhole:language', chosen), language)
      await open(page, path)
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      texts.push(await read(page))
    }
    const [english = [], german = []] = texts
    left.push(
      ...german
        .filter((text) => english.includes(text) && isLanguage(text))
        .map((text) => `${path}: ${text}`),
    )
    // German is longer: if it fits at 320 pixels and works in forced colours, English does too.
    const found = await lookWithAxe(page)
    left.push(...found.map((finding) => `${path}: ${finding}`))
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (beyond > 0) left.push(`${path}: ${beyond} pixels beyond the edge`)
  }
  return left
}

test.describe('in German, at 320 pixels, in forced colours', () => {
  test.use({ viewport: { width: 320, height: 640 }, forcedColors: 'active' })

  test('no page has English left, and every page is usable', async ({ page, context, guard }) => {
    test.setTimeout(420_000)
    guard.allow(/^Failed to load resource: the server responded with a status of 404/)
    await page.goto('/')
    const without = await readBoth(page, WITHOUT_VAULT)
    await page.evaluate(() => localStorage.setItem('keyhole:language', 'en'))
    await makeVault(page)
    await grant(page, { to: STRANGER, command: '/msg/send', label: 'Urlaub' })
    // The first page keeps the vault open for the second one.
    const reader = await context.newPage()
    await guard.watch(reader)
    await reader.goto('/')
    const withVault = await readBoth(reader, WITH_VAULT)
    expect([...without, ...withVault]).toEqual([])
  })
})
