import { expect, test } from 'vitest'
import { type PaymentEvent, PaymentService } from './payment-service.ts'

const METHOD = 'https://keyhole.example/payment'
const DECLINED = { methodName: METHOD, details: { status: 'declined' } }

/** A browser with a service: its windows, its clock, and what outlives the worker. */
function browser() {
  const timers = new Map<number, { at: number; run: () => void }>()
  const windows = new Set<string>()
  const claimed = new Set<string>()
  const notes = { isFull: false }
  let now = 1_000
  let made = 0
  const start = () =>
    new PaymentService({
      method: METHOD,
      page: '/payment?request=1',
      isThere: async (id) => windows.has(id),
      claim: async (origin, id) => {
        if (notes.isFull) throw new DOMException('No room.', 'QuotaExceededError')
        if (claimed.has(`${origin} ${id}`)) return false
        claimed.add(`${origin} ${id}`)
        return true
      },
      giveBack: async (origin, id) => {
        if (notes.isFull) throw new DOMException('No room.', 'QuotaExceededError')
        claimed.delete(`${origin} ${id}`)
      },
      life: async () => 'lock-1',
      now: () => now,
      setTimer: (run, milliseconds) => {
        made += 1
        const id = made
        timers.set(id, { at: now + milliseconds, run })
        return () => timers.delete(id)
      },
    })
  const event = (opens: string | null = 'w1', change: object = {}): PaymentEvent => ({
    topOrigin: 'https://shop.example/',
    paymentRequestOrigin: 'https://shop.example/',
    paymentRequestId: 'r-1',
    methodData: [{ supportedMethods: METHOD }],
    total: { currency: 'GBP', value: '25.00' },
    openWindow: async (url) => {
      expect(url).toBe('/payment?request=1')
      if (opens === null) return null
      windows.add(opens)
      return { id: opens }
    },
    ...change,
  })
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
  const pass = async (milliseconds: number) => {
    now += milliseconds
    for (const [id, { at, run }] of [...timers]) {
      if (at > now) continue
      timers.delete(id)
      run()
    }
    await settle()
  }
  return { start, event, pass, windows, settle, claimed, notes, timers }
}

/** A window's end of the connection, with what it hears, in order. */
async function ask(service: PaymentService, clientId: string) {
  const { port1, port2 } = new MessageChannel()
  const heard: unknown[] = []
  const waiting: ((message: unknown) => void)[] = []
  port1.onmessage = ({ data }) => {
    const next = waiting.shift()
    if (next) next(data)
    else heard.push(data)
  }
  const hears = () =>
    heard.length > 0 ? Promise.resolve(heard.shift()) : new Promise((resolve) => waiting.push(resolve))
  await service.handOver(clientId, port2)
  return { hears, say: (message: unknown) => port1.postMessage(message), close: () => port1.close() }
}

test('gives the payment to the window that its event opened, and the site what that window signed', async () => {
  const { start, event } = browser()
  const service = start()
  const answer = service.answer(event())
  const line = await ask(service, 'w1')
  expect(await line.hears()).toMatchObject({
    type: 'request',
    request: { payment: { origin: 'https://shop.example', value: '25.00', order: 'r-1' } },
    until: 601_000,
    life: 'lock-1',
  })
  line.say('sign')
  expect(await line.hears()).toEqual({ type: 'sign' })
  line.say({ token: 'the authorisation' })
  expect(await line.hears()).toEqual({ type: 'ended', status: 'answered' })
  expect(await answer).toEqual({
    methodName: METHOD,
    details: { status: 'authorized', token: 'the authorisation' },
  })
  line.close()
})

test('no other window hears of it, before or after', async () => {
  const { start, event } = browser()
  const service = start()
  const early = await ask(service, 'another')
  expect(await early.hears()).toEqual({ type: 'nothing' })
  const answer = service.answer(event())
  const other = await ask(service, 'another')
  expect(await other.hears()).toEqual({ type: 'nothing' })
  const line = await ask(service, 'w1')
  expect(await line.hears()).toMatchObject({ type: 'request' })
  // Only once: the second time, the same window is like any other.
  const again = await ask(service, 'w1')
  expect(await again.hears()).toEqual({ type: 'nothing' })
  for (const { say } of [early, other, again]) {
    say('sign')
    say({ token: 'forged' })
    say('decline')
  }
  line.say('decline')
  expect(await answer).toEqual(DECLINED)
  const late = await ask(service, 'w1')
  expect(await late.hears()).toEqual({ type: 'nothing' })
  for (const each of [early, other, again, line, late]) each.close()
})

