// Rules of an operator against callers who want around them. The API behind the gate writes down what reaches it.
import { describe, expect, it } from 'vitest'
import {
  container,
  delegation,
  invocation,
  type Person,
  person,
  type Token,
} from '../../../enclave/src/test/naive-tokens.ts'
import type { CallRefused } from '../errors.ts'
import {
  connect,
  grantTo,
  holderWith,
  hostileServer,
  open,
  owner,
  receipts,
  stranger,
  textOf,
} from '../test/parts.ts'
import { recordingApi } from '../test/recording-api.ts'
import { toValue } from '../test/signed.ts'

const PUSH = { service: 'api', path: '/push', body: { branch: 'main' } }
const RULE = { command: '/http/post', policy: [['==', '.body.branch', 'main']] }
const broad = delegation(owner, stranger, { cmd: '/http' })

async function served(rules: object, data?: string) {
  const api = await recordingApi()
  const services = { api: { url: api.url, private: true, methods: ['GET', 'POST'], ...rules } }
  const opened = await open({}, data, { services })
  const { gate } = opened
  const service = gate.services.get('api')
  if (!service) throw new Error('There is no service.')
  /** A call as anyone could sign it. */
  const sign = (
    args: object,
    chain: readonly Token[] = [broad],
    from: Person = stranger,
    command = '/http/post',
  ) => {
    const exp = BigInt(Math.floor(Date.now() / 1_000) + 60)
    const said = invocation(from, owner, [...chain], {
      cmd: command,
      aud: gate.did,
      exp,
      args: toValue(args),
    })
    return container([...chain, said])
  }
  const call = (...said: Parameters<typeof sign>): Promise<CallRefused | undefined> =>
    service.call(sign(...said)).then(
      () => undefined,
      (error) => error,
    )
  const codes = async (...calls: ReturnType<typeof call>[]) =>
    (await Promise.all(calls)).map((refusal) => refusal?.code ?? 'ok').sort()
  return { ...api, opened, call, codes, data: opened.data }
}

/** The grant that allows one call, as a vault makes it of what the gate says is missing. */
function approval(
  refusal: CallRefused | undefined,
  changes: { from?: Person; policy?: unknown[] } = {},
): Token {
  const { from = owner, policy = [...(refusal?.missing?.policy ?? [])] } = changes
  return delegation(from, stranger, { cmd: '/http/post', pol: toValue(policy), sub: owner.did })
}

