import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  container,
  delegation,
  type Fields,
  type Person,
  person,
  type Token,
} from '../../../enclave/src/test/naive-tokens.ts'
import { HolderError } from '../errors.ts'
import { readKeyText } from '../identity/key-text.ts'
import { memoryStore } from '../stores/memory-store.ts'
import type { HolderStore } from '../stores/store.ts'
import { validateInvocation } from '../test/validate.ts'
import { createHolder, type Holder } from './holder.ts'

const NOW = 1_800_000_000
const [owner, other, friend] = [1, 2, 3].map(person) as [Person, Person, Person]
const me = person(9)
const key = await readKeyText(`keyhole-key-1.${Buffer.alloc(32, 9).toString('base64url')}`)

let now = NOW
let store: HolderStore
let holder: Holder
beforeEach(() => {
  now = NOW
  store = memoryStore(key)
  holder = createHolder({ store, clock: () => now * 1_000 })
})

/** A grant of the owner to the holder, with changes. */
const grant = (changes: Fields = {}) => delegation(owner, me, { cmd: '/msg', ...changes })
const add = (...tokens: Token[]) => holder.add(container(tokens))

async function refusal(work: Promise<unknown>): Promise<HolderError> {
  const error = await work.then(() => new Error('It was not refused.')).catch((reason) => reason)
  if (!(error instanceof HolderError)) throw error
  return error
}

it.each([{}, { store: memoryStore }, { store: 'memory' }])('is not created with %o', (options) => {
  const wrong = expect.objectContaining({ code: 'InvalidInput' })
  expect(() => createHolder(options as never)).toThrow(wrong)
})

it.each([undefined, null, 5, {}])('has no call that takes %o for a grant or its options', async (given) => {
  expect(await refusal(holder.add(given as never))).toMatchObject({ code: 'MalformedToken' })
  expect(await refusal(holder.narrow(given as never))).toMatchObject({ code: 'InvalidInput' })
})