test('something signed without permission is not an authorisation', async () => {
  const { start, event } = browser()
  const service = start()
  const answer = service.answer(event())
  const line = await ask(service, 'w1')
  await line.hears()
  for (const message of [{ token: 'unasked' }, { token: 7 }, { token: '' }, null, 7, [], 'authorized', {}])
    line.say(message)
  line.say('sign')
  expect(await line.hears()).toEqual({ type: 'sign' })
  line.say({ token: 'x'.repeat(20_000) })
  line.say('not signed')
  line.say({ token: 'too late' })
  line.say('decline')
  expect(await answer).toEqual(DECLINED)
  line.close()
})

test('what was signed is the answer, even if the window is closed while it still shows it', async () => {
  const { start, event, pass, windows, settle } = browser()
  const service = start()
  const answer = service.answer(event())
  // A port that delivers at once: the window is gone only after its message was heard.
  const heard: unknown[] = []
  const port = { onmessage: (_: { data: unknown }) => {}, postMessage: (data: unknown) => heard.push(data) }
  await service.handOver('w1', port as unknown as MessagePort)
  port.onmessage({ data: { token: 'unasked', later: true } })
  port.onmessage({ data: 'sign' })
  await settle()
  expect(heard).toMatchObject([{ type: 'request' }, { type: 'sign' }])
  port.onmessage({ data: { token: 'the authorisation', later: true } })
  windows.delete('w1')
  await pass(500)
  expect(await answer).toEqual({
    methodName: METHOD,
    details: { status: 'authorized', token: 'the authorisation' },
  })
})

test('an invalid payment never gets permission to sign', async () => {
  const { start, event } = browser()
  const service = start()
  const answer = service.answer(event('w1', { paymentRequestOrigin: 'https://ads.example/' }))
  const line = await ask(service, 'w1')
  expect(await line.hears()).toMatchObject({ type: 'request', request: { problem: 'frame' } })
  line.say('sign')
  line.say({ token: 'forged' })
  line.say('refuse')
  expect(await answer).toEqual({ methodName: METHOD, details: { status: 'refused' } })
  line.close()
})

test('a second payment while one is shown is refused, and the first stays', async () => {
  const { start, event } = browser()
  const service = start()
  const first = service.answer(event())
  expect(await service.answer(event('w2', { paymentRequestId: 'r-2' }))).toEqual({
    methodName: METHOD,
    details: { status: 'refused' },
  })
  const line = await ask(service, 'w1')
  expect(await line.hears()).toMatchObject({ request: { payment: { order: 'r-1' } } })
  line.say('decline')
  expect(await first).toEqual(DECLINED)
  line.close()
})

test('a request that was allowed to sign before is not signed again, not even by another worker', async () => {
  const { start, event } = browser()
  for (const service of [start(), start()]) {
    const answer = service.answer(event())
    const line = await ask(service, 'w1')
    await line.hears()
    line.say('sign')
    const heard = await line.hears()
    if (Object(heard).type === 'sign') {
      line.say({ token: 'once' })
      expect((await answer).details).toEqual({ status: 'authorized', token: 'once' })
    } else {
      expect(heard).toEqual({ type: 'claimed before' })
      line.say({ token: 'twice' })
      line.say('refuse')
      expect((await answer).details).toEqual({ status: 'refused' })
    }
    line.close()
  }
})

/** A window that asks to sign, and what it hears. */
async function asksToSign(service: PaymentService, window: string) {
  const line = await ask(service, window)
  expect(await line.hears()).toMatchObject({ type: 'request' })
  line.say('sign')
  return { ...line, heard: await line.hears() }
}

test('if nothing was signed the same request may be signed later, once', async () => {
  const { start, event, claimed } = browser()
  const first = start()
  const declined = first.answer(event())
  const { heard, say, close } = await asksToSign(first, 'w1')
  expect(heard).toEqual({ type: 'sign' })
  say('not signed')
  say('decline')
  expect(await declined).toEqual(DECLINED)
  expect(claimed.size).toBe(0)
  close()

  const second = start()
  const answer = second.answer(event('w2'))
  const line = await asksToSign(second, 'w2')
  expect(line.heard).toEqual({ type: 'sign' })
  // An answer can't be taken back.
  line.say({ token: 'the authorisation', later: true })
  line.say('not signed')
  line.say({ token: 'the authorisation' })
  expect((await answer).details).toEqual({ status: 'authorized', token: 'the authorisation' })
  expect(claimed.size).toBe(1)
  line.close()
})

test('asked again at once after nothing was signed, it gets permission again', async () => {
  const { start, event } = browser()
  const service = start()
  const answer = service.answer(event())
  const line = await asksToSign(service, 'w1')
  line.say('not signed')
  line.say('sign')
  expect(await line.hears()).toEqual({ type: 'sign' })
  line.say({ token: 'the authorisation' })
  expect((await answer).details).toEqual({ status: 'authorized', token: 'the authorisation' })
  line.close()
})

