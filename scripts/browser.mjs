// Finds a Chromium to test in: an installed one, otherwise through apt where allowed, otherwise Playwright's own.
// Usage: node scripts/browser.mjs, prints its path.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/** Two pages that Chromium loads for its address bar, which tests don't need. Without them a new window takes half the processor time. */
export const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/**
 * The path of an installed Chromium or Chrome, or undefined.
 * @returns {string | undefined}
 * @throws {Error} if CHROMIUM names a file that doesn't exist.
 */
export function installedBrowser() {
  const named = process.env.CHROMIUM
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM names ${named}, which does not exist`)
  }
  return PLACES.find((place) => existsSync(place))
}

function playwrightOwn() {
  const { chromium } = createRequire(import.meta.url)('@playwright/test')
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}

/** @param {string} command @param {string[]} args @returns {boolean} Whether it succeeded. */
function run(command, args) {
  return spawnSync(command, args, { stdio: ['ignore', 2, 2] }).status === 0
}

function mayUseApt() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}

/**
 * The path of a Chromium or Chrome. Installs one if none is found.
 * @returns {string}
 * @throws {Error} in words, if none is found or can be installed.
 */
export function findBrowser() {
  const found = installedBrowser() ?? playwrightOwn()
  if (found) return found
  if (
    mayUseApt() &&
    run('apt-get', ['update', '-qq']) &&
    run('apt-get', ['install', '-y', '-qq', 'chromium'])
  ) {
    const fresh = installedBrowser()
    if (fresh) return fresh
  }
  if (
    run(process.execPath, [
      createRequire(import.meta.url).resolve('@playwright/test/cli'),
      'install',
      'chromium',
    ])
  ) {
    const fresh = playwrightOwn()
    if (fresh) return fresh
  }
  throw new Error(
    'No Chromium was found, and none could be installed. Install Chromium or Chrome, or set CHROMIUM to the path of one.',
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(findBrowser())
