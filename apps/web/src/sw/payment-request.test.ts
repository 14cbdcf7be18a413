import { describe, expect, test } from 'vitest'
import { LONGEST_WAIT, type PaymentEventInit, readOrigin, readPaymentEvent } from './payment-request.ts'

const METHOD = 'https://keyhole.example/payment'
const EVENT: PaymentEventInit = {
  // As browsers write it.
  topOrigin: 'https://shop.example/',
  paymentRequestOrigin: 'https://shop.example/',
  paymentRequestId: 'r-1',
  methodData: [{ supportedMethods: METHOD }],
  total: { currency: 'GBP', value: '25.00' },
}

const read = (change: object) => readPaymentEvent({ ...EVENT, ...change }, METHOD)
const withData = (data: unknown) => read({ methodData: [{ supportedMethods: METHOD, data }] })

test('with only the method, the order is the request’s id', () => {
  expect(read({})).toEqual({
    payment: { origin: 'https://shop.example', value: '25.00', currency: 'GBP', order: 'r-1' },
    timeLimit: LONGEST_WAIT,
  })
})

test('the site may set its order, its time limit, and the key of its receipt', () => {
  expect(withData({ order: 'A-1', timeout: 120_000, receiptKey: 'did:key:z6Mk', amount: '1.00' })).toEqual({
    payment: {
      origin: 'https://shop.example',
      value: '25.00',
      currency: 'GBP',
      order: 'A-1',
      receiptKey: 'did:key:z6Mk',
    },
    timeLimit: 120_000,
  })
  expect(withData({ timeout: 10 * LONGEST_WAIT })).toMatchObject({ timeLimit: LONGEST_WAIT })
})

test('the origin is shown as browsers serialise it', () => {
  expect(readOrigin('https://shop.example/')).toBe('https://shop.example')
  expect(readOrigin('https://shop.example:8443')).toBe('https://shop.example:8443')
  expect(readOrigin('https://xn--shp-sna.example/')).toBe('https://xn--shp-sna.example')
})

test.each([
  ['nothing', ''],
  ['an opaque origin', 'null'],
  ['another scheme', 'file:///'],
  ['a script', 'javascript:alert(1)'],
  ['an extension', 'chrome-extension://abcdef/'],
  ['a path', 'https://shop.example/pay'],
  ['a query', 'https://shop.example/?a'],
  ['a name before the host', 'https://bank.example@shop.example/'],
  ['letters that are not yet in punycode', 'https://shöp.example/'],
  ['capitals', 'https://SHOP.example'],
  ['no text', 7],
  ['more than fits', `https://${'a'.repeat(2000)}.example`],
])('is not an origin: %s', (_what, origin) => {
  expect(readOrigin(origin)).toBeUndefined()
  expect(read({ topOrigin: origin })).toMatchObject({ problem: 'malformed', origin: undefined })
})

describe('is never shown for approval', () => {
  test.each([
    ['a frame of another site', { paymentRequestOrigin: 'https://ads.example/' }, 'frame'],
    ['a frame without an origin', { paymentRequestOrigin: 'null' }, 'frame'],
    ['no method', { methodData: [] }, 'method'],
    ['another method', { methodData: [{ supportedMethods: 'https://other.example/pay' }] }, 'method'],
    ['the method of a longer address', { methodData: [{ supportedMethods: `${METHOD}/x` }] }, 'method'],
    ['the method with a query', { methodData: [{ supportedMethods: `${METHOD}?shop=1` }] }, 'method'],
    ['the method with an empty query', { methodData: [{ supportedMethods: `${METHOD}?` }] }, 'method'],
    ['the method with a fragment', { methodData: [{ supportedMethods: `${METHOD}#shop` }] }, 'method'],
    ['the method twice', { methodData: [EVENT.methodData[0], EVENT.methodData[0]] }, 'method'],
    ['methods that aren’t a list', { methodData: { 0: EVENT.methodData[0] } }, 'malformed'],
    ['no total', { total: undefined }, 'malformed'],
    ['a total that is a list', { total: ['25.00', 'GBP'] }, 'malformed'],
    ['an amount that is a number', { total: { currency: 'GBP', value: 25 } }, 'malformed'],
    ['an endless amount', { total: { currency: 'GBP', value: '1'.repeat(5000) } }, 'malformed'],
    ['no currency', { total: { value: '25.00' } }, 'malformed'],
    ['no id', { paymentRequestId: '' }, 'malformed'],
    ['an endless id', { paymentRequestId: 'a'.repeat(5000) }, 'malformed'],
  ])('%s', (_what, change, problem) => {
    expect(read(change)).toEqual({ problem, origin: 'https://shop.example', timeLimit: LONGEST_WAIT })
  })

  test.each([
    ['data that is text', 'order'],
    ['data that is a list', []],
    ['an order that is a number', { order: 7 }],
    ['an order that is an object', { order: { toString: 'A-1' } }],
    ['an order that is a list', { order: ['A-1'] }],
    ['an order that is false', { order: false }],
    ['an endless order', { order: 'a'.repeat(5000) }],
    ['an order a character too long', { order: 'a'.repeat(1025) }],
    ['a negative time limit', { timeout: -1 }],
    ['a fractional time limit', { timeout: 1.5 }],
    ['an endless time limit', { timeout: Number.MAX_VALUE }],
    ['a time limit that isn’t a number', { timeout: Number.NaN }],
    ['a time limit as text', { timeout: '100' }],
    ['an invalid key', { receiptKey: 7 }],
    ['a key a character too long', { receiptKey: `did:key:z${'1'.repeat(1016)}` }],
  ])('%s', (_what, data) => {
    expect(withData(data)).toMatchObject({ problem: 'malformed' })
  })
})