test('a worker that ends during signing leaves a request that is never signed again', async () => {
  const { start, event } = browser()
  const ended = start()
  void ended.answer(event())
  const orphan = await asksToSign(ended, 'w1')
  expect(orphan.heard).toEqual({ type: 'sign' })

  const next = start()
  const answer = next.answer(event('w2'))
  const line = await asksToSign(next, 'w2')
  expect(line.heard).toEqual({ type: 'claimed before' })
  // Only the window with permission can give it back.
  line.say('not signed')
  line.say('sign')
  expect(await line.hears()).toEqual({ type: 'claimed before' })
  line.say('refuse')
  expect((await answer).details).toEqual({ status: 'refused' })
  for (const each of [orphan, line]) each.close()
})

test('nothing gets permission to sign until that can be recorded', async () => {
  const { start, event, notes } = browser()
  const service = start()
  const answer = service.answer(event())
  notes.isFull = true
  const line = await asksToSign(service, 'w1')
  expect(line.heard).toEqual({ type: 'not claimed' })
  line.say({ token: 'without leave' })
  notes.isFull = false
  line.say('sign')
  expect(await line.hears()).toEqual({ type: 'sign' })
  line.say({ token: 'the authorisation' })
  expect((await answer).details).toEqual({ status: 'authorized', token: 'the authorisation' })
  line.close()
})

test('a record that can’t be removed stops others from signing, not the window that made it', async () => {
  const { start, event, notes, claimed } = browser()
  const service = start()
  const answer = service.answer(event())
  const line = await asksToSign(service, 'w1')
  notes.isFull = true
  line.say('not signed')
  line.say('sign')
  expect(await line.hears()).toEqual({ type: 'sign' })
  line.say('not signed')
  line.say('decline')
  expect(await answer).toEqual(DECLINED)
  expect(claimed.size).toBe(1)
  line.close()
})

test('a request taken back before its window opens leaves no timer behind', async () => {
  const { start, event, settle, timers } = browser()
  const service = start()
  let open = (_: { id: string }) => {}
  const opening = new Promise<{ id: string }>((resolve) => {
    open = resolve
  })
  const answer = service.answer(event('w1', { openWindow: () => opening }))
  expect(service.abort()).toBe(true)
  expect((await answer).details).toEqual({ status: 'aborted' })
  open({ id: 'w1' })
  await settle()
  expect(timers.size).toBe(0)
})

test('the site can take its request back until signing starts', async () => {
  const { start, event } = browser()
  const service = start()
  expect(service.abort()).toBe(false)
  const answer = service.answer(event())
  const line = await ask(service, 'w1')
  await line.hears()
  expect(service.abort()).toBe(true)
  expect(await line.hears()).toEqual({ type: 'ended', status: 'aborted' })
  expect((await answer).details).toEqual({ status: 'aborted' })
  expect(service.abort()).toBe(false)
  line.close()

  const second = service.answer(event('w2', { paymentRequestId: 'r-2' }))
  const signing = await ask(service, 'w2')
  await signing.hears()
  signing.say('sign')
  expect(await signing.hears()).toEqual({ type: 'sign' })
  expect(service.abort()).toBe(false)
  signing.say({ token: 'signed' })
  expect((await second).details).toEqual({ status: 'authorized', token: 'signed' })
  signing.close()
})

test('the time limit ends an unanswered request, but not one being signed', async () => {
  const { start, event, pass } = browser()
  const service = start()
  const short = { methodData: [{ supportedMethods: METHOD, data: { timeout: 5_000 } }] }
  const answer = service.answer(event('w1', short))
  const line = await ask(service, 'w1')
  await line.hears()
  line.say('sign')
  await line.hears()
  await pass(6_000)
  line.say('not signed')
  // The time limit passed in the meantime.
  let ended: unknown
  void line.hears().then((message) => {
    ended = message
  })
  while (ended === undefined) {
    await new Promise((resolve) => setTimeout(resolve))
    await pass(0)
  }
  expect(ended).toEqual({ type: 'ended', status: 'timeout' })
  expect((await answer).details).toEqual({ status: 'timeout' })
  line.close()
})

test('a window that is closed, or never opened, declines', async () => {
  const { start, event, pass, windows, settle } = browser()
  const service = start()
  const answer = service.answer(event())
  const line = await ask(service, 'w1')
  await line.hears()
  await settle()
  windows.delete('w1')
  await pass(500)
  expect(await answer).toEqual(DECLINED)
  line.close()
  expect(await service.answer(event(null))).toEqual(DECLINED)
  expect(await service.answer(event('w3', { openWindow: () => Promise.reject(new Error('no')) }))).toEqual(
    DECLINED,
  )
})
