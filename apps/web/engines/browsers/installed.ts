// The engines on this machine.
import { existsSync } from 'node:fs'
import type { Browser } from './browser.ts'
import { startFirefox } from './firefox.ts'
import { startWebKit } from './webkit.ts'

const FIREFOX = ['/usr/bin/firefox-esr', '/usr/bin/firefox']
const DRIVER = '/usr/bin/WebKitWebDriver'
/** What our browser for WebKit is written in, and what describes WebKit to it. */
const PYTHON = ['/usr/bin/python3', '/usr/lib/python3/dist-packages/gi']
const DESCRIPTIONS = ['x86_64', 'aarch64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/girepository-1.0/WebKit2-4.1.typelib`,
)
const SCREEN = '/usr/bin/Xvfb'

export interface Engine {
  readonly name: 'Firefox' | 'WebKit'
  /** Undefined if this machine has no such browser. */
  readonly start: (() => Promise<Browser>) | undefined
  /** Whether it has an origin private file system (OPFS) for the second copy. */
  readonly hasSecondCopy: boolean
}

const firefox = FIREFOX.find((path) => existsSync(path))
const hasWebKit =
  [DRIVER, SCREEN, ...PYTHON].every((path) => existsSync(path)) &&
  DESCRIPTIONS.some((path) => existsSync(path))

export const ENGINES: readonly Engine[] = [
  {
    name: 'Firefox',
    start: firefox ? () => startFirefox(firefox) : undefined,
    hasSecondCopy: true,
  },
  {
    name: 'WebKit',
    start: hasWebKit ? () => startWebKit(DRIVER) : undefined,
    hasSecondCopy: false,
  },
]
