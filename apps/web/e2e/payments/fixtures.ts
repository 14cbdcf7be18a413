import { test as base, expect, type Page } from '@playwright/test'
import { type Merchant, startMerchant } from '../counterparts/merchant.js'
import { type Launched, launch, newProfile, removeProfile } from '../lasting/chromium.js'
import { makeVault, visit } from '../tasks/support/person.ts'
import { PaymentWindow } from './payment-window.js'

export { expect, PaymentWindow }

/** An amount that a merchant's page names. */
interface Sum {
  readonly label: string
  readonly amount: { readonly value: string; readonly currency: string }
}

/** What a merchant's page asks for: the arguments of a PaymentRequest. */
export interface Wanted {
  readonly methods?: readonly { readonly supportedMethods: string; readonly data?: unknown }[]
  readonly details: {
    readonly id?: string
    readonly total: Sum
    readonly displayItems?: readonly Sum[]
    readonly modifiers?: readonly {
      readonly supportedMethods: string
      readonly total?: Sum
      readonly data?: unknown
    }[]
  }
}

/** The window that the browser opens for a payment. */
export async function openedWindow({ browser }: Launched): Promise<PaymentWindow> {
  const window = await PaymentWindow.find(browser)
  if (!window) throw new Error('No window was opened.')
  return window
}

/** A shop of another origin, in a tab of the browser that has the vault. */
export class ShopPage {
  readonly page: Page
  readonly #launched: Launched

  constructor(page: Page, launched: Launched) {
    this.page = page
    this.#launched = launched
  }

  /** Presses the shop's button. @returns the window that the browser opens */
  async pay(wanted: Wanted): Promise<PaymentWindow> {
    await this.ask(wanted)
    return await openedWindow(this.#launched)
  }

  /** Presses the shop's button. @returns the window, or undefined where the browser itself refuses what is asked */
  async payOrRefused(wanted: Wanted): Promise<PaymentWindow | undefined> {
    await this.ask(wanted)
    const answer = this.page.locator('output#answer')
    return await PaymentWindow.find(
      this.#launched.browser,
      async () => ((await answer.textContent()) ?? '') !== '',
    )
  }

  /** Presses the shop's button, whatever comes of it. */
  async ask(wanted: Wanted): Promise<void> {
    await this.page.bringToFront()
    await this.page.getByLabel('Request').fill(JSON.stringify(wanted))
    await this.page.getByRole('button', { name: 'Pay' }).click()
  }

  /** Presses its other button. The window above it takes every press of a mouse. */
  async takeBack(): Promise<void> {
    await this.page.getByRole('button', { name: 'Take it back' }).dispatchEvent('click')
  }

  /** What its page was answered. */
  async answer(): Promise<unknown> {
    return JSON.parse(await this.#output('answer'))
  }

  /** What its server says to that. */
  async verdict(): Promise<unknown> {
    return JSON.parse(await this.#output('verdict'))
  }

  async #output(id: string): Promise<string> {
    const output = this.page.locator(`output#${id}`)
    await expect(output).not.toBeEmpty()
    return (await output.textContent()) ?? ''
  }
}

interface Fixtures {
  /** A browser with a profile of its own: payment handlers are installed in no other. */
  launched: Launched
  /** A tab of the client. */
  client: Page
  /** The client's address, without a slash. */
  keyhole: string
  merchant: Merchant
  shop: ShopPage
  /** A vault in the client. */
  vault: Awaited<ReturnType<typeof withVault>>
  /** The window in which tea for 25 pounds, order A-1, waits to be approved from that vault. */
  approval: PaymentWindow
}

export const test = base.extend<Fixtures>({
  launched: async ({ browserName: _ }, use) => {
    const profile = newProfile()
    const launched = await launch(profile)
    await use(launched)
    await launched.kill()
    removeProfile(profile)
  },
  keyhole: async ({ baseURL }, use) => use(new URL(baseURL ?? 'http://localhost').origin),
  client: async ({ launched }, use) => use(launched.context.pages()[0] ?? (await launched.context.newPage())),
  merchant: async ({ keyhole }, use) => {
    const merchant = await startMerchant(keyhole)
    await use(merchant)
    await merchant.close()
  },
  shop: async ({ launched, merchant }, use) => {
    const page = await launched.context.newPage()
    await page.goto(merchant.url)
    await use(new ShopPage(page, launched))
  },
  vault: async ({ client, keyhole }, use) => use(await withVault(client, keyhole)),
  approval: async ({ vault: _, merchant, shop }, use) => {
    merchant.shop.expect({ order: 'A-1', amount: 2500, currency: 'GBP' })
    const window = await shop.pay(tea('A-1'))
    await window.says('Approve £25.00')
    await use(window)
  },
})

/** Makes a vault in the client, as a person does who has never heard of the shop. */
export async function withVault(client: Page, keyhole: string) {
  return await makeVault(client, { at: keyhole })
}

/** The vault has one payment, whatever was tried. */
export async function expectOnePayment(client: Page): Promise<void> {
  await client.bringToFront()
  await visit(client, 'Payments', 'History')
  await expect(client.getByRole('list', { name: 'Payments' }).getByRole('listitem')).toHaveCount(1)
}

/** Tea for 25 pounds. */
export function tea(order: string, change: Partial<Sum['amount']> = {}): Wanted {
  return {
    details: { id: order, total: { label: 'Tea', amount: { value: '25.00', currency: 'GBP', ...change } } },
  }
}

/** Ends the service worker, as a browser may at any time. */
export async function endWorkers(client: Page): Promise<void> {
  const session = await client.context().newCDPSession(client)
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.stopAllWorkers')
  await session.detach()
}

/** Has a tab stand before everything that changes the account. */
export async function holdWriting(client: Page, address: string) {
  const name = `keyhole:write:${address}`
  await client.evaluate(
    (lock) =>
      new Promise<void>((held) => {
        void navigator.locks.request(lock, () => {
          held()
          return new Promise<void>((release) => addEventListener('go on', () => release(), { once: true }))
        })
      }),
    name,
  )
  return {
    /** Resolves when somebody waits to change it. */
    awaited: () =>
      expect
        .poll(() =>
          client.evaluate(
            async (lock) => (await navigator.locks.query()).pending?.some((each) => each.name === lock),
            name,
          ),
        )
        .toBe(true),
    now: () => client.evaluate(() => void dispatchEvent(new Event('go on'))),
  }
}
