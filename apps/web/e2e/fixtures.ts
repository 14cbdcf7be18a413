import { test as base, type ConsoleMessage, type Page } from '@playwright/test'
import { noteWhyStuck } from './drawing.js'

export { expect } from '@playwright/test'

/** What the product logs on purpose. Anything else on the console fails the test. */
const OWN_LOGS: readonly RegExp[] = [
  /^Keyhole: a new version is installed and ready\.$/,
  /^Keyhole: the service worker could not be registered\./,
]

/** Playwright writes this in a context that blocks service workers. */
const BLOCKED = /^Service Worker registration blocked by Playwright$/

/** What a page did that no page may do, one line each. */
export interface Guard {
  readonly findings: string[]
  /** Allows console output that a test causes, such as the browser's own line about a failed request. */
  allow(pattern: RegExp): void
  /** Allows requests to a server that the test runs. */
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
      // On the whole browser context: the service worker's requests don't belong to a page.
      page.context().on('request', (request) => onAddress(request.url()))
      page.on('websocket', (socket) => onAddress(socket.url()))
      // Browsers usually log violations too, but this also works where they don't, and it names the directive.
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

/** Waits until React has taken over the prerendered page. Before that, a link loads a new document. */
export async function running(page: Page): Promise<void> {
  // A page that came drawn waits for a sign that someone is there before the client takes over.
  await page.mouse.move(10, 10)
  await base
    .expect(page.getByRole('banner').getByRole('button', { name: 'Theme and language' }))
    .toBeEnabled()
}

/** Playwright's test. Pages may log only what the product logs on purpose, must not violate a policy, and must not contact third parties. */
export const test = base.extend<{ guard: Guard }>({
  guard: async ({ baseURL }, use) => {
    const guard = makeGuard(new URL(baseURL ?? 'http://localhost').origin)
    await use(guard)
    base.expect(guard.findings, 'console output, policy violations and requests to third parties').toEqual([])
  },
  page: async ({ page, guard }, use, info) => {
    await guard.watch(page)
    await use(page)
    await noteWhyStuck(page, info)
  },
})
