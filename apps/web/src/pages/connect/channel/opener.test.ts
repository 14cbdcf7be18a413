import { expect, test } from 'vitest'
import { type FromOpener, isTrustworthy, readAsking } from './opener.ts'
import { PROTOCOL } from './protocol.ts'
import { hearOpener, type OpenedWindow } from './receive-request.ts'

const APP = 'https://app.example'
const REQUEST = {
  kind: 'capability',
  command: '/msg/send',
  audience: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
  policy: [],
  expiresIn: 3600,
  reason: '',
}
const ASK = { protocol: PROTOCOL, type: 'request', request: REQUEST }

function listening() {
  const target = new EventTarget()
  const told: unknown[] = []
  const opener = { postMessage: (data: unknown, to: unknown) => told.push([data, to]) }
  const own = Object.assign(target, { opener }) as unknown as OpenedWindow
  const heard: FromOpener[] = []
  const stop = hearOpener(own, (asking) => heard.push(readAsking(asking)))
  const says = (data: unknown, { origin = APP, source = opener as unknown, ports = 1 } = {}) => {
    const channels = Array.from({ length: ports }, () => new MessageChannel())
    const event = Object.assign(new Event('message'), {
      ...{ data, origin, source },
      ports: channels.map(({ port2 }) => port2),
    })
    target.dispatchEvent(event)
    return channels.map(({ port1 }) => port1)
  }
  return { told, heard, says, stop, opener }
}

/** The first message from a port. */
const first = (port: MessagePort | undefined) =>
  new Promise<unknown>((resolve) => {
    if (port) port.onmessage = ({ data }) => resolve(data)
  })

test('tells its opener that it listens, and nothing else', () => {
  const { told } = listening()
  expect(told).toEqual([[{ protocol: PROTOCOL, type: 'ready' }, '*']])
})

test('takes one request from its opener, with the origin that the browser reports, and answers once', async () => {
  const { heard, says } = listening()
  const [port] = says(ASK)
  expect(heard).toMatchObject([{ origin: APP, read: { request: REQUEST } }])
  const answer = first(port)
  heard[0]?.reply.granted('Ctoken')
  heard[0]?.reply.refused('DECLINED', 'too late')
  expect(await answer).toEqual({ protocol: PROTOCOL, type: 'granted', token: 'Ctoken' })
  says(ASK)
  says({ ...ASK, request: { ...REQUEST, command: '/msg' } })
  expect(heard).toHaveLength(1)
})

const PASSED_OVER: [name: string, data: unknown, how: Parameters<ReturnType<typeof listening>['says']>[1]][] =
  [
    ['another window of the same site', ASK, { source: {} }],
    ['a worker, or no one', ASK, { source: null }],
    ['a message without a protocol', REQUEST, {}],
    ['another version', { ...ASK, protocol: 'keyhole-connect-2' }, {}],
    ['its own message sent back', { protocol: PROTOCOL, type: 'ready' }, {}],
    ['an answer', { protocol: PROTOCOL, type: 'granted', token: 'C' }, {}],
    ['no port to answer to', ASK, { ports: 0 }],
    ['two ports', ASK, { ports: 2 }],
    ['a text', JSON.stringify(ASK), {}],
    ['nothing', null, {}],
  ]

test.each(PASSED_OVER)('ignores %s, and still hears its opener', (_name, data, how) => {
  const { heard, says } = listening()
  says(data, how)
  expect(heard).toEqual([])
  says(ASK)
  expect(heard).toHaveLength(1)
})

test.each(['null', 'http://app.example', 'file://', 'data:', ''])(
  'refuses a page whose origin is %j, and says why',
  async (origin) => {
    const { heard, says } = listening()
    const [port] = says(ASK, { origin })
    expect(heard[0]?.read).toMatchObject({ refusal: { code: 'INVALID_REQUEST' } })
    expect(await first(port)).toMatchObject({ type: 'refused', code: 'INVALID_REQUEST' })
  },
)

test('refuses an invalid request before the person is asked, the same for every vault', async () => {
  const { heard, says } = listening()
  const [port] = says({ ...ASK, request: { ...REQUEST, command: '/' } })
  expect(heard[0]?.read).toMatchObject({ refusal: { code: 'TOO_BROAD' } })
  expect(await first(port)).toEqual({
    protocol: PROTOCOL,
    type: 'refused',
    code: 'TOO_BROAD',
    message: '/ is not granted to whoever asks.',
  })
})

test('hears nothing once stopped, and nothing at all without an opener', () => {
  const { heard, says, stop } = listening()
  stop()
  says(ASK)
  expect(heard).toEqual([])
  const alone = Object.assign(new EventTarget(), { opener: null }) as unknown as OpenedWindow
  hearOpener(alone, () => expect.unreachable())
  alone.addEventListener('message', () => undefined)
})

test('trusts https, and this machine', () => {
  expect(
    ['https://a.example', 'http://localhost:1', 'http://127.0.0.1', 'http://[::1]:2'].every(isTrustworthy),
  ).toBe(true)
  expect(['http://a.example', 'http://localhost.a.example', 'null', ''].some(isTrustworthy)).toBe(false)
})
