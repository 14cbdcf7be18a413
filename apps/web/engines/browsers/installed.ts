// The engines on this machine.
import { existsSync } from 'node:fs'
import type { Browser } from './browser.ts'
import { startFirefox } from './firefox.ts'
import { startWebKit } from './webkit.ts'

const FIREFOX = ['/usr/bin/firefox-esr', '/usr/bin/firefox']
const DRIVER = '/usr/bin/WebKitWebDriver'
const MINI_BROWSERS = ['x86_64', 'aarch64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`,
)
const SCREEN = '/usr/bin/Xvfb'

export interface Engine {
  readonly name: 'Firefox' | 'WebKit'
  /** Undefined if this machine has no such browser. */
  readonly start: (() => Promise<Browser>) | undefined
  /** Whether it has an origin private file system (OPFS) for the second copy. */
  readonly hasSecondCopy: boolean
  /** Whether what a page stored is there after a reload. Under its driver, WebKitGTK forgets it (088). */
  readonly isLasting: boolean
}

const firefox = FIREFOX.find((path) => existsSync(path))
const miniBrowser = MINI_BROWSERS.find((path) => existsSync(path))
const hasWebKit = existsSync(DRIVER) && existsSync(SCREEN)

export const ENGINES: readonly Engine[] = [
  {
    name: 'Firefox',
    start: firefox ? () => startFirefox(firefox) : undefined,
    hasSecondCopy: true,
    isLasting: true,
  },
  {
    name: 'WebKit',
    start: miniBrowser && hasWebKit ? () => startWebKit(DRIVER, miniBrowser) : undefined,
    hasSecondCopy: false,
    isLasting: false,
  },
]
