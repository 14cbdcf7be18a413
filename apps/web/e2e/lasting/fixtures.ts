import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { type Launched, launch, newProfile, removeProfile } from './chromium.js'
import { type Site, serveVaultPage } from './site.js'

export { expect }

/** A browser whose profile stays on disk between launches. */
export class Profile {
  readonly folder: string
  /** Uncaught errors of its pages. */
  readonly errors: string[] = []
  #running: Launched | undefined

  /** @param folder the profile of a closed browser; a new one by default */
  constructor(folder = newProfile()) {
    this.folder = folder
  }

  /** Starts the browser. @returns its first page, blank */
  async start(): Promise<Page> {
    this.#running = await launch(this.folder)
    const page = this.context.pages()[0] ?? (await this.context.newPage())
    page.on('pageerror', (error) => this.errors.push(error.message))
    return page
  }

  get context(): BrowserContext {
    if (!this.#running) throw new Error('The browser of this profile is not running.')
    return this.#running.context
  }

  /** The process group of the running browser. */
  get processGroup(): number {
    const group = this.#running?.group
    if (group === undefined) throw new Error('The browser of this profile is not running.')
    return group
  }

  /** Closes the browser as a person does. */
  async close(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.close()
  }

  /** Kills the browser, as a power failure would. */
  async kill(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.kill()
  }

  async remove(): Promise<void> {
    await this.kill()
    removeProfile(this.folder)
  }
}

/** Where the enclave of several tabs runs, and whether the browser supports it: `sharedWorker` of `test.use`. */
export const WORKERS = [
  ['one shared worker', true],
  ['a worker for each tab', false],
] as const

interface Fixtures {
  profile: Profile
  /** Whether the pages of `context` have a SharedWorker. */
  sharedWorker: boolean
}

/** Playwright's test, with a page that has only a vault, and a profile that stays on disk. */
export const test = base.extend<Fixtures, { site: Site }>({
  sharedWorker: [true, { option: true }],
  context: async ({ context, sharedWorker }, use) => {
    if (!sharedWorker) {
      await context.addInitScript(() => {
        Reflect.deleteProperty(globalThis, 'SharedWorker')
      })
    }
    await use(context)
  },
  site: [
    async ({ browserName: _ }, use) => {
      const site = await serveVaultPage()
      await use(site)
      site.close()
    },
    { scope: 'worker' },
  ],
  profile: async ({ browserName: _ }, use) => {
    const profile = new Profile()
    await use(profile)
    await profile.remove()
    base.expect(profile.errors, 'uncaught errors').toEqual([])
  },
})

/** Loads the vault page and waits until its script has run. */
export async function openVaultPage(page: Page, site: Site, query = ''): Promise<void> {
  await page.goto(`${site.url}${query}`)
  await expect(page.locator('body[data-ready]')).toBeAttached()
}
