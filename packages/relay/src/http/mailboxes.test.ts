import { mailbox } from '@keyhole/holder/mailbox'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { closeSharedEnclave, mailboxHolder, makeRelay, own, START } from '../test/relay.ts'

afterAll(closeSharedEnclave)

const message = (text: string) => Buffer.from(text).toString('base64url')

async function begin(options: Parameters<typeof makeRelay>[0] = {}) {
  const world = await makeRelay(options)
  const holder = mailboxHolder(world)
  const mailbox = await holder.did()
  const open = async () =>
    world.ask('/mailboxes', { method: 'POST', token: await own(holder, '/relay/mailbox/open') })
  const read = async (args: Record<string, unknown> = {}) =>
    world.ask('/mailboxes/read', { method: 'POST', token: await own(holder, '/relay/mailbox/read', args) })
  const leave = (text: string) => world.post('/mailboxes/message', { mailbox, message: message(text) })
  return { world, holder, mailbox, open, read, leave }
}

const errorOf = async (response: Response) => [response.status, (await response.json()).error]

describe('a mailbox', () => {
  it('is opened by its key, filled by anyone, and read by its key', async () => {
    const { open, read, leave, world } = await begin()
    const opened = await open()
    expect([opened.status, await opened.json()]).toEqual([201, { expires_in: 600, interval: 5 }])
    expect(await errorOf(await read())).toEqual([400, 'authorization_pending'])
    expect((await leave('sealed')).status).toBe(204)
    world.now += 5_000
    const found = await read()
    expect([found.status, await found.json()]).toEqual([200, { message: message('sealed') }])
    expect(found.headers.get('cache-control')).toBe('no-store')
  })

  it.each(['vault.example', 'localhost:4273', '127.0.0.1:4273', '[::1]:4273'])(
    'is opened at %s',
    async (host) => {
      const { world } = await begin({ hosts: [host] })
      const relay = `${host.startsWith('vault') ? 'https' : 'http'}://${host}/relay`
      const way = mailbox({
        relay,
        fetch: async (url, init) => world.relay.fetch(new Request(url, init), { address: '192.0.2.1' }),
        clock: () => world.now,
      })
      const ended = new AbortController()
      await expect(way(ended.signal)).resolves.toBeDefined()
      ended.abort()
    },
  )

  it('takes one message, and accepts a repetition of it', async () => {
    const { open, leave } = await begin()
    await open()
    expect((await leave('one')).status).toBe(204)
    expect((await leave('one')).status).toBe(204)
    expect(await errorOf(await leave('two'))).toEqual([409, 'full'])
  })

  it('ends after ten minutes', async () => {
    const { open, read, leave, world } = await begin()
    await open()
    await leave('sealed')
    world.now += 599_000
    expect(await (await open()).json()).toEqual({ expires_in: 1, interval: 5 })
    expect((await read()).status).toBe(200)
    world.now += 5_000
    expect(await errorOf(await read())).toEqual([400, 'expired'])
    expect(await errorOf(await leave('late'))).toEqual([404, 'unknown_mailbox'])
  })

  it('does not exist before it is opened', async () => {
    const { read, leave } = await begin()
    expect(await errorOf(await leave('early'))).toEqual([404, 'unknown_mailbox'])
    expect(await errorOf(await read())).toEqual([400, 'expired'])
  })

  it('holds a read until a message arrives', async () => {
    const { open, read, leave } = await begin()
    await open()
    const polled = read({ wait: 20 })
    await leave('sealed')
    expect(await (await polled).json()).toEqual({ message: message('sealed') })
  })

  it('answers slow_down to reads that come too soon or overlap', async () => {
    const { open, read, leave, world } = await begin()
    await open()
    await read()
    world.now += 1_000
    expect(await errorOf(await read())).toEqual([400, 'slow_down'])
    world.now += 5_000
    const held = read({ wait: 20 })
    await vi.waitFor(async () => expect(await errorOf(await read())).toEqual([400, 'slow_down']))
    await leave('sealed')
    expect((await held).status).toBe(200)
  })

  it('ends a held read in time, also if the clock was set back', async () => {
    const { open, read, world } = await begin()
    await open()
    const held = read({ wait: 1 })
    world.now -= 86_400_000
    expect(await errorOf(await held)).toEqual([400, 'authorization_pending'])
  })

  it('ends a held read when the client leaves', async () => {
    const { world, holder, open } = await begin()
    await open()
    const stop = new AbortController()
    const token = await own(holder, '/relay/mailbox/read', { wait: 20 })
    const polled = world.ask('/mailboxes/read', { method: 'POST', token, signal: stop.signal })
    stop.abort()
    expect(await errorOf(await polled)).toEqual([400, 'authorization_pending'])
  })

  it.each([
    ['invalid JSON', 'nonsense', 400, 'bad_request'],
    ['a list', '[]', 400, 'bad_request'],
    ['a missing mailbox', JSON.stringify({ message: 'AAAA' }), 400, 'bad_request'],
    ['nothing', JSON.stringify({ mailbox: 'did:key:z6Mk', message: '' }), 400, 'bad_request'],
    ['invalid base64url', JSON.stringify({ mailbox: 'did:key:z6Mk', message: 'a+b=' }), 400, 'bad_request'],
    ['leftover bits', JSON.stringify({ mailbox: 'did:key:z6Mk', message: 'AB' }), 400, 'bad_request'],
    ['another field', JSON.stringify({ mailbox: 'did:key:z6Mk', message: 'AAAA', x: 1 }), 400, 'bad_request'],
    [
      'a mailbox that is too long',
      JSON.stringify({ mailbox: 'x'.repeat(300), message: 'AAAA' }),
      400,
      'bad_request',
    ],
    [
      'one byte too many',
      JSON.stringify({ mailbox: 'did:key:z6Mk', message: message('x'.repeat(65_537)) }),
      413,
      'too_large',
    ],
    ['a much too long body', 'x'.repeat(1 << 20), 413, 'too_large'],
  ])('refuses a message with %s', async (_name, body, status, error) => {
    const { world } = await begin()
    expect(await errorOf(await world.ask('/mailboxes/message', { method: 'POST', body }))).toEqual([
      status,
      error,
    ])
  })

  it('accepts the longest message', async () => {
    const { open, leave, read } = await begin()
    await open()
    const longest = 'x'.repeat(65_536)
    expect((await leave(longest)).status).toBe(204)
    expect(await (await read()).json()).toEqual({ message: message(longest) })
  })

  it('allows pages of any site, without cookies', async () => {
    const { world } = await begin()
    const asked = await world.ask('/mailboxes', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    expect(asked.headers.get('access-control-allow-origin')).toBe('*')
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull()
  })
})

describe('access to a mailbox', () => {
  it('needs its key', async () => {
    const { world, open, mailbox } = await begin()
    await open()
    const stranger = mailboxHolder(world)
    const asked = async (token?: string) =>
      world.ask('/mailboxes/read', { method: 'POST', ...(token === undefined ? {} : { token }) })
    expect((await asked()).status).toBe(401)
    expect((await asked('Cnonsense')).status).toBe(403)
    // This reads the stranger's own mailbox, which is closed.
    expect(await errorOf(await asked(await own(stranger, '/relay/mailbox/read')))).toEqual([400, 'expired'])
    await expect(stranger.invoke('/relay/mailbox/read', {}, { subject: mailbox })).rejects.toMatchObject({
      code: 'NoGrant',
    })
  })

  it.each([
    ['for another relay', ['/relay/mailbox/read', {}, 'did:web:evil.example'], 'InvalidAudience'],
    ['without a relay', ['/relay/mailbox/read', {}, undefined], 'InvalidAudience'],
    ['of another command', ['/relay/mailbox/open', {}], 'InvalidCommand'],
    ['of a command below', ['/relay/mailbox/read/x', {}], 'InvalidCommand'],
    ['of the command above', ['/relay', {}], 'InvalidCommand'],
  ] as const)(
    'is refused with an invocation %s',
    async (_name, [command, args, audience = 'did:web:vault.example'], rule) => {
      const { world, holder, open } = await begin()
      await open()
      const self = await holder.did()
      const { token } = await holder.invoke(command, args, {
        subject: self,
        audience: _name === 'without a relay' ? self : audience,
      })
      const refused = await world.ask('/mailboxes/read', { method: 'POST', token })
      expect([refused.status, await refused.json()]).toEqual([403, { error: 'forbidden', rule }])
    },
  )

  it('is refused with an expired invocation', async () => {
    const { world, holder } = await begin()
    const token = await own(holder, '/relay/mailbox/open')
    world.now += 121_000
    const refused = await world.ask('/mailboxes', { method: 'POST', token })
    expect(await refused.json()).toEqual({ error: 'forbidden', rule: 'Expired' })
  })

  it("can't be delegated by a holder", async () => {
    const { world, holder, open } = await begin()
    await open()
    const other = mailboxHolder(world)
    const chain = await holder.narrow({ to: await other.did() }).catch((error) => error.code)
    expect(chain).toBe('NoGrant')
  })

  it('is refused under an unknown host', async () => {
    const { world, holder } = await begin()
    const token = await own(holder, '/relay/mailbox/open', {}, 'did:web:evil.example')
    const request = new Request('https://evil.example/relay/mailboxes', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    const refused = await world.relay.fetch(request, { address: '192.0.2.1' })
    expect([refused.status, await refused.json()]).toEqual([400, { error: 'bad_request', rule: 'Host' }])
  })

  it('needs no `hosts` on this machine', async () => {
    const { world, holder } = await begin({ hosts: undefined } as never)
    const token = await own(holder, '/relay/mailbox/open', {}, 'did:web:localhost%3A4273')
    const request = (host: string) =>
      new Request(`http://${host}/relay/mailboxes`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
    expect((await world.relay.fetch(request('localhost:4273'), { address: '::1' })).status).toBe(201)
    expect((await world.relay.fetch(request('localhost:4274'), { address: '::1' })).status).toBe(403)
    expect((await world.relay.fetch(request('vault.example'), { address: '::1' })).status).toBe(400)
  })
})

it('answers 404 to unknown paths', async () => {
  const { world } = await begin()
  for (const path of ['/', '', '/mailboxes', '/mailboxes/other', '/revocations/x', '/../x'])
    expect(await errorOf(await world.ask(path)), path).toEqual([404, 'not_found'])
  expect(START).toBe(world.now)
})