describe('a grant', () => {
  it('is stored with everything it says', async () => {
    const added = await add(grant({ pol: [['<=', '.count', 10n]], exp: BigInt(NOW + 60) }))
    expect(added).toMatchObject({
      issuer: owner.did,
      subject: owner.did,
      command: '/msg',
      policy: [['<=', '.count', 10]],
      notBefore: null,
      expiresAt: NOW + 60,
      state: 'active',
    })
    expect(await holder.grants()).toEqual([added])
    expect(await holder.did()).toBe(me.did)
  })

  it('combines every limit along its chain', async () => {
    const root = delegation(owner, other, {
      pol: [['==', '.a', 1n]],
      nbf: BigInt(NOW - 5),
      exp: BigInt(NOW + 50),
    })
    const leaf = delegation(other, me, {
      sub: owner.did,
      cmd: '/msg/send',
      pol: [['==', '.b', 2n]],
      exp: BigInt(NOW + 90),
    })
    expect(await add(leaf, root)).toMatchObject({
      issuer: other.did,
      subject: owner.did,
      command: '/msg/send',
      policy: [
        ['==', '.a', 1],
        ['==', '.b', 2],
      ],
      notBefore: NOW - 5,
      expiresAt: NOW + 50,
      chain: [root.cid, leaf.cid],
    })
  })

  it.each([
    ['for someone else', () => delegation(owner, friend), 'InvalidAudience'],
    ['that has expired', () => grant({ exp: BigInt(NOW - 1) }), 'Expired'],
    ['that was changed', () => ({ ...grant(), bytes: flipped(grant().bytes) }), 'InvalidSignature'],
    ['about someone else’s resource', () => grant({ sub: friend.did }), 'InvalidSubject'],
    ['without a subject', () => grant({ sub: null }), 'InvalidClaim'],
    ['with a statement that does not parse', () => grant({ pol: [['nor', []]] }), 'MalformedToken'],
    [
      'whose limit cannot be expressed',
      () => grant({ pol: [['==', '.a', new Map([['/', 1n]])]] }),
      'MalformedToken',
    ],
  ] as [string, () => Token, string][])('%s is refused and not stored', async (_name, make, code) => {
    expect(await refusal(add(make()))).toMatchObject({ code })
    expect(await store.tokens()).toEqual([])
  })

  it('that starts later is stored, but cannot be used before', async () => {
    await add(grant({ nbf: BigInt(NOW + 100) }))
    expect(await holder.grants()).toMatchObject([{ state: 'early' }])
    expect(await refusal(holder.invoke('/msg', {}))).toMatchObject({ code: 'TooEarly' })
    now += 100
    expect(await holder.grants()).toMatchObject([{ state: 'active' }])
    await holder.invoke('/msg', {})
  })

  it('that expired stays listed: a wrong clock must not lose it', async () => {
    await add(grant({ exp: BigInt(NOW + 10) }))
    now += 11
    expect(await holder.grants()).toMatchObject([{ state: 'expired' }])
    expect(await refusal(holder.invoke('/msg', {}))).toMatchObject({ code: 'Expired' })
    now -= 11
    expect(await holder.grants()).toMatchObject([{ state: 'active' }])
  })

  it('comes in any encoding, and as a file', async () => {
    const token = grant()
    for (const text of [
      container([token], 'B'),
      container([token], 'O'),
      container([token], 'P'),
      token.bytes.toString('base64'),
      token.bytes,
      Buffer.from(container([token])),
    ]) {
      expect(await holder.add(text)).toMatchObject({ cid: token.cid })
      await holder.remove(token.cid)
      expect(await holder.grants()).toEqual([])
    }
  })

  it('can be selected by name among several', async () => {
    const [one, two] = [grant({ cmd: '/one' }), grant({ cmd: '/two' })]
    expect(await refusal(add(one, two))).toMatchObject({ code: 'MalformedToken' })
    expect(await holder.add(container([one, two]), { leaf: two.cid })).toMatchObject({ command: '/two' })
  })

  it('is refused as too long, not as groundless, if its chain is', async () => {
    const people = Array.from({ length: 65 }, (_, at) => person(100 + at))
    const links = people.map((from, at) =>
      delegation(from, people[at + 1] ?? me, { sub: people[0]?.did, cmd: '/msg' }),
    )
    expect(await refusal(holder.add(container(links)))).toMatchObject({ code: 'MalformedToken' })
  })

  it('is stored once', async () => {
    const token = grant()
    await add(token)
    await add(token)
    expect(await holder.grants()).toHaveLength(1)
  })

  it('added to the store by another process is there at once', async () => {
    const second = createHolder({ store, clock: () => now * 1_000 })
    await second.add(container([grant()]))
    expect(await holder.grants()).toHaveLength(1)
  })

  it('that is damaged in the store does not affect others, and is reported', async () => {
    await add(grant())
    await store.keep('damaged', 'Cdamaged')
    await store.keep('foreign', container([delegation(owner, friend)]))
    expect(await holder.grants()).toHaveLength(1)
    expect((await holder.problems()).map(({ code }) => code).sort()).toEqual([
      'InvalidAudience',
      'MalformedToken',
    ])
    await holder.invoke('/msg', {})
  })

  it('is refused beyond the maximum number', async () => {
    for (let at = 0; at < 1_024; at += 1) await store.keep(`${at}`, `C${at}`)
    expect(await refusal(add(grant()))).toMatchObject({ code: 'TooManyGrants' })
  })

  it('by a DID other than a did:key is accepted if it can be looked up', async () => {
    const company = { ...owner, did: 'did:web:company.example' }
    const token = delegation(company, me, { cmd: '/msg' })
    expect(await refusal(add(token))).toMatchObject({ code: 'InvalidSignature' })
    const asked: string[] = []
    const resolving = createHolder({
      store,
      clock: () => now * 1_000,
      resolve: async (did) => {
        asked.push(did)
        return [other.did, owner.did]
      },
    })
    expect(await resolving.add(container([token]))).toMatchObject({ issuer: company.did })
    expect(asked).toEqual([company.did])
  })
})

