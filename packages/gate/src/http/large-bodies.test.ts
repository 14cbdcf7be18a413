import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { LargeBodies } from './large-bodies.ts'

/** A request whose body has not arrived. */
function request(headers: object = { 'content-length': '4000000' }, url = '/mcp/files') {
  const made = Object.assign(new EventEmitter(), {
    url,
    headers,
    response: new EventEmitter(),
    isDestroyed: false,
    destroy() {
      made.isDestroyed = true
      made.emit('close')
    },
  })
  return made
}
type Made = ReturnType<typeof request>
const admit = (bodies: LargeBodies, made: Made, address?: string) =>
  bodies.admit(made as unknown as IncomingMessage, made.response as unknown as ServerResponse, address)

it('lets sixteen of one network arrive, and the next once one of them has', () => {
  const bodies = new LargeBodies()
  const made = Array.from({ length: 17 }, (_, at) =>
    request(at % 2 ? undefined : { 'transfer-encoding': 'chunked' }),
  )
  const admitted = made.map((each, at) => admit(bodies, each, `2001:db8::${at}`))
  expect(admitted).toEqual([...Array(16).fill(true), false])
  expect(admit(bodies, request({ 'content-length': '65536' }), '2001:db8::')).toBe(true)
  expect(admit(bodies, request({}), '2001:db8::')).toBe(true)
  for (const end of [made[3], made[4]?.response]) {
    end?.emit('close')
    expect(admit(bodies, request(), '2001:db8::')).toBe(true)
    expect(admit(bodies, request(), '2001:db8::')).toBe(false)
  }
})

it('has a place for another network, however many a few send', () => {
  const bodies = new LargeBodies()
  const made = Array.from({ length: 64 }, () => request())
  for (const [at, each] of made.entries()) admit(bodies, each, `192.0.2.${at % 4}`)
  const other = request()
  expect(admit(bodies, other, '198.51.100.1')).toBe(true)
  expect(made.filter(({ isDestroyed }) => isDestroyed)).toHaveLength(1)
  for (let at = 0; at < 100; at += 1) admit(bodies, request(), `203.0.113.${at % 3}`)
  expect(other.isDestroyed).toBe(false)
})

it('takes no place from a network that has one, for one more network', () => {
  const bodies = new LargeBodies()
  const made = Array.from({ length: 65 }, () => request())
  const admitted = made.map((each, at) => admit(bodies, each, `192.0.2.${at}`))
  expect(admitted).toEqual([...Array(64).fill(true), false])
  expect(made.filter(({ isDestroyed }) => isDestroyed)).toEqual([])
  made[3]?.emit('close')
  expect(admit(bodies, request(), '198.51.100.1')).toBe(true)
  expect(admit(bodies, request(), '198.51.100.2')).toBe(false)
})

it.each([
  ['/mcp', true],
  ['/./mcp/files', true],
  ['/x/../mcp/files', true],
  ['/%2e/mcp/files', true],
  ['//mcp:x/../../mcp/files', true],
  ['http://127.0.0.1/mcp/files?x', true],
  ['http:///127.0.0.1/mcp/files', true],
  ['/http/mcp', false],
  ['/gate?/mcp/files', false],
  ['http://[/mcp/files', false],
])('goes by the path that is served, however it is written: %j', (url, isCounted) => {
  const bodies = new LargeBodies()
  for (let at = 0; at < 16; at += 1) expect(admit(bodies, request(undefined, url))).toBe(true)
  expect(admit(bodies, request(undefined, url))).toBe(!isCounted)
})
