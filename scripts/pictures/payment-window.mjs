// Pictures of the window that the browser's payment handler opens. Playwright doesn't see it as a page.
import { startMerchant } from '../../apps/web/e2e/counterparts/merchant.js'
import { launch, newProfile, removeProfile } from '../../apps/web/e2e/lasting/chromium.js'
import { PaymentWindow } from '../../apps/web/e2e/payments/payment-window.js'

/** What shops ask for, the name of each picture, and what the window says. For the last one, the vault is locked. */
const ASKS = [
  { name: 'handler-asked', awaits: 'I want to pay this', ends: 'Decline' },
  { name: 'handler-too-exact', value: '25.001', awaits: 'Nothing was signed.', ends: 'Back to the site' },
  { name: 'handler-locked', awaits: 'The vault is locked', ends: 'Decline' },
]

/**
 * Takes pictures of the requests in that window.
 * @param {{url: string, makeVault: (page: import('@playwright/test').Page) => Promise<unknown>, lock: (page: import('@playwright/test').Page) => Promise<unknown>, languages: readonly string[], say: (english: string, language: string) => string, looks: readonly {scheme: string, width: number, height?: number}[], keep: (name: string, png: Buffer) => Promise<void> | void, isAsked: (name: string) => boolean}} options `url` of the client, with a trailing slash
 */
export async function picturePaymentWindow({ url, makeVault, lock, languages, say, looks, keep, isAsked }) {
  const asks = ASKS.filter(({ name }) => isAsked(name))
  if (asks.length === 0) return
  const profile = newProfile()
  const merchant = await startMerchant(new URL(url).origin)
  const { browser, context, close } = await launch(profile)
  try {
    const vault = await context.newPage()
    await makeVault(vault)
    const site = await context.newPage()
    await site.goto(merchant.url)
    for (const { name, value = '25.00', awaits, ends } of asks) {
      if (name === 'handler-locked') await lock(vault)
      for (const language of languages) {
        // The page of the vault goes on in English: only a page that is loaded reads it.
        await vault.evaluate((tag) => localStorage.setItem('keyhole:language', tag), language)
        await site.bringToFront()
        const total = { label: 'Tea', amount: { value, currency: 'GBP' } }
        await site.getByLabel('Request').fill(JSON.stringify({ details: { id: 'A-17', total } }))
        await site.getByRole('button', { name: 'Pay' }).click()
        const window = await PaymentWindow.find(browser)
        if (!window) throw new Error(`${name}: no window was opened`)
        await window.says(say(awaits, language))
        for (const look of looks)
          await keep(`${name}-${language}-${look.scheme}-${look.width}`, await picture(window, look))
        await window.press(say(ends, language))
        await window.closed()
        await window.leave()
      }
    }
  } finally {
    await close()
    await merchant.close()
    removeProfile(profile)
  }
}

/**
 * @param {PaymentWindow} window
 * @param {{scheme: string, width: number, height?: number}} look the whole page, unless it has a height
 */
async function picture(window, { scheme, width, height }) {
  const features = [
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]
  await window.send('Emulation.setEmulatedMedia', { features })
  const resize = (/** @type {number} */ height) =>
    window.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })
  await resize(height ?? 760)
  if (height === undefined)
    await resize(Math.max(760, await window.evaluate('document.documentElement.scrollHeight')))
  // A Worker draws the hole and learns of the theme a little later, and a button that approves becomes active after a moment.
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  const { data } = await window.send('Page.captureScreenshot')
  return Buffer.from(data, 'base64')
}