describe('a call to ask for', () => {
  it('is made once after the owner allowed it, and not before, whatever else was granted', async () => {
    const { call, requests, opened } = await served({ ask: [RULE] })
    const refusal = await call(PUSH)
    expect(refusal).toMatchObject({
      code: 'AskFirst',
      missing: { subject: owner.did, command: '/http/post' },
    })
    expect(requests).toEqual([])
    const { once } = refusal ?? {}
    const granted = [approval(refusal)]
    expect(await call({ ...PUSH, once }, granted)).toBeUndefined()
    expect(requests).toHaveLength(1)
    // Nothing but the call reaches the API.
    expect(requests[0]?.body).toBe('{"branch":"main"}')
    expect(await call({ ...PUSH, once }, granted)).toMatchObject({ code: 'AskFirst' })
    expect(requests).toHaveLength(1)
    expect((await receipts(opened)).map(({ outcome }) => outcome)).toEqual(['AskFirst', 'ok', 'AskFirst'])
  })

  it('is made once of 64 tries at two gates of one folder', async () => {
    const first = await served({ ask: [RULE] })
    const second = await served({ ask: [RULE] }, first.data)
    const refusal = await first.call(PUSH)
    const granted = [approval(refusal)]
    const tries = Array.from({ length: 64 }, (_, at) =>
      (at % 2 ? first : second).call({ ...PUSH, once: refusal?.once }, granted),
    )
    const codes = (await Promise.all(tries)).map((refused) => refused?.code ?? 'ok')
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1)
    expect(first.requests.length + second.requests.length).toBe(1)
  })

  it('is recognized after a restart', async () => {
    const first = await served({ ask: [RULE] })
    const refusal = await first.call(PUSH)
    await first.opened.gate.close()
    const second = await served({ ask: [RULE] }, first.data)
    const granted = [approval(refusal)]
    expect(await second.call({ ...PUSH, once: refusal?.once }, granted)).toBeUndefined()
    expect(await second.call({ ...PUSH, once: refusal?.once }, granted)).toMatchObject({ code: 'AskFirst' })
  })

  it('is not made with what someone else made up', async () => {
    const { call, requests } = await served({ ask: [RULE] })
    const other = await served({ ask: [RULE] })
    const refusal = await call(PUSH)
    const { once = '' } = refusal ?? {}
    const [until = '', nonce = '', mac = ''] = once.split('.')
    const own = (text: string) => [['==', '.once', text]]
    const later = `${Number(until) + 9_999}.${nonce}.${mac}`
    const narrowed = [broad, approval(refusal, { from: stranger })]
    const elsewhere = (await other.call(PUSH))?.once ?? ''
    const of = (text: string) => [approval(refusal, { policy: own(text) })]
    const attacks: [string, object, readonly Token[]][] = [
      ['a grant that the caller narrowed', { ...PUSH, once }, narrowed],
      ['a grant of all, with the text', { ...PUSH, once }, [broad]],
      [
        'a grant that allows any text',
        { ...PUSH, once },
        [approval(refusal, { policy: [['like', '.once', '*']] })],
      ],
      [
        'a grant that names it among others',
        { ...PUSH, once },
        [approval(refusal, { policy: [['or', [own(once)[0], ['==', '.path', '/push']]]] })],
      ],
      ['another body', { ...PUSH, body: { branch: 'main', force: true }, once }, of(once)],
      ['another path', { ...PUSH, path: '/push/x', once }, of(once)],
      ['a later end', { ...PUSH, once: later }, of(later)],
      ['another gate', { ...PUSH, once: elsewhere }, of(elsewhere)],
      ['no signature', { ...PUSH, once: `${until}.${nonce}.` }, of(`${until}.${nonce}.`)],
      ['a text of the caller', { ...PUSH, once: 'x' }, of('x')],
      ['an empty text', { ...PUSH, once: '' }, of('')],
    ]
    for (const [name, args, chain] of attacks)
      expect([name, (await call(args, chain))?.code]).toEqual([name, 'AskFirst'])
    for (const once of [1, null, ['x'], { a: 1 }])
      expect((await call({ ...PUSH, once }))?.code).toBe('MalformedCall')
    expect(requests).toEqual([])
  })

  it.each([
    ['has no rules left', {}],
    ['has a budget alone', { budgets: [{ per: 'month', calls: 9 }] }],
    ['asks for other calls', { ask: [{ command: '/http/get' }] }],
  ])('is made once where the gate %s', async (_, rules) => {
    const first = await served({ ask: [RULE] })
    const refusal = await first.call(PUSH)
    const { once } = refusal ?? {}
    await first.opened.gate.close()
    const { call, codes, requests } = await served(rules, first.data)
    const bare = [approval(refusal, { policy: [['==', '.once', once]] })]
    const other = { ...PUSH, path: '/other', once }
    expect(await codes(call(other, bare), call({ ...PUSH, once: 'x' }))).toEqual(['AskFirst', 'AskFirst'])
    const tries = Array.from({ length: 4 }, () => call({ ...PUSH, once }, bare))
    expect(await codes(...tries)).toEqual(['AskFirst', 'AskFirst', 'AskFirst', 'ok'])
    expect(requests).toHaveLength(1)
  })

  it('has no approval of the owner who makes it', async () => {
    const { call, requests } = await served({ ask: [RULE] })
    const { once } = (await call(PUSH)) ?? {}
    expect((await call({ ...PUSH, once }, [], owner))?.code).toBe('AskFirst')
    expect(requests).toEqual([])
  })

  it('uses no budget without its approval, and no approval without its budget', async () => {
    const { call, codes, requests } = await served({ ask: [RULE], budgets: [{ per: 'month', calls: 2 }] })
    const [first, second] = [await call(PUSH), await call(PUSH)]
    const push = (refusal: typeof first) => call({ ...PUSH, once: refusal?.once }, [approval(refusal)])
    expect(await push(first)).toBeUndefined()
    // The first is used: it takes nothing more.
    expect(await codes(push(first), push(first), push(first))).toEqual(['AskFirst', 'AskFirst', 'AskFirst'])
    expect(await call({ ...PUSH, body: {} })).toBeUndefined()
    expect(await codes(push(second), push(second))).toEqual(['OverBudget', 'OverBudget'])
    expect(requests).toHaveLength(2)
  })

  it('leaves other calls alone, and the owner', async () => {
    const { codes, call, requests } = await served({ ask: [RULE] })
    expect(
      await codes(
        call({ ...PUSH, body: { branch: 'draft' } }),
        call({ service: 'api', path: '/push' }, [broad], stranger, '/http/get'),
        call(PUSH, [], owner),
      ),
    ).toEqual(['ok', 'ok', 'ok'])
    expect(requests).toHaveLength(3)
  })
})

