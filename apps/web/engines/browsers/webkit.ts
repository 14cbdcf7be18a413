// WebKitGTK through WebDriver: its MiniBrowser and the driver that comes with it, on a virtual screen.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { asJson, type Browser, clickActions, type Tab, typeActions } from './browser.ts'

type Send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

/** Starts MiniBrowser. Its data is deleted when it closes. */
export async function startWebKit(driver: string, miniBrowser: string): Promise<Browser> {
  const screen = await startScreen()
  const port = await freePort()
  const running = spawn(driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: screen.display, LIBGL_ALWAYS_SOFTWARE: '1' },
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
      throw new Error(`WebKit refused ${method} ${path}: ${error}: ${message}`)
    }
    return value
  }
  const options = { binary: miniBrowser, args: ['--automation'] }
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
    },
  }
}

function tabOf(send: Send, handle: string): Tab {
  const here = () => send('POST', '/window', { handle })
  const perform = async (actions: object[]) => {
    await here()
    await send('POST', '/actions', { actions })
  }
  return {
    async open(url) {
      await here()
      await send('POST', '/url', { url })
    },
    async call(source, args) {
      await here()
      const script = `const done = arguments[arguments.length - 1];
(${asJson(source, args)})().then((value) => done({ value }), (error) => done({ error: String(error) }))`
      const { value, error } = Object(await send('POST', '/execute/async', { script, args: [] }))
      if (error !== undefined) throw new Error(`The page threw: ${error}`)
      return JSON.parse(String(value))
    },
    click: (x, y) => perform(clickActions(x, y)),
    type: (text) => perform(typeActions(text)),
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
