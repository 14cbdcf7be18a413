import { describe, expect, it, vi } from 'vitest'
import { container, delegation, person } from '../../../enclave/src/test/naive-tokens.ts'
import { digestOf } from '../asking/short-code.ts'
import { fromBase64url, toBase64url } from '../codec/text.ts'
import { Budget } from '../codec/work-budget.ts'
import { createHolder } from '../holder/holder.ts'
import { memoryStore } from '../stores/memory-store.ts'
import { json, relayDouble, seal } from '../test/relay-double.ts'
import { validateInvocation } from '../test/validate.ts'
import { readTokens } from '../token/read.ts'
import { mailbox } from './mailbox.ts'
import { makeSealKey, openSealed, sealInfo } from './sealed-answer.ts'

const owner = person(1)
const REQUEST = { vault: 'https://vault.example', command: '/msg/send' }
const OPENED = json(201, { expires_in: 600, interval: 5 })
const PENDING = json(400, { error: 'authorization_pending' })

/** The part of a request about its reply. */
function requestIn(text: string) {
  const bytes = fromBase64url(text.replace('keyhole-request-1.', ''))
  return JSON.parse(Buffer.from(bytes ?? []).toString())
}

/** A holder that has asked with a mailbox; `answers` are the relay's answers to its polls. */
async function begin(answers: Parameters<typeof relayDouble>[0], signal?: AbortSignal) {
  const relay = relayDouble([OPENED, ...answers])
  const waits: number[] = []
  let now = 1_800_000_000_000
  const holder = createHolder({ store: memoryStore(), clock: () => now })
  const way = mailbox({
    relay: 'https://vault.example/relay',
    fetch: relay.fetch,
    clock: () => now,
    wait: async (milliseconds) => {
      waits.push(milliseconds / 1_000)
      now += milliseconds
    },
  })
  const asked = await holder.ask({ ...REQUEST, reply: way, ...(signal ? { signal } : {}) })
  return { asked, holder, relay, waits }
}

/** A relay's answer to a poll with a sealed answer from a vault. */
function left(text: Promise<string>, answer: (digest: string, audience: string) => unknown) {
  return async () => {
    const { reply, audience } = requestIn(await text)
    const digest = await digestOf(await text)
    const plain = new TextEncoder().encode(JSON.stringify(answer(toBase64url(digest), audience)))
    const key = fromBase64url(reply.key) ?? new Uint8Array()
    return Response.json({ message: toBase64url(await seal(key, digest, reply.mailbox, plain)) })
  }
}

/** The text of a request that is only made after the relay has been called. */
function later() {
  let tell = (_text: string) => {}
  const text = new Promise<string>((resolve) => {
    tell = resolve
  })
  return { text, tell }
}

const grantTo = (did: string) =>
  container([delegation(owner, { ...person(2), did }, { cmd: '/msg/send', nonce: Buffer.alloc(12) })])