describe('an invocation', () => {
  it('is accepted by a service, using the narrowest grant that covers it', async () => {
    const wide = grant({ cmd: '/' })
    const narrow = grant({ cmd: '/msg/send' })
    const limited = grant({ cmd: '/msg/send', pol: [['<', '.count', 5n]] })
    const shorter = grant({ cmd: '/msg/send', pol: [['<', '.count', 5n]], exp: BigInt(NOW + 100) })
    for (const token of [wide, limited, narrow, shorter]) await add(token)
    for (const [command, args, expected] of [
      ['/msg/send', { count: 1 }, shorter],
      ['/msg/send', { count: 9 }, narrow],
      ['/msg/send/now', { count: 1 }, shorter],
      ['/msg', {}, wide],
    ] as const) {
      const made = await holder.invoke(command, args)
      expect(made).toMatchObject({ grant: expected.cid, command })
      expect(await validateInvocation({ invocation: made.token, now, skew: 0 })).toMatchObject({
        valid: true,
        cid: made.cid,
      })
    }
  })

  it('is not compressed if it is short, so that a verifier sees its proofs', async () => {
    await add(grant({}))
    const short = await holder.invoke('/msg/send', { text: 'a'.repeat(500) })
    const long = await holder.invoke('/msg/send', { text: 'a'.repeat(5_000) })
    expect([short.token.charAt(0), long.token.charAt(0)]).toEqual(['C', 'P'])
  })

  it('is refused before anything is signed, with the limit it breaks and the reason for every grant', async () => {
    const sign = vi.spyOn(crypto.subtle, 'sign')
    const [limited, elsewhere] = [
      grant({
        pol: [
          ['==', '.a', 1n],
          ['<=', '.count', 10n],
        ],
      }),
      grant({ cmd: '/crypto' }),
    ]
    await add(limited)
    await add(elsewhere)
    sign.mockClear()
    const error = await refusal(holder.invoke('/msg/send', { a: 1, count: 11 }))
    expect(error).toMatchObject({ code: 'MatchError', cid: limited.cid, statement: ['<=', '.count', 10] })
    expect(error.refusals.map(({ code, cid }) => [code, cid])).toEqual([
      ['MatchError', limited.cid],
      ['InvalidCommand', elsewhere.cid],
    ])
    expect(sign).not.toHaveBeenCalled()
    sign.mockRestore()
  })

  it('for a subject without a grant is refused as such', async () => {
    expect(await refusal(holder.invoke('/msg', {}, { subject: owner.did }))).toMatchObject({
      code: 'NoGrant',
    })
    await add(grant())
    expect(await refusal(holder.invoke('/msg', {}, { subject: friend.did }))).toMatchObject({
      code: 'NoGrant',
    })
  })

  it('with a wrong end is refused as such, before a grant is looked for', async () => {
    for (const expiresIn of ['60', -1, 0.5])
      expect(await refusal(holder.invoke('/msg', {}, { expiresIn: expiresIn as number }))).toMatchObject({
        code: 'InvalidInput',
      })
  })

  it('needs a subject if the grants are about several', async () => {
    await add(grant())
    await add(delegation(friend, me, { cmd: '/msg' }))
    expect(await refusal(holder.invoke('/msg', {}))).toMatchObject({ code: 'InvalidInput' })
    expect(await holder.invoke('/msg', {}, { subject: friend.did })).toMatchObject({ command: '/msg' })
  })

  it('about the holder itself needs no grant', async () => {
    const made = await holder.invoke('/relay/read', {}, { subject: me.did, audience: friend.did })
    expect(made).toMatchObject({ grant: null, policy: [] })
    expect(await validateInvocation({ invocation: made.token, now, audience: friend.did })).toMatchObject({
      valid: true,
    })
  })

  it('expires after five minutes, with the grant, or as requested', async () => {
    await add(grant({ exp: BigInt(NOW + 400) }))
    expect(await holder.invoke('/msg', {})).toMatchObject({ expiresAt: NOW + 300 })
    expect(await holder.invoke('/msg', {}, { expiresIn: 20 })).toMatchObject({ expiresAt: NOW + 20 })
    now += 350
    expect(await holder.invoke('/msg', {})).toMatchObject({ expiresAt: NOW + 400 })
  })

  it('is different each time', async () => {
    await add(grant())
    const [one, two] = [await holder.invoke('/msg', {}), await holder.invoke('/msg', {})]
    expect(one.cid).not.toBe(two.cid)
  })

  it.each([
    ['an invalid command', () => holder.invoke('msg', {})],
    ['an invalid subject', () => holder.invoke('/msg', {}, { subject: 'bob' })],
    ['an invalid audience', () => holder.invoke('/msg', {}, { audience: 'bob' })],
    ['arguments that are a list', () => holder.invoke('/msg', [] as never)],
    ['arguments with a function', () => holder.invoke('/msg', { a: () => 1 })],
    ['an end that has passed', () => holder.invoke('/msg', {}, { expiresIn: -1 })],
    ['an end that is not a number', () => holder.invoke('/msg', {}, { expiresIn: Number.NaN })],
  ])('with %s is refused as a wrong argument', async (_name, invoke) => {
    await add(grant())
    expect(await refusal(invoke())).toMatchObject({ code: 'InvalidInput' })
  })

  it('skips a grant that takes too much work and uses another', async () => {
    const costly = grant({ cmd: '/msg', pol: costlyPolicy() })
    await add(costly)
    await add(grant({ cmd: '/' }))
    const args = { a: Array.from({ length: 2_000 }, () => Array.from({ length: 30 }, () => 1)) }
    const made = await holder.invoke('/msg', args)
    expect(made.grant).not.toBe(costly.cid)
  })
})

