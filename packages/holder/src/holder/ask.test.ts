import { describe, expect, it } from 'vitest'
import { container, delegation, person } from '../../../enclave/src/test/naive-tokens.ts'
import { digestOf, shortCode } from '../asking/short-code.ts'
import { fromBase64url, toBase64url } from '../codec/text.ts'
import { memoryStore } from '../stores/memory-store.ts'
import { createHolder } from './holder.ts'

const owner = person(1)
const REQUEST = { vault: 'https://vault.example/anything', command: '/msg/send' }
const ask = (changes: object = {}) => createHolder({ store: memoryStore() }).ask({ ...REQUEST, ...changes })

describe('a request', () => {
  it('is text, a link with the text after its #, and a code', async () => {
    const holder = createHolder({ store: memoryStore() })
    const asked = await holder.ask({
      ...REQUEST,
      policy: [['<', '.count', 5]],
      reason: 'Für den Kalender 📅',
      name: 'Agent',
    })
    expect(asked.link).toBe(`https://vault.example/connect#${asked.text}`)
    expect(asked.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
    const json = Buffer.from(fromBase64url(asked.text.replace('keyhole-request-1.', '')) ?? []).toString()
    expect(JSON.parse(json)).toEqual({
      kind: 'capability',
      command: '/msg/send',
      audience: await holder.did(),
      policy: [['<', '.count', 5]],
      expiresIn: 3_600,
      reason: 'Für den Kalender 📅',
      name: 'Agent',
    })
  })

  it.each([
    ['everything', { command: '/' }],
    ['a reserved command', { command: '/ucan' }],
    ['revoking', { command: '/ucan/revoke' }],
    ['an invalid command', { command: 'msg' }],
    ['too short a time', { expiresIn: 59 }],
    ['too long a time', { expiresIn: 31_536_001 }],
    ['an invalid time', { expiresIn: Number.NaN }],
    ['too long a reason', { reason: 'x'.repeat(301) }],
    ['too long a name', { name: 'x'.repeat(61) }],
    ['a request that is too large', { policy: [['==', '.a', 'x'.repeat(17_000)]] }],
    ['a vault without https', { vault: 'http://vault.example' }],
    ['a vault that only looks like this machine', { vault: 'http://localhost:x@vault.example' }],
    ['a vault on a host that begins like this machine', { vault: 'http://localhost.example' }],
    ['a vault without a scheme', { vault: 'vault.example' }],
    ['a vault that has no pages', { vault: 'mailto:me@vault.example' }],
    ['no vault', { vault: undefined }],
    ['no command', { command: undefined }],
    ['a reason that is not text', { reason: 5 }],
    ['a name that is not text', { name: 5 }],
    ['an introduction that is not text', { service: 5 }],
    ['a way back by its name alone', { reply: 'loopback' }],
    ['a way back that is an object', { reply: {} }],
  ])('for %s is refused', async (_name, changes) => {
    await expect(ask(changes)).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  it.each([undefined, null, {}])('of %s is refused', async (request) => {
    const asking = createHolder({ store: memoryStore() }).ask(request as never)
    await expect(asking).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  it('with a statement that does not parse is refused', async () => {
    await expect(ask({ policy: [['nor', []]] })).rejects.toMatchObject({ code: 'MalformedToken' })
  })

  it('goes to a vault on this machine without https', async () => {
    for (const vault of ['http://localhost:4273', 'http://127.0.0.1', 'http://[::1]:80/x', 'http://[::1]:1'])
      expect((await ask({ vault })).link).toContain(`${new URL(vault).origin}/connect#`)
  })
})

describe('an answer that a person brings', () => {
  it('is a token, or an answer to exactly this request', async () => {
    const holder = createHolder({ store: memoryStore() })
    const asked = await holder.ask(REQUEST)
    const token = container([
      delegation(owner, { ...person(2), did: await holder.did() }, { cmd: '/msg/send' }),
    ])
    const answer = (request: string) =>
      `keyhole-answer-1.${Buffer.from(JSON.stringify({ request, token })).toString('base64url')}`
    await expect(asked.accept(answer('A'.repeat(43)))).rejects.toMatchObject({ code: 'InvalidAnswer' })
    await expect(asked.accept('hello')).rejects.toMatchObject({ code: 'MalformedToken' })
    const grant = await asked.accept(answer(toBase64url(await digestOf(asked.text))))
    expect(grant).toMatchObject({ command: '/msg/send' })
    expect(await asked.answer).toEqual(grant)
    expect(await asked.accept(` ${token.slice(0, 50)}\n${token.slice(50)} `)).toEqual(grant)
  })
})

describe('the short code', () => {
  it('is the same for the same text, even with white space from mail, and different for any other', async () => {
    const code = async (text: string) => shortCode(await digestOf(text))
    expect(await code('keyhole-request-1.e30')).toBe(await code(' keyhole-request-1.\r\ne30\n'))
    expect(await code('keyhole-request-1.e30')).not.toBe(await code('keyhole-request-1.e31'))
    // Fixed value: both sides must show the same code in every version.
    expect(await code('keyhole-request-1.e30')).toBe('CEC8-7PCC')
  })
})
