// Firefox through WebDriver BiDi, which needs no driver.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { asJson, type Browser, clickActions, type Tab, typeActions } from './browser.ts'

const LISTENING = /WebDriver BiDi listening on (ws:\S+)/

interface Answer {
  readonly id?: number
  readonly type: string
  readonly error?: string
  readonly message?: string
  readonly result?: unknown
}

/** Starts Firefox with its own profile. */
export async function startFirefox(program: string): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'keyhole-firefox-'))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0']
  const running = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(running, 'exit')
  const address = await new Promise<string>((resolve, reject) => {
    running.stderr.on('data', (said) => {
      const [, found] = LISTENING.exec(String(said)) ?? []
      if (found !== undefined) resolve(found)
    })
    ended.then(() => reject(new Error('Firefox ended before it listened.')), reject)
  })
  const socket = new WebSocket(`${address}/session`)
  await once(socket, 'open')
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.on('message', (data) => {
    const answer: Answer = JSON.parse(String(data))
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  })
  let calls = 0
  async function send(method: string, params: object = {}): Promise<unknown> {
    calls += 1
    const id = calls
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { type, error, message, result } = await answered
    waiting.delete(id)
    if (type === 'error') throw new Error(`Firefox refused ${method}: ${error}: ${message}`)
    return result
  }
  await send('session.new', { capabilities: {} })
  return {
    async tab() {
      const { context } = Object(await send('browsingContext.create', { type: 'tab' }))
      return tabOf(send, String(context))
    },
    async close() {
      await send('browser.close')
      await ended
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

function tabOf(send: (method: string, params?: object) => Promise<unknown>, context: string): Tab {
  const perform = async (actions: object[]) => {
    await send('browsingContext.activate', { context })
    await send('input.performActions', { context, actions })
  }
  return {
    async open(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async call(source, args) {
      const { type, result, exceptionDetails } = Object(
        await send('script.callFunction', {
          target: { context },
          functionDeclaration: asJson(source, args),
          awaitPromise: true,
        }),
      )
      if (type !== 'success') throw new Error(`The page threw: ${Object(exceptionDetails).text}`)
      return JSON.parse(String(Object(result).value))
    },
    click: (x, y) => perform(clickActions(x, y)),
    type: (text) => perform(typeActions(text)),
  }
}