describe('a narrower grant', () => {
  it('gives less, to someone else, who can use it', async () => {
    await add(grant({ pol: [['==', '.a', 1n]], exp: BigInt(NOW + 1_000) }))
    const made = await holder.narrow({
      to: friend.did,
      command: '/msg/send',
      policy: [['<', '.b', 5]],
      expiresIn: 60,
    })
    expect(made).toMatchObject({
      command: '/msg/send',
      policy: [
        ['==', '.a', 1],
        ['<', '.b', 5],
      ],
      expiresAt: NOW + 60,
    })
    const theirs = createHolder({
      store: memoryStore(await readKeyText(`keyhole-key-1.${Buffer.alloc(32, 3).toString('base64url')}`)),
      clock: () => now * 1_000,
    })
    await theirs.add(made.token)
    const invoked = await theirs.invoke('/msg/send', { a: 1, b: 4 })
    expect(await validateInvocation({ invocation: invoked.token, now })).toMatchObject({ valid: true })
    expect(await refusal(theirs.invoke('/msg/send', { a: 1, b: 5 }))).toMatchObject({ code: 'MatchError' })
  })

  it.each([
    ['a command that is not covered', { command: '/crypto' }, 'InvalidCommand'],
    ['a later end', { command: '/msg', expiresIn: 2_000 }, 'InvalidClaim'],
    ['no end', { command: '/msg', expiresIn: null }, 'InvalidClaim'],
    ['an end before its start', { command: '/msg', expiresIn: 10, notBefore: NOW + 20 }, 'InvalidClaim'],
    ['an end that has passed', { command: '/msg', expiresIn: -5 }, 'Expired'],
    ['its issuer', { command: '/msg', to: owner.did }, 'InvalidAudience'],
    ['the holder itself', { command: '/msg', to: me.did }, 'InvalidAudience'],
    [
      'an unusable key',
      { command: '/msg', to: 'did:key:z6MkeTG3bFFSLYVU7VqhgZxqr6YzpaGrQtFMh1uvqGy1vDnP' },
      'InvalidAudience',
    ],
    ['an invalid DID', { command: '/msg', to: 'bob' }, 'InvalidInput'],
    ['no DID', { command: '/msg', to: undefined as never }, 'InvalidInput'],
    ['a statement that does not parse', { command: '/msg', policy: [['nor', []]] }, 'MalformedToken'],
    ['a reserved command', { command: '/ucan/x' }, 'InvalidCommand'],
    ['another subject', { command: '/msg', subject: friend.did }, 'NoGrant'],
  ] as const)('to or with %s is refused', async (_name, options, code) => {
    await add(grant({ exp: BigInt(NOW + 1_000) }))
    expect(await refusal(holder.narrow({ to: friend.did, ...options }))).toMatchObject({ code })
  })

  it('lasts as long as its grant by default', async () => {
    await add(grant({ exp: BigInt(NOW + 1_000) }))
    expect(await holder.narrow({ to: friend.did })).toMatchObject({ command: '/msg', expiresAt: NOW + 1_000 })
  })

  it('needs a grant to be named if there are several', async () => {
    const [one, two] = [grant({ cmd: '/one' }), grant({ cmd: '/two' })]
    await add(one)
    await add(two)
    expect(await refusal(holder.narrow({ to: friend.did }))).toMatchObject({ code: 'InvalidInput' })
    expect(await holder.narrow({ to: friend.did, grant: two.cid })).toMatchObject({ command: '/two' })
  })
})

