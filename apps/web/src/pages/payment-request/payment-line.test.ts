import type { PaymentRecord } from '@keyhole/vault'
import { afterEach, describe, expect, it } from 'vitest'
import { type Connection, PaymentLine, PaymentOver, PaymentTrouble } from './payment-line.ts'
import type { WindowState } from './worker-messages.ts'

const PAYMENT = { origin: 'https://shop.example', value: '25.00', currency: 'GBP', order: 'A-1' }
const REQUEST = {
  type: 'request',
  request: { payment: PAYMENT, timeLimit: 600_000 },
  until: 1_000,
  life: 'lock-1',
}
const SHOWN: WindowState = { phase: 'payment', asked: PAYMENT, until: 1_000 }

const SIGNED: PaymentRecord = {
  ...{
    id: 'bafy1',
    task: 'bafy2',
    token: 'token',
    at: 1_000,
    expiresAt: 2_000,
    issuer: 'did:key:z6Mk',
    by: 'hand',
  },
  ...{ payee: 'did:web:shop.example', amount: 2500, currency: 'GBP', digits: 2, order: 'A-1' },
}

const ports: MessagePort[] = []
afterEach(() => {
  for (const port of ports.splice(0)) port.close()
})

/** A window with its connection, and the worker at the other end. */
function open(connection?: Connection) {
  const asked: string[] = []
  const heard: unknown[] = []
  let awaited: { count: number; resolve: () => void } | undefined
  let worker: MessagePort | undefined
  let die = () => {}
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
      gone: (life) => {
        expect(life).toBe('lock-1')
        return new Promise((resolve) => {
          die = resolve
        })
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
    /** Ends the worker: its ports close and it says nothing more. */
    die: () => die(),
    say: (...messages: unknown[]) => {
      for (const message of messages) worker?.postMessage(message)
    },
    /** Resolves at the next change of what is shown. */
    change: () =>
      new Promise<void>((resolve) => {
        changed = resolve
      }),
    /** Resolves when the worker has received this many messages. */
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

/** A window that has been allowed to sign. */
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

it('accepts only an exact request', async () => {
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
    { ...REQUEST, life: undefined },
    { type: 'signed' },
    REQUEST,
  )
  await shown
  expect(states).toEqual([SHOWN])
})

it('can’t sign a request that can’t be approved', async () => {
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
])('doesn’t wait for a payment if there is %s', async (_what, ask) => {
  const { line, change } = open({ ask, gone: () => new Promise(() => {}) })
  await change()
  expect(line.state()).toEqual({ phase: 'nothing' })
  await expect(line.askToSign()).rejects.toBeInstanceOf(PaymentOver)
})

it('doesn’t wait if the worker has no payment for it', async () => {
  const { line, say, change } = open()
  const shown = change()
  say({ type: 'nothing' })
  await shown
  expect(line.state()).toEqual({ phase: 'nothing' })
})

it('stops waiting if the worker ends before it has answered', async () => {
  const { line, change } = open()
  const ended = change()
  for (const port of ports) port.close()
  await ended
  expect(line.state()).toEqual({ phase: 'nothing' })
})

it('signs only with permission, and gives the site one answer', async () => {
  const { line, heard, hearing, say } = await signing()
  const delivered = line.deliver(SIGNED)
  await hearing(2)
  expect(heard).toEqual(['sign', { token: 'token' }])
  // Until the site has it, it is in progress.
  expect(line.state()).toEqual(SHOWN)
  await expect(line.askToSign()).rejects.toBeInstanceOf(PaymentOver)
  say({ type: 'ended', status: 'answered' })
  await delivered
  expect(line.state()).toEqual({ phase: 'ended', how: 'answered' })
  await expect(line.askToSign()).rejects.toBeInstanceOf(PaymentOver)
})

it('asks for permission once at a time, and again after nothing was signed', async () => {
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
  [{ type: 'claimed before' }, 'claimed before'],
])('signs nothing if it asks for permission and the worker says %o', async (message, how) => {
  const { line, say } = await showing()
  const leave = line.askToSign()
  say(message)
  await expect(leave).rejects.toBeInstanceOf(PaymentOver)
  expect(line.state()).toEqual({ phase: 'ended', how })
})

it.each(['decline', 'refuse'] as const)('tells the site no: %s', async (how) => {
  const { line, heard, hearing, say, change } = await showing()
  line.end(how)
  await hearing(1)
  expect(heard).toEqual([how])
  const ended = change()
  say({ type: 'ended', status: 'answered' })
  await ended
  expect(line.state()).toEqual({ phase: 'ended', how: 'answered' })
})

it('signs nothing that the worker can’t record, and asks again', async () => {
  const { line, say, hearing } = await showing()
  const leave = line.askToSign()
  say({ type: 'not claimed' })
  await expect(leave).rejects.toEqual(new PaymentTrouble('RequestNotNoted'))
  expect(line.state()).toEqual(SHOWN)
  const again = line.askToSign()
  await hearing(2)
  say({ type: 'sign' })
  await again
})

it('a request that was allowed to sign before is released once that was read', async () => {
  const { line, say, change } = await showing()
  const leave = line.askToSign()
  say({ type: 'claimed before' })
  await expect(leave).rejects.toBeInstanceOf(PaymentOver)
  line.end('refuse')
  const ended = change()
  say({ type: 'ended', status: 'answered' })
  await ended
  expect(line.state()).toEqual({ phase: 'ended', how: 'answered' })
})

describe('if the worker ends', () => {
  const lost = (signed: unknown) => ({ phase: 'ended', how: 'lost', signed })

  it('nothing more can be signed', async () => {
    const { line, die, change } = await showing()
    const ended = change()
    die()
    await ended
    expect(line.state()).toEqual(lost('nothing'))
    await expect(line.askToSign()).rejects.toBeInstanceOf(PaymentOver)
  })

  it('permission that never comes is not waited for', async () => {
    const { line, die } = await showing()
    const leave = line.askToSign()
    die()
    await expect(leave).rejects.toBeInstanceOf(PaymentOver)
    expect(line.state()).toEqual(lost('nothing'))
  })

  it('signing in progress is waited for and shown', async () => {
    const { line, die } = await signing()
    die()
    await Promise.resolve()
    expect(line.state()).toEqual(SHOWN)
    await line.deliver(SIGNED)
    expect(line.state()).toEqual(lost(SIGNED))
  })

  it('what was signed and not confirmed did not arrive', async () => {
    const { line, die } = await signing()
    const delivered = line.deliver(SIGNED)
    die()
    await delivered
    expect(line.state()).toEqual(lost(SIGNED))
  })

  it('an automatic payment is reported while it is still shown', async () => {
    const { line, die, change } = await signing()
    line.deliverLater(SIGNED, 60_000)
    const ended = change()
    die()
    await ended
    expect(line.state()).toEqual(lost(SIGNED))
  })

  it.each([
    ['nothing', (line: PaymentLine) => line.notSigned()],
    ['unknown', (line: PaymentLine) => line.unsure()],
  ] as const)('and signing ended as %s, the window says so', async (signed, end) => {
    const { line, die } = await signing()
    die()
    await Promise.resolve()
    end(line)
    expect(line.state()).toEqual(lost(signed))
  })

  it('what the site has stays its answer', async () => {
    const { line, say, die } = await signing()
    const delivered = line.deliver(SIGNED)
    say({ type: 'ended', status: 'answered' })
    await delivered
    die()
    await Promise.resolve()
    expect(line.state()).toEqual({ phase: 'ended', how: 'answered' })
  })
})
