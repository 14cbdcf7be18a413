import { afterEach, expect, it } from 'vitest'
import { type Connection, PaymentLine, PaymentOver } from './payment-line.ts'
import type { WindowState } from './worker-messages.ts'

const PAYMENT = { origin: 'https://shop.example', value: '25.00', currency: 'GBP', order: 'A-1' }
const REQUEST = { type: 'request', request: { payment: PAYMENT, timeLimit: 600_000 }, until: 1_000 }
const SHOWN: WindowState = { phase: 'payment', asked: PAYMENT, until: 1_000 }

const ports: MessagePort[] = []
afterEach(() => {
  for (const port of ports.splice(0)) port.close()
})

/** A window with a line, and the worker at its other end. */
function open(connection?: Connection) {
  const asked: string[] = []
  const heard: unknown[] = []
  let awaited: { count: number; resolve: () => void } | undefined
  let worker: MessagePort | undefined
  const line = new PaymentLine(
    connection ?? {
      ask: async (message, port) => {
        asked.push(message)
        ports.push(port)
        worker = port
        port.onmessage = ({ data }) => {
          heard.push(data)
          if (awaited && heard.length >= awaited.count) awaited.resolve()
        }
        return true
      },
    },
  )
  const states: WindowState[] = []
  let changed = () => {}
  const listen = () =>
    line.subscribe(() => {
      states.push(line.state())
      changed()
    })
  const unsubscribe = listen()
  return {
    ...{ line, asked, heard, states, listen, unsubscribe },
    say: (...messages: unknown[]) => {
      for (const message of messages) worker?.postMessage(message)
    },
    /** Resolves at the next change of what is shown. */
    change: () =>
      new Promise<void>((resolve) => {
        changed = resolve
      }),
    /** Resolves when the worker has heard so many words. */
    hearing: (count: number) =>
      new Promise<void>((resolve) => {
        awaited = { count, resolve }
        if (heard.length >= count) resolve()
      }),
  }
}

/** A window that shows its payment. */
async function showing() {
  const window = open()
  const { change, say } = window
  const shown = change()
  say(REQUEST)
  await shown
  return window
}

/** A window that was let sign. */
async function signing() {
  const window = await showing()
  const leave = window.line.askToSign()
  await window.hearing(1)
  window.say({ type: 'sign' })
  await leave
  return window
}

it('asks once for its payment, however often it is drawn, and shows the first that it gets', async () => {
  const { line, asked, say, change, states, listen, unsubscribe, hearing } = await showing()
  unsubscribe()
  listen()
  expect(asked).toEqual(['which payment is this window for'])
  expect(line.state()).toEqual(SHOWN)
  expect(Object.isFrozen(Reflect.get(line.state(), 'asked'))).toBe(true)
  const other = { ...PAYMENT, origin: 'https://evil.example' }
  const over = change()
  say({ ...REQUEST, request: { payment: other, timeLimit: 1 } }, { type: 'nothing' })
  say({ type: 'ended', status: 'aborted' })
  await over
  expect(states).toEqual([SHOWN, { phase: 'ended', how: 'aborted' }])
  await expect(line.askToSign()).rejects.toBeInstanceOf(PaymentOver)
  line.notSigned()
  await hearing(1)
})

it('takes nothing for a request that is not one to the letter', async () => {
  const { say, change, states } = open()
  const shown = change()
  say(
    ...[null, 'request', 7, [REQUEST], {}, { type: 'request' }, { ...REQUEST, until: '1000' }],
    ...[
      { ...REQUEST, more: 1 },
      { ...REQUEST, request: {} },
      { ...REQUEST, request: { payment: PAYMENT } },
    ],
    { ...REQUEST, request: { payment: { ...PAYMENT, value: 25 }, timeLimit: 1 } },
    { ...REQUEST, request: { payment: { ...PAYMENT, label: 'Tea' }, timeLimit: 1 } },
    { ...REQUEST, request: { problem: 'other', origin: undefined, timeLimit: 1 } },
    { type: 'ended', status: 'authorized' },
    { type: 'signed' },
    REQUEST,
  )
  await shown
  expect(states).toEqual([SHOWN])
})

it('can sign nothing that nobody could approve', async () => {
  const { line, say, change } = open()
  const shown = change()
  say({
    ...REQUEST,
    request: { problem: 'frame', origin: 'https://shop.example', timeLimit: 600_000 },
  })
  await shown
  expect(line.state()).toEqual({ phase: 'problem', problem: 'frame', origin: 'https://shop.example' })
  await expect(line.askToSign()).rejects.toBeInstanceOf(PaymentOver)
})

it.each<[string, Connection['ask']]>([
  ['no worker', async () => false],
  ['a worker that cannot be asked', () => Promise.reject(new Error('no worker'))],
])('waits for no payment where there is %s', async (_what, ask) => {
  const { line, change } = open({ ask })
  await change()
  expect(line.state()).toEqual({ phase: 'nothing' })
  await expect(line.askToSign()).rejects.toBeInstanceOf(PaymentOver)
})

it('waits for no payment where the worker has none for it', async () => {
  const { line, say, change } = open()
  const shown = change()
  say({ type: 'nothing' })
  await shown
  expect(line.state()).toEqual({ phase: 'nothing' })
})

it('signs with leave alone, and gives the site one answer', async () => {
  const { line, heard, hearing } = await signing()
  line.deliver('token')
  await hearing(2)
  expect(heard).toEqual(['sign', { token: 'token' }])
  expect(line.state()).toEqual({ phase: 'ended', how: 'answered' })
  await expect(line.askToSign()).rejects.toBeInstanceOf(PaymentOver)
})

it('asks for leave once at a time, and again after nothing was signed', async () => {
  const { line, heard, say, hearing } = await showing()
  const first = line.askToSign()
  await expect(line.askToSign()).rejects.toBeInstanceOf(PaymentOver)
  await hearing(1)
  say({ type: 'sign' })
  await first
  line.notSigned()
  const second = line.askToSign()
  await hearing(3)
  say({ type: 'sign' })
  await second
  expect(heard).toEqual(['sign', 'not signed', 'sign'])
})

it.each([
  [{ type: 'ended', status: 'aborted' }, 'aborted'],
  [{ type: 'ended', status: 'timeout' }, 'timeout'],
  [{ type: 'answered before' }, 'answered before'],
])('signs nothing where leave is asked for and the worker says %o', async (message, how) => {
  const { line, say } = await showing()
  const leave = line.askToSign()
  say(message)
  await expect(leave).rejects.toBeInstanceOf(PaymentOver)
  expect(line.state()).toEqual({ phase: 'ended', how })
})

it.each(['decline', 'refuse'] as const)('tells the site no: %s', async (how) => {
  const { line, heard, hearing } = await showing()
  line.end(how)
  await hearing(1)
  expect(heard).toEqual([how])
  expect(line.state()).toEqual({ phase: 'ended', how: 'answered' })
})