describe('a budget', () => {
  const body = (amount: unknown) => ({
    service: 'api',
    path: '/charges',
    body: amount === undefined ? {} : { amount },
  })

  it('of calls is shared by all callers, and by gates of one folder', async () => {
    const rules = { budgets: [{ per: 'month', calls: 5 }] }
    const first = await served(rules)
    const second = await served(rules, first.data)
    const calls = Array.from({ length: 12 }, (_, at) => (at % 2 ? first : second).call(body(1)))
    expect((await Promise.all(calls)).filter((refusal) => refusal === undefined)).toHaveLength(5)
    expect(first.requests.length + second.requests.length).toBe(5)
    expect(await first.call(body(1))).toMatchObject({
      code: 'OverBudget',
      message: expect.stringContaining('T'),
    })
  })

  it('keeps what was used of it when rules are added, moved or given another limit', async () => {
    const other = { per: 'month', calls: 9, policy: [['==', '.path', '/other']] }
    const { call, data } = await served({ budgets: [other, { per: 'month', calls: 2 }] })
    for (const amount of [1, 2]) expect(await call(body(amount))).toBeUndefined()
    const moved = await served({ budgets: [{ per: 'month', calls: 2 }, other] }, data)
    expect((await moved.call(body(3)))?.code).toBe('OverBudget')
    const wider = await served({ budgets: [{ per: 'month', calls: 3 }] }, data)
    expect(await wider.call(body(3))).toBeUndefined()
    expect((await wider.call(body(4)))?.code).toBe('OverBudget')
  })

  it('of a sum is exact', async () => {
    const { codes, call, requests } = await served({
      budgets: [{ per: 'month', sum: { of: '.body.amount', most: 0.3 }, command: '/http/post' }],
    })
    expect(await codes(call(body(0.1)), call(body(0.2)))).toEqual(['ok', 'ok'])
    expect(await codes(call(body(0.000001)), call(body(0)))).toEqual(['OverBudget', 'ok'])
    expect(requests).toHaveLength(3)
  })

  it.each([-1, '1', undefined, null, [1], { amount: 1 }, true, 0.0000001, 1e15, '1e1'])(
    'of a sum lets nothing through that it can not count: %j',
    async (amount) => {
      const { call, requests } = await served({
        budgets: [{ per: 'month', sum: { of: '.body.amount', most: 1e9 } }],
      })
      expect((await call(body(amount)))?.code).toBe('MalformedCall')
      expect(requests).toEqual([])
    },
  )

  it('of one grant is shared by those to whom it was passed on', async () => {
    const { call } = await served({ budgets: [{ per: 'month', calls: 2, each: 'grant' }] })
    const helper = person(7)
    const part = delegation(stranger, helper, { cmd: '/http', sub: owner.did })
    expect(await call(body(1))).toBeUndefined()
    expect(await call(body(1), [broad, part], helper)).toBeUndefined()
    for (const chain of [[broad, part]]) expect((await call(body(1), chain, helper))?.code).toBe('OverBudget')
    expect((await call(body(1)))?.code).toBe('OverBudget')
    // Another grant of the owner's has its own.
    expect(await call(body(1), [delegation(owner, stranger, { cmd: '/http/post' })])).toBeUndefined()
  })

  it('is not used by calls that are refused, and of two budgets neither or both are', async () => {
    const { call, requests } = await served({
      budgets: [
        { per: 'month', calls: 3 },
        { per: 'month', sum: { of: '.body.amount', most: 10 }, policy: [['==', '.path', '/charges']] },
      ],
    })
    expect((await call({ ...body(1), path: '/a/../b' }))?.code).toBe('UnclearPath')
    expect((await call(body(11)))?.code).toBe('OverBudget')
    for (const amount of [4, 4, 2]) expect(await call(body(amount))).toBeUndefined()
    expect((await call({ service: 'api', path: '/x', body: {} }))?.code).toBe('OverBudget')
    expect(requests).toHaveLength(3)
  })
})

it('is refused if it can not be read', async () => {
  for (const policy of [[['no', '.a', 1]], [['==', 'a', 1]], [['like', '.a', 1]]])
    await expect(served({ ask: [{ policy }] })).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
  for (const rules of [
    { ask: [{ command: 'http' }] },
    { budgets: [{ per: 'day' }] },
    { budgets: [{ calls: 1 }] },
  ])
    await expect(served(rules)).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
})

it('has an agent ask by a link, and go on once the owner allowed the call', async () => {
  const opened = await open({ bad: { ...hostileServer(), ask: [{ policy: [['==', '.name', 'echo']] }] } })
  const holder = await holderWith({ cmd: '/mcp' })
  let asked = 0
  const client = await connect(opened, 'bad', holder, {
    onLink: async (url) => {
      asked += 1
      const request = JSON.parse(
        Buffer.from(url.split('#keyhole-request-1.')[1] ?? '', 'base64url').toString(),
      )
      expect(request.policy).toContainEqual(['==', '.arguments.how', 'x'])
      // The person takes their time, and the agent has a grant of all: it waits for this one.
      setTimeout(async () => {
        await holder.add(
          container([await grantTo(holder, { cmd: request.command, pol: toValue(request.policy) })]),
        )
      }, 700)
      return 'accept'
    },
  })
  const echo = () => client.callTool({ name: 'echo', arguments: { how: 'x' } })
  expect(textOf(await echo())).toBe('{"how":"x"}')
  expect(textOf(await echo())).toBe('{"how":"x"}')
  expect(asked).toBe(2)
})
