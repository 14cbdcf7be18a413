// A Chromium started by this process. Its profile stays on disk between launches, and it can be killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { ADDRESS_BAR, findBrowser } from '../../../../scripts/browser.mjs'

const ARGUMENTS = [
  '--headless',
  '--remote-debugging-port=0',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-sync',
  '--disable-search-engine-choice-screen',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-service-autorun',
  '--password-store=basic',
  '--use-mock-keychain',
  // As Playwright does: don't slow down tabs in the background.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-back-forward-cache',
  '--disable-renderer-backgrounding',
  `--disable-features=${ADDRESS_BAR.join(',')}`,
  '--force-prefers-reduced-motion',
  '--lang=en-GB',
]

/** Files in a profile that no page has written and that Chromium creates again. */
const DISPENSABLE = /^(?:Singleton|DevToolsActivePort|.*Cache$|GrShaderCache|ShaderCache|BrowserMetrics)/

/**
 * @typedef {object} Launched
 * @property {import('@playwright/test').Browser} browser
 * @property {import('@playwright/test').BrowserContext} context of the profile
 * @property {() => Promise<void>} close closes it as a person does: everything is written
 * @property {() => Promise<void>} kill kills all its processes with SIGKILL, like a power failure
 * @property {number | undefined} group its process group
 */

/** An empty folder for a profile. */
export function newProfile() {
  return mkdtempSync(join(tmpdir(), 'keyhole-profile-'))
}

/**
 * A copy of a profile whose browser is closed.
 * @param {string} profile
 */
export function copyProfile(profile) {
  const copy = newProfile()
  cpSync(profile, copy, {
    recursive: true,
    filter: (source) => !DISPENSABLE.test(source.slice(source.lastIndexOf('/') + 1)),
  })
  return copy
}

/** @param {string} profile */
export function removeProfile(profile) {
  rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

/**
 * Starts Chromium with a profile and waits until it can be controlled.
 * @param {string} profile
 * @param {readonly string[]} [more] arguments
 * @returns {Promise<Launched>}
 */
export async function launch(profile, more = []) {
  // A killed browser leaves these behind.
  for (const name of readdirSync(profile)) if (name.startsWith('Singleton')) rmSync(join(profile, name))
  // Its own process group, so that its helper processes end with it.
  const child = spawn(findBrowser(), [...ARGUMENTS, ...more, `--user-data-dir=${profile}`, 'about:blank'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TZ: 'UTC' },
  })
  const exited = once(child, 'exit')
  /** Resolves when the browser and all its helper processes have ended. A helper may still be writing. */
  const ended = async () => {
    await exited
    // Wait at most a second: a process that has ended still counts until its parent collects it.
    for (let tries = 0; tries < 100 && signalGroup(child.pid, 'SIGKILL'); tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const kill = async () => {
    signalGroup(child.pid, 'SIGKILL')
    await ended()
  }
  try {
    const browser = await chromium.connectOverCDP(await endpoint(child))
    const [context] = browser.contexts()
    if (!context) throw new Error('Chromium has no context of its own')
    return {
      browser,
      context,
      kill,
      group: child.pid,
      close: async () => {
        const session = await browser.newBrowserCDPSession()
        await session.send('Browser.close').catch(() => undefined)
        await ended()
      },
    }
  } catch (error) {
    await kill()
    throw error
  }
}

/**
 * @param {number | undefined} group
 * @param {NodeJS.Signals} signal
 * @returns {boolean} whether any process of the group exists
 */
function signalGroup(group, signal) {
  try {
    return group !== undefined && process.kill(-group, signal)
  } catch {
    return false
  }
}

/**
 * The address that Chromium prints once it can be controlled.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<string>}
 */
function endpoint(child) {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (chunk) => {
      said += chunk
      const [, address] = /DevTools listening on (ws:\S+)/.exec(said) ?? []
      if (address) resolve(address)
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`Chromium has ended: ${said.slice(-2000)}`)))
  })
}
