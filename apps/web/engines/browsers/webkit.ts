// WebKitGTK through its driver, in a browser of ours (webkit-browser.py), on a virtual screen.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { asJson, type Browser, type Tab } from './browser.ts'

/** The key of an element's reference (WebDriver, 12.1). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/** How long a function in the page may take, in milliseconds. */
const LONGEST_CALL = 120_000

const BROWSER = join(import.meta.dirname, 'webkit-browser.py')

/** Draw without a graphics card and without OpenGL: in Mesa's software OpenGL, WebKit's page crashes now and then (088). */
const DRAWING = { WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1' }

type Send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

/** Starts the browser. Its data is deleted when it closes. */
export async function startWebKit(driver: string): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'keyhole-webkit-'))
  const screen = await startScreen()
  const port = await freePort()
  const running = spawn(driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, ...DRAWING, DISPLAY: screen.display },
  })
  const ended = once(running, 'exit')
  const origin = `http://127.0.0.1:${port}`
  for (const until = Date.now() + 20_000; ; await wait(100)) {
    try {
      await fetch(`${origin}/status`)
      break
    } catch (error) {
      if (Date.now() > until) throw error
    }
  }
  let session = ''
  const send: Send = async (method, path, body) => {
    const request: RequestInit = body === undefined ? { method } : { method, body: JSON.stringify(body) }
    const response = await fetch(`${origin}/session${session}${path}`, request)
    const { value } = Object(await response.json())
    if (!response.ok) {
      const { error, message } = Object(value)
      const said = `WebKit refused ${method} ${path}: ${error}: ${message}${whyEnded(profile)}`
      throw Object.assign(new Error(said), { code: error })
    }
    return value
  }
  const options = { binary: BROWSER, args: [profile] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } }
  session = `/${Object(await send('POST', '', { capabilities })).sessionId}`
  await send('POST', '/timeouts', { script: 120_000 })
  await send('POST', '/window/rect', { width: 1400, height: 900 })
  let first: unknown = await send('GET', '/window')
  return {
    async tab() {
      const handle = first ?? Object(await send('POST', '/window/new', { type: 'tab' })).handle
      first = undefined
      return tabOf(send, String(handle))
    },
    async close() {
      await send('DELETE', '')
      await end(running, ended)
      await screen.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** The reason that the browser wrote down, because the driver doesn't tell a crash from a hang. */
function whyEnded(profile: string): string {
  const file = join(profile, 'ended')
  return existsSync(file) ? ` The page's process ended: ${readFileSync(file, 'utf8')}` : ''
}

function tabOf(send: Send, handle: string): Tab {
  const here = () => send('POST', '/window', { handle })
  /** The path of an element that an endpoint or a script returned. */
  const pathOf = (element: unknown) => {
    const id = Object(element)[ELEMENT]
    if (typeof id !== 'string') throw new Error('There is no element there.')
    return `/element/${id}`
  }
  return {
    async open(url) {
      await here()
      await send('POST', '/url', { url })
    },
    async call(source, args) {
      await here()
      // Not /execute/async: the driver can't read its answer now and then. A page that was left takes the answer with it.
      const start = `const answer = {}; globalThis.answerToTest = answer;
(${asJson(source, args)})().then((value) => Object.assign(answer, { value }), (error) => Object.assign(answer, { error: String(error) }))`
      const read = 'return JSON.stringify(globalThis.answerToTest ?? null)'
      const run = async (script: string) => {
        for (const until = Date.now() + LONGEST_CALL; ; await wait(50)) {
          try {
            return await send('POST', '/execute/sync', { script, args: [] })
          } catch (error) {
            // What the driver says of a script whose page was left meanwhile.
            const wasLeft = Object(error).code === 'unknown error'
            if (!wasLeft || Date.now() > until) throw error
          }
        }
      }
      await run(start)
      for (const until = Date.now() + LONGEST_CALL; ; await wait(10)) {
        const answer: { value?: string; error?: string } | null = JSON.parse(String(await run(read)))
        if (answer === null) await run(start)
        if (answer?.error !== undefined) throw new Error(`The page threw: ${answer.error}`)
        if (answer?.value !== undefined) return JSON.parse(answer.value)
        if (Date.now() > until) throw new Error('The page never answered.')
      }
    },
    // The driver loses track of /actions now and then: it answers "An unknown error occurred" to a click that arrived, and to all after it.
    async click(x, y) {
      await here()
      // The driver finds no way to click a part of a picture or of a list's text: take what holds it.
      const script = `const there = document.elementFromPoint(arguments[0], arguments[1]);
return there?.closest('a, button, summary, label, input, textarea, select, [role], p, li') ?? there`
      const element = await send('POST', '/execute/sync', { script, args: [x, y] })
      await send('POST', `${pathOf(element)}/click`, {})
    },
    async type(text) {
      await here()
      // The browser's own editing command: the page gets the same input events as from keys.
      const script = 'return document.execCommand("insertText", false, arguments[0])'
      const isTyped = await send('POST', '/execute/sync', { script, args: [text] })
      if (isTyped !== true) throw new Error('Nothing that takes text has the focus.')
    },
  }
}

/** A virtual screen. Xvfb chooses its number. */
async function startScreen() {
  const running = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x960x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const ended = once(running, 'exit')
  const [number] = await once(Object(running.stdio[3]), 'data')
  return { display: `:${String(number).trim()}`, close: () => end(running, ended) }
}

async function end(running: ChildProcess, ended: Promise<unknown>): Promise<void> {
  running.kill()
  await ended
}

/** A port that no one listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}
