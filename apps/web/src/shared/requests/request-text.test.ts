import { expect, test } from 'vitest'
import { EXAMPLE as GOOD } from '../../test/capability-request.ts'
import { readRequestText } from './request-text.ts'

const JSON_OF_IT = JSON.stringify(GOOD)
const asText = (json: string | Uint8Array) => `keyhole-request-1.${Buffer.from(json).toString('base64url')}`

test('reads it as text, and from the link or page it came in', () => {
  const text = asText(JSON_OF_IT)
  for (const given of [text, ` ${text}\n`, `https://vault.example/connect#${text}`])
    expect(readRequestText(given)).toEqual({ request: GOOD })
})

test('keeps integers beyond 2^53 exactly, as they will be signed', () => {
  const json = JSON_OF_IT.replace('10]', '9007199254740993]')
  expect(readRequestText(asText(json))).toEqual({
    request: { ...GOOD, policy: [['<=', '.count', 9007199254740993n]] },
  })
})

test.each([
  ['', 'nothing'],
  ['hello', 'other words'],
  ['keyhole-request-2.e30', 'another version'],
  ['keyhole-request-1.', 'nothing behind its beginning'],
  ['keyhole-request-1.!', 'invalid base64url'],
  ['keyhole-request-1.A', 'base64url of no byte'],
  [asText('{'), 'JSON that does not end'],
  [asText(JSON_OF_IT).slice(0, -9), 'a text that was cut off'],
  [asText(`${JSON_OF_IT}{}`), 'something behind it'],
  [asText(`\ufeff${JSON_OF_IT}`), 'a mark before it'],
  [asText(Buffer.from([0x22, 0xff, 0x22])), 'invalid UTF-8'],
  [asText(JSON_OF_IT.replace('10]', '1e400]')), 'a number without end'],
  [asText(JSON_OF_IT.replace('{', '{"command":"/msg",')), 'a duplicate field'],
  [asText(JSON_OF_IT.replace('[["<=",".count",10]]', '[["==",".a",{"b":1,"b":2}]]')), 'a name in it twice'],
  [asText(JSON_OF_IT.replace('3600', '3600.5')), 'half a second'],
  [asText(JSON_OF_IT.replace('3600', '9007199254740993')), 'more seconds than can be counted'],
  [asText(JSON_OF_IT.replace('10]', `${'['.repeat(9_000)}${']'.repeat(9_000)}]`)), 'lists within lists'],
  [asText(`${JSON_OF_IT}${' '.repeat(16_384)}`), 'more than is read'],
  ['\ud800', 'half a letter'],
])('doesn’t take for a request: %#', (text, what) => {
  expect(readRequestText(text), what).toMatchObject({ refusal: { code: 'INVALID_REQUEST' } })
})

test('a payment that an agent asks for by text', () => {
  const invocation = 'C'.repeat(200)
  const payment = (more: object) => readRequestText(asText(JSON.stringify({ kind: 'payment', ...more })))
  expect(payment({ invocation })).toEqual({ request: { kind: 'payment', invocation } })
  for (const wrong of [
    {},
    { invocation: '' },
    { invocation: 'pay!'.repeat(9) },
    { invocation, command: '/' },
  ])
    expect(payment(wrong)).toMatchObject({ refusal: { code: 'INVALID_REQUEST' } })
})
