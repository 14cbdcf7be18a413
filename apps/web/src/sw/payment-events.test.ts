import { expect, test, vi } from 'vitest'
import { handlePayments } from './payment-events.ts'

/** A worker with only events: looking for storage, windows or a vault fails. */
function bareWorker() {
  const events = new EventTarget()
  const has = {
    location: { origin: 'https://keyhole.example' },
    addEventListener: events.addEventListener.bind(events),
  }
  const worker = new Proxy(has, {
    get: (target, name) => {
      if (name in target) return Reflect.get(target, name)
      throw new Error(`The worker was asked for its ${String(name)}.`)
    },
  })
  handlePayments(worker as unknown as ServiceWorkerGlobalScope)
  return events
}

/** A browser's question, and the answer, which must be single and immediate. */
function answerTo(events: EventTarget, name: string, asked: object): unknown[] {
  const respondWith = vi.fn()
  events.dispatchEvent(Object.assign(new Event(name), { respondWith, ...asked }))
  return respondWith.mock.calls
}

test.each([
  ['nothing said', {}],
  ['a site', { topOrigin: 'https://shop.example/', paymentRequestOrigin: 'https://shop.example/' }],
  [
    'a frame of another site',
    { topOrigin: 'https://shop.example/', paymentRequestOrigin: 'https://ads.example/' },
  ],
  ['another method', { methodData: [{ supportedMethods: 'https://other.example/pay' }] }],
  ['data of a wrong shape', { methodData: 'everything', modifiers: 7 }],
])('can always be used to pay, for any site and in any state: %s', (_what, asked) => {
  const events = bareWorker()
  expect(answerTo(events, 'canmakepayment', asked)).toEqual([[true]])
  // The answer is the same when asked again.
  expect(answerTo(events, 'canmakepayment', asked)).toEqual([[true]])
})

test('nothing can be taken back while nothing is shown', () => {
  expect(answerTo(bareWorker(), 'abortpayment', {})).toEqual([[false]])
})
