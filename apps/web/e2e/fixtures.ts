import { test as base, type ConsoleMessage, type Page } from '@playwright/test'

export { expect } from '@playwright/test'

/** What the product says on the console by design; everything else on it fails the test. */
const OWN_LOGS: readonly RegExp[] = [
  /^Keyhole: a new version is installed and ready\.$/,
  /^Keyhole: the service worker could not be registered\./,
]

/** Playwright's, in a context that blocks service workers. */
const BLOCKED = /^Service Worker registration blocked by Playwright$/

/** What a page did that no page may do: one line each. */
export interface Guard {
  readonly findings: string[]
  /** Lets console output that a test provokes through: what the browser itself writes of a failed request, say. */
  allow(pattern: RegExp): void
  /** Lets requests to a server of the test's own through. */
  counterpart(origin: string): void
  /** Watches another page of the same test. */
  watch(page: Page): Promise<void>
}

function makeGuard(origin: string): Guard {
  const findings: string[] = []
  const allowed = [...OWN_LOGS, BLOCKED]
  const counterparts = new Set<string>([origin])
  const onConsole = (message: ConsoleMessage) => {
    const text = message.text()
    if (allowed.some((pattern) => pattern.test(text))) return
    findings.push(`console.${message.type()}: ${text}`)
  }
  const onAddress = (address: string) => {
    const { protocol, origin: from, href } = new URL(address)
    if (/^(?:https?|wss?):$/.test(protocol) && !counterparts.has(from)) findings.push(`third party: ${href}`)
  }
  return {
    findings,
    allow: (pattern) => {
      allowed.push(pattern)
    },
    counterpart: (from) => {
      counterparts.add(from)
    },
    watch: async (page) => {
      page.on('console', onConsole)
      page.on('pageerror', (error) => findings.push(`uncaught: ${error.message}`))
      // Of the whole browser context: the service worker's requests are nobody's page.
      page.context().on('request', (request) => onAddress(request.url()))
      page.on('websocket', (socket) => onAddress(socket.url()))
      // A violation is also written to the console; this says which directive, also where the console is silent.
      await page.exposeFunction('keyholeViolation', (text: string) => {
        findings.push(`policy violation: ${text}`)
      })
      await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          const report: unknown = Reflect.get(window, 'keyholeViolation')
          if (typeof report === 'function') report(`${event.violatedDirective} ${event.blockedURI}`)
        })
      })
    },
  }
}

/** Waits until the client has taken the place of what the page came with: before that a link loads a document of its own. */
export async function running(page: Page): Promise<void> {
  // The landing is left to be read for a while, unless somebody is there.
  await page.mouse.move(10, 10)
  await base.expect(page.getByRole('button', { name: 'Theme and language' })).toBeEnabled()
}

/** Playwright's test, whose pages may write nothing to the console but our own logs, break no policy, and ask no third party. */
export const test = base.extend<{ guard: Guard }>({
  guard: async ({ baseURL }, use) => {
    const guard = makeGuard(new URL(baseURL ?? 'http://localhost').origin)
    await use(guard)
    base.expect(guard.findings, 'console output, policy violations and requests to third parties').toEqual([])
  },
  page: async ({ page, guard }, use) => {
    await guard.watch(page)
    await use(page)
  },
})
