import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { container, delegation, person } from '../../../enclave/src/test/naive-tokens.ts'
import { digestOf } from '../asking/short-code.ts'
import { fromBase64url, toBase64url } from '../codec/text.ts'
import type { Asked } from '../holder/ask.ts'
import { createHolder } from '../holder/holder.ts'
import { memoryStore } from '../stores/memory-store.ts'
import { loopback } from './loopback.ts'

const owner = person(1)
const stops: AbortController[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort(new Error('The test is over.'))
})

async function begin(timeout?: number) {
  const stop = new AbortController()
  stops.push(stop)
  const holder = createHolder({ store: memoryStore() })
  const way = loopback(timeout === undefined ? {} : { timeout })
  const asked = await holder.ask({
    vault: 'https://vault.example',
    command: '/msg/send',
    reply: way,
    signal: stop.signal,
  })
  const json = Buffer.from(fromBase64url(asked.text.replace('keyhole-request-1.', '')) ?? []).toString()
  const { reply, audience } = JSON.parse(json)
  const url = new URL(reply.loopback)
  return { asked, holder, url, audience, stop }
}

async function answerTo({ text }: Asked, said: object): Promise<string> {
  const request = toBase64url(await digestOf(text))
  return `keyhole-answer-1.${Buffer.from(JSON.stringify({ request, ...said })).toString('base64url')}`
}

const post = (url: URL, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers: { origin: url.origin, ...headers } })

const granted = (audience: string) => ({
  token: container([delegation(owner, { ...person(2), did: audience }, { cmd: '/msg/send' })]),
})

describe('an answer by loopback', () => {
  it('is taken from the page that the vault’s window goes to, and stored as a grant', async () => {
    const { asked, holder, url, audience } = await begin()
    expect(url.hostname).toBe('127.0.0.1')
    expect(url.pathname).toMatch(/^\/[\w-]{22}$/)
    const page = await fetch(url)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).toContain('location.hash')
    const { status } = await post(url, await answerTo(asked, granted(audience)))
    expect(status).toBe(204)
    expect(await asked.answer).toMatchObject({ command: '/msg/send', subject: owner.did })
    expect(await holder.grants()).toHaveLength(1)
    await expect(fetch(url)).rejects.toThrow()
  })

  it('that declines is reported', async () => {
    const { asked, url } = await begin()
    const declined = expect(asked.answer).rejects.toMatchObject({ code: 'Declined' })
    await post(url, await answerTo(asked, { refused: 'DECLINED', message: 'No.' }))
    await declined
  })

  it.each([
    ['another path', 404, ({ url }: Began) => post(new URL('/other', url), 'x')],
    ['the root', 404, ({ url }: Began) => fetch(new URL('/', url))],
    ['another method', 405, ({ url }: Began) => fetch(url, { method: 'PUT', body: 'x' })],
    ['another page', 403, ({ url, text }: Began) => post(url, text, { origin: 'https://evil.example' })],
    ['something other than a page', 403, ({ url, text }: Began) => post(url, text, { origin: 'null' })],
    [
      'another request',
      400,
      ({ url }: Began) =>
        post(url, `keyhole-answer-1.${Buffer.from('{"request":"AAAA","token":"C"}').toString('base64url')}`),
    ],
    ['something other than an answer', 400, ({ url }: Began) => post(url, 'hello')],
    ['a bare token', 400, ({ url, audience }: Began) => post(url, granted(audience).token)],
    ['an answer that is too long', 413, ({ url }: Began) => post(url, 'x'.repeat(200_000))],
  ] as const)('from %s is refused, and the real one is still accepted', async (_name, status, attack) => {
    const began = await begin()
    const { asked, url, audience } = began
    const text = await answerTo(asked, granted(audience))
    expect((await attack({ url, audience, text })).status).toBe(status)
    expect((await post(url, text)).status).toBe(204)
    expect(await asked.answer).toMatchObject({ command: '/msg/send' })
  })

  it('with another name for this address is refused', async () => {
    const { url } = await begin()
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: url.port,
        path: url.pathname,
        headers: { host: `evil.example:${url.port}` },
      }
      httpRequest(options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(404)
  })

  it('is waited for only as long as configured', async () => {
    const { asked } = await begin(1)
    await expect(asked.answer).rejects.toMatchObject({ code: 'RequestExpired' })
  })

  it('ends with its signal, and stops listening', async () => {
    const { asked, url, stop } = await begin()
    stop.abort(new Error('Enough'))
    await expect(asked.answer).rejects.toThrow('Enough')
    await expect(fetch(url)).rejects.toThrow()
  })
})

interface Began {
  readonly url: URL
  readonly audience: string
  readonly text: string
}