describe('a grant that expires soon', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Lets time pass, and everything due happen. */
  async function pass(seconds: number): Promise<void> {
    now += seconds
    await vi.advanceTimersByTimeAsync(seconds * 1_000)
  }

  it('is reported once, that long before its expiry', async () => {
    await add(grant({ exp: BigInt(NOW + 1_000) }))
    await add(grant({ exp: null }))
    const told = vi.fn()
    const stop = holder.onExpiring(told, { within: 100 })
    await pass(899)
    expect(told).not.toHaveBeenCalled()
    await pass(1)
    await vi.waitFor(() => expect(told).toHaveBeenCalledOnce())
    await pass(50)
    expect(told).toHaveBeenCalledOnce()
    stop()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is reported if it was added later, and after a sleep', async () => {
    const told = vi.fn()
    holder.onExpiring(told, { within: 100 })
    await add(grant({ exp: BigInt(NOW + 5_000) }))
    // The laptop slept: the clock moved, but no timer did.
    now += 4_950
    await vi.advanceTimersByTimeAsync(600_000)
    await vi.waitFor(() => expect(told).toHaveBeenCalledOnce())
  })

  it('is not reported after watching has stopped', async () => {
    const stop = new AbortController()
    const told = vi.fn()
    holder.onExpiring(told, { within: 100, signal: stop.signal })
    stop.abort()
    await add(grant({ exp: BigInt(NOW + 10) }))
    await pass(20)
    expect(told).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a signal', () => {
  it('aborts a call that is waiting, or has not started', async () => {
    const never = new Promise<never>(() => {})
    const stuck = createHolder({ store: { ...store, tokens: () => never, key: () => never } })
    const reason = new Error('Enough')
    const calls: ((signal: AbortSignal) => Promise<unknown>)[] = [
      (signal) => stuck.did({ signal }),
      (signal) => stuck.grants({ signal }),
      (signal) => stuck.problems({ signal }),
      (signal) => stuck.invoke('/msg', {}, { signal }),
      (signal) => stuck.narrow({ to: friend.did, signal }),
      (signal) => stuck.add(container([grant()]), { signal }),
    ]
    for (const call of calls) {
      const stop = new AbortController()
      const waiting = expect(call(stop.signal)).rejects.toBe(reason)
      stop.abort(reason)
      await waiting
      await expect(call(stop.signal)).rejects.toBe(reason)
    }
  })
})

describe('a store that fails', () => {
  it('is reported, and tried again', async () => {
    let fails = true
    const failing: HolderStore = {
      ...store,
      key: async () => {
        if (fails) throw new HolderError('StoreFailed', 'The disk is full.')
        return key
      },
    }
    const again = createHolder({ store: failing, clock: () => now * 1_000 })
    expect(await refusal(again.did())).toMatchObject({ code: 'StoreFailed' })
    fails = false
    expect(await again.did()).toBe(me.did)
  })
})

function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes)
  changed[10] = (changed[10] ?? 0) ^ 1
  return changed
}

function costlyPolicy() {
  return Array.from({ length: 400 }, () => ['all', '.a', ['all', '.', ['>', '.', 0n]]])
}