describe('an answer by a mailbox', () => {
  it('is fetched, opened, and stored as a grant', async () => {
    const { text, tell } = later()
    const { asked, holder, relay, waits } = await begin([
      PENDING,
      PENDING,
      left(text, (request, audience) => ({ request, token: grantTo(audience) })),
    ])
    tell(asked.text)
    const grant = await asked.answer
    expect(grant).toMatchObject({ command: '/msg/send', subject: owner.did })
    expect(await holder.grants()).toEqual([grant])
    expect(waits).toEqual([5, 5])
    expect(relay.asked.map(({ path }) => path)).toEqual([
      '/relay/mailboxes',
      '/relay/mailboxes/read',
      '/relay/mailboxes/read',
      '/relay/mailboxes/read',
    ])
  })

  it('is requested with the mailbox’s own key, for this relay only', async () => {
    const { asked, relay } = await begin([json(400, { error: 'expired' })])
    await expect(asked.answer).rejects.toMatchObject({ code: 'RequestExpired' })
    const { reply } = requestIn(asked.text)
    expect(reply).toMatchObject({
      relay: 'https://vault.example/relay',
      mailbox: expect.stringMatching(/^did:key:z6Mk/),
    })
    for (const { token } of relay.asked) {
      const verdict = await validateInvocation({
        invocation: token,
        now: 1_800_000_000,
        audience: 'did:web:vault.example',
      })
      expect(verdict).toMatchObject({ valid: true, chain: [] })
      const [invocation] = await readTokens(token, new Budget())
      expect(invocation).toMatchObject({ iss: reply.mailbox, sub: reply.mailbox })
    }
  })

  it('is polled more slowly, permanently, if the relay says so', async () => {
    const SLOW = json(400, { error: 'slow_down' })
    const { asked, waits } = await begin([SLOW, PENDING, SLOW, PENDING, json(400, { error: 'expired' })])
    await expect(asked.answer).rejects.toMatchObject({ code: 'RequestExpired' })
    expect(waits).toEqual([10, 10, 15, 15])
  })

  it('is waited for while the relay cannot be reached, longer each time, until the request expires', async () => {
    const broken = () => Promise.reject(new TypeError('fetch failed'))
    const { asked, waits } = await begin([broken, json(503, {}), broken])
    await expect(asked.answer).rejects.toMatchObject({ code: 'RequestExpired' })
    expect(waits.slice(0, 6)).toEqual([1, 2, 4, 8, 16, 30])
    expect(waits.reduce((sum, wait) => sum + wait)).toBe(600)
  })

  it.each([
    ['declined', (request: string) => ({ request, refused: 'DECLINED', message: 'No.' }), 'Declined'],
    [
      'refused',
      (request: string) => ({ request, refused: 'TOO_BROAD', message: 'Too much.' }),
      'RequestRefused',
    ],
    ['for another request', () => ({ request: 'A'.repeat(43), token: 'C' }), 'InvalidAnswer'],
    ['malformed', (request: string) => ({ request }), 'InvalidAnswer'],
    ['not an object', () => 7, 'InvalidAnswer'],
    ['with an invalid token', (request: string) => ({ request, token: 'Cnone' }), 'MalformedToken'],
    [
      'with a grant for someone else',
      (request: string) => ({ request, token: grantTo(person(5).did) }),
      'InvalidAudience',
    ],
  ] as const)('that is %s is reported as such', async (_name, answer, code) => {
    const { text, tell } = later()
    const { asked, holder } = await begin([left(text, answer)])
    tell(asked.text)
    await expect(asked.answer).rejects.toMatchObject({ code })
    expect(await holder.grants()).toEqual([])
  })

  it.each([
    ['a relay that opens no mailbox', [json(429, {})]],
    ['something other than a relay', [() => new Response('<html>')]],
    ['no relay', [() => Promise.reject(new TypeError('fetch failed'))]],
  ])('is not started with %s', async (_name, answers) => {
    const { fetch } = relayDouble(answers)
    const holder = createHolder({ store: memoryStore() })
    const way = mailbox({ relay: 'https://vault.example/relay', fetch })
    await expect(holder.ask({ ...REQUEST, reply: way })).rejects.toMatchObject({ code: 'RelayFailed' })
  })

  it('ends with its signal', async () => {
    const stop = new AbortController()
    const { asked } = await begin([() => new Promise<Response>(() => {})], stop.signal)
    stop.abort(new Error('Enough'))
    await expect(asked.answer).rejects.toThrow('Enough')
  })

  it('reads no more than the longest answer', async () => {
    const { asked } = await begin([
      () => new Response(JSON.stringify({ message: 'A'.repeat(1 << 20) })),
      json(400, { error: 'expired' }),
    ])
    await expect(asked.answer).rejects.toMatchObject({ code: 'RelayFailed' })
  })

  it('is refused for a relay without https', () => {
    expect(() => mailbox({ relay: 'http://relay.example' })).toThrow(
      expect.objectContaining({ code: 'InvalidInput' }),
    )
    mailbox({ relay: 'http://127.0.0.1:4273/relay' })
  })
})

describe('the seal', () => {
  const digest = new Uint8Array(32).fill(3)
  const answer = new TextEncoder().encode('{"request":"…"}')

  it('opens only with its key, request and mailbox', async () => {
    const key = await makeSealKey()
    const sealed = await seal(key.publicKey, digest, 'did:key:one', answer)
    expect(await openSealed(key, sealed, sealInfo(digest, 'did:key:one'))).toEqual(answer)
    const changed = (at: number) => sealed.map((byte, place) => (place === at ? byte ^ 1 : byte))
    for (const [name, open] of Object.entries({
      'another key': async () => openSealed(await makeSealKey(), sealed, sealInfo(digest, 'did:key:one')),
      'another request': () => openSealed(key, sealed, sealInfo(new Uint8Array(32).fill(4), 'did:key:one')),
      'another mailbox': () => openSealed(key, sealed, sealInfo(digest, 'did:key:two')),
      'another sender': () => openSealed(key, changed(0), sealInfo(digest, 'did:key:one')),
      'a changed text': () => openSealed(key, changed(40), sealInfo(digest, 'did:key:one')),
      'a text that was cut off': () => openSealed(key, sealed.slice(0, -1), sealInfo(digest, 'did:key:one')),
      nothing: () => openSealed(key, new Uint8Array(), sealInfo(digest, 'did:key:one')),
      'a sender of small order': () =>
        openSealed(key, new Uint8Array(sealed.length), sealInfo(digest, 'did:key:one')),
    })) {
      await expect(open(), name).rejects.toMatchObject({ code: 'InvalidAnswer' })
    }
  })

  it('has a key that cannot be read out', async () => {
    const { privateKey } = await makeSealKey()
    expect(privateKey.extractable).toBe(false)
  })
})

it('the platform’s fetch is used by default', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')))
  const holder = createHolder({ store: memoryStore() })
  await expect(
    holder.ask({ ...REQUEST, reply: mailbox({ relay: 'https://vault.example/relay' }) }),
  ).rejects.toMatchObject({
    code: 'RelayFailed',
  })
  vi.unstubAllGlobals()
})
