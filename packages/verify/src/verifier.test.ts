import { compileEnclave } from '@keyhole/enclave'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Link, Value } from '../../enclave/src/test/naive-evaluator.ts'
import type { Checker } from './checker.ts'
import { memoryClaims } from './claims/memory-claims.ts'
import { memoryRevocations } from './revocations/memory-revocations.ts'
import { revocationsByOwner } from './revocations/revocation-source.ts'
import {
  base58,
  callText,
  callUnder,
  closeSharedEnclave,
  container,
  delegation,
  friend,
  invocation,
  makeVerifier,
  NOW,
  owner,
  person,
  revocation,
  revocationText,
  sharedEnclave,
  stranger,
} from './test/calls.ts'
import { createVerifier, type Expected, type VerifierOptions } from './verifier.ts'

afterAll(closeSharedEnclave)

/** The rule by which a verdict refused, or who called. */
const outcome = async (checked: ReturnType<Awaited<ReturnType<typeof makeVerifier>>['check']>) => {
  const verdict = await checked
  return verdict.authorized ? verdict.issuer : verdict.refusal.name
}

describe('a call', () => {
  it('is authorized with what was signed', async () => {
    const verifier = await makeVerifier()
    const verdict = await verifier.check(callText({ args: new Map([['n', 2n ** 60n]]) }), { command: '/msg' })
    expect(verdict).toMatchObject({
      authorized: true,
      subject: owner.did,
      issuer: friend.did,
      command: '/msg',
      args: { n: 2n ** 60n },
      expiresAt: NOW + 60,
      chain: [{ issuer: owner.did, audience: friend.did }],
    })
  })

  it('is authorized once if 64 arrive together', async () => {
    const verifier = await makeVerifier()
    const token = callText()
    const verdicts = await Promise.all(Array.from({ length: 64 }, () => outcome(verifier.check(token))))
    expect(verdicts.toSorted()).toEqual([...Array(63).fill('Replayed'), friend.did].toSorted())
  })

  it('by the owner needs no grant, and no knowledge of revocations', async () => {
    const revocations = { find: () => Promise.reject(new Error('cut off')) }
    const verifier = await makeVerifier({ revocations })
    const token = container([invocation(owner, owner, [], { exp: BigInt(NOW + 60) })])
    expect(await outcome(verifier.check(token))).toBe(owner.did)
  })

  it.each([
    ['LivesTooLong', callText({ exp: null }), {}],
    ['LivesTooLong', callText({ exp: BigInt(NOW + 361) }), {}],
    ['InvalidCommand', callText(), { command: '/other' }],
    ['InvalidCommand', callText({ cmd: '/msg/send' }), { command: '/msg' }],
    ['InvalidArguments', callText(), { compare: () => ({ message: 'Another path.' }) }],
    [
      'InvalidSubject',
      container([invocation(friend, friend, [], { exp: BigInt(NOW + 60), aud: owner.did })]),
      {},
    ],
    ['InvalidAudience', callText({ aud: stranger.did }), {}],
    ['Expired', callText({ exp: BigInt(NOW - 61) }), {}],
    ['MalformedToken', 'C', {}],
    ['MalformedToken', '', {}],
    ['MalformedToken', 'C\ud800', {}],
    ['MalformedToken', 'C\0', {}],
    ['TooLarge', `C${'A'.repeat(49_152)}`, {}],
  ])('is refused: %s', async (name, token, expected) => {
    const verifier = await makeVerifier()
    expect(await outcome(verifier.check(token, expected))).toBe(name)
  })

  it('that was refused because of its arguments is not used up', async () => {
    const verifier = await makeVerifier()
    const token = callText()
    expect(await outcome(verifier.check(token, { command: '/other' }))).toBe('InvalidCommand')
    expect(await outcome(verifier.check(token, { compare: () => ({ message: 'No.' }) }))).toBe(
      'InvalidArguments',
    )
    expect(await outcome(verifier.check(token, { command: '/msg' }))).toBe(friend.did)
  })

  it('can be checked by an enclave in this thread, which answers directly', async () => {
    const enclave = await sharedEnclave()
    const token = callText()
    const answer = await enclave.call('validate_invocation', {
      invocation: token,
      audience: owner.did,
      now: NOW,
    })
    const direct = { call: () => answer } as unknown as Checker
    const verifier = await makeVerifier({ enclave: direct })
    expect(await outcome(verifier.check(token))).toBe(friend.did)
    expect(await outcome(verifier.check(token))).toBe('Replayed')
  })

  it('is checked in this thread with the compiled plugin, and no worker is started', async () => {
    const module = await compileEnclave()
    const options = { subject: owner.did, replay: memoryClaims(), revocations: memoryRevocations() }
    const verifier = await createVerifier({ ...options, module, clock: () => NOW * 1_000 })
    const workers = process.getActiveResourcesInfo().filter((each) => each === 'MessagePort').length
    const grant = delegation(owner, friend)
    const tokens = [callUnder(grant), callUnder(grant), callUnder(grant)]
    const outcomes = await Promise.all(tokens.map((token) => outcome(verifier.check(token))))
    expect(outcomes).toEqual([friend.did, friend.did, friend.did])
    expect(await outcome(verifier.check(tokens[0] ?? ''))).toBe('Replayed')
    await verifier.revoke(revocationText(owner, grant))
    expect(await outcome(verifier.check(callUnder(grant)))).toBe('Revoked')
    expect(process.getActiveResourcesInfo().filter((each) => each === 'MessagePort')).toHaveLength(workers)
    await verifier.close()
    const both = makeVerifier({ module })
    await expect(both).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
    const other = new WebAssembly.Module(Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]))
    await expect(createVerifier({ ...options, module: other })).rejects.toMatchObject({
      code: 'WASM_NOT_LOADED',
    })
  })

  it('waits for no timer where those end with the request that started them', async () => {
    onTestFinished(() => {
      vi.useRealTimers()
      vi.unstubAllGlobals()
    })
    const module = await compileEnclave()
    const options = { subject: owner.did, replay: memoryClaims(), revocations: memoryRevocations(), module }
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const verifier = await createVerifier({ ...options, clock: () => NOW * 1_000 })
    const grant = delegation(owner, friend)
    for (let call = 0; call < 3; call += 1) {
      expect(await outcome(verifier.check(callUnder(grant)))).toBe(friend.did)
      // After known clients, a stranger would rest.
      expect(await outcome(verifier.check('C'))).toBe('MalformedToken')
    }
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is authorized by a verifier that starts its own enclaves, until it is closed', async () => {
    const verifier = await createVerifier({
      subject: owner.did,
      replay: memoryClaims(),
      revocations: memoryRevocations(),
      clock: () => NOW * 1_000,
    })
    const grant = delegation(owner, friend)
    expect(await outcome(verifier.check(callUnder(grant)))).toBe(friend.did)
    expect(await outcome(verifier.check(callUnder(grant)))).toBe(friend.did)
    await verifier.close()
    const after = [verifier.check(callUnder(grant)), verifier.revoke(revocationText(owner, grant))]
    for (const each of after) await expect(each).rejects.toMatchObject({ code: 'CHECK_FAILED' })
  })
})

describe('what a refused call lacks', () => {
  const missingOf = async (token: string) => {
    const verdict = await (await makeVerifier()).check(token)
    return verdict.authorized ? undefined : verdict.missing
  }

  it.each<[Map<string, Value>, object]>([
    [new Map(), {}],
    [new Map([['id', 7n]]), { id: 7 }],
    [
      new Map<string, Value>([
        ['name', 'b'],
        ['odd "key"', 2n ** 60n],
        ['arguments', new Map([['path', '/a']])],
      ]),
      { name: 'b', 'odd "key"': 2n ** 60n, arguments: { path: '/a' } },
    ],
  ])('is a grant of exactly this call (%#)', async (args, inJson) => {
    const missing = await missingOf(callText({ args }, { pol: [['==', '.name', 'a']] }))
    expect(missing).toEqual({ subject: owner.did, command: '/msg', policy: [['==', '.', inJson]] })
    // The same call is allowed under a grant with that limit, and no other is.
    const outcomeOf = async (changed: Map<string, Value>) =>
      outcome((await makeVerifier()).check(callText({ args: changed }, { pol: [['==', '.', args]] })))
    expect(await outcomeOf(args)).toBe(friend.did)
    expect(await outcomeOf(new Map<string, Value>([...args, ['all', true]]))).toBe('MatchError')
    for (const key of args.keys()) {
      expect(await outcomeOf(new Map<string, Value>([...args, [key, 'x']]))).toBe('MatchError')
      expect(await outcomeOf(new Map([...args].filter(([each]) => each !== key)))).toBe('MatchError')
    }
  })

  it.each([
    ['the invocation is too old', callText({ exp: BigInt(NOW - 61) })],
    ['it is about another subject', callText({ sub: stranger.did })],
    [
      'its limits would be too long',
      callText({ args: new Map([['a', 'b'.repeat(9_000)]]) }, { pol: [['==', '.a', 'a']] }),
    ],
    ["it can't be read", 'C'],
  ])('is not reported if %s', async (_, token) => {
    expect(await missingOf(token)).toBeUndefined()
  })

  it.each(['B', 'C', 'O', 'P'] as const)(
    'is found without reading what else is in the text: %s',
    async (as) => {
      const enclave = await sharedEnclave()
      const inspected: number[] = []
      const call = vi.spyOn(enclave, 'call')
      onTestFinished(() => call.mockRestore())
      const grant = delegation(owner, friend, { cmd: '/other' })
      const made = invocation(friend, owner, [grant], { exp: BigInt(NOW + 60) })
      const junk = Array.from({ length: as === 'O' || as === 'P' ? 400 : 60 }, (_, at) =>
        delegation(stranger, friend, { cmd: '/x', nonce: Buffer.from([at >> 8, at]) }),
      )
      const missing = await missingOf(container([made, grant, ...junk], as))
      expect(missing).toEqual({ subject: owner.did, command: '/msg', policy: [['==', '.', {}]] })
      for (const [at, { value }] of call.mock.settledResults.entries())
        if (call.mock.calls[at]?.[0] === 'inspect_token') inspected.push(value.tokens.length)
      expect(inspected).toEqual([1])
    },
  )

  it('is found beside a grant that says the same words, and of one call alone', async () => {
    const named = { cmd: '/other', meta: new Map([['ucan/inv@1.0.0-rc.1', 'x']]) }
    const grant = delegation(owner, friend, named)
    const made = (more = 0) =>
      invocation(friend, owner, [grant], { exp: BigInt(NOW + 60), nonce: Buffer.from([more]) })
    expect(await missingOf(container([made(), grant]))).toMatchObject({ command: '/msg' })
    expect(await missingOf(container([made(), made(1), grant]))).toBeUndefined()
    const others = Array.from({ length: 5 }, (_, at) =>
      delegation(owner, friend, { ...named, nonce: Buffer.from([at]) }),
    )
    expect(await missingOf(container([made(), grant, ...others]))).toBeUndefined()
    // A million characters in a few.
    const long = delegation(owner, friend, { meta: new Map([['x', 'x'.repeat(1_000_000)]]) })
    expect(await missingOf(container([made(), grant, long], 'P'))).toBeUndefined()
    expect(await missingOf(container([made()]))).toMatchObject({ command: '/msg' })
  })

  it('is reported if the grant has expired', async () => {
    expect(await missingOf(callText({}, { exp: BigInt(NOW - 61) }))).toMatchObject({
      command: '/msg',
      policy: [['==', '.', {}]],
    })
  })
})

describe('a revocation', () => {
  it('ends a grant, even if it came before the first call', async () => {
    const verifier = await makeVerifier()
    const grant = delegation(owner, friend)
    expect(await outcome(verifier.check(callUnder(grant)))).toBe(friend.did)
    expect(await verifier.revoke(revocationText(owner, grant))).toMatchObject({
      added: true,
      revokes: grant.cid,
      by: owner.did,
    })
    expect(await outcome(verifier.check(callUnder(grant)))).toBe('Revoked')
    const other = delegation(owner, friend)
    await verifier.revoke(revocationText(owner, other))
    expect(await outcome(verifier.check(callUnder(other)))).toBe('Revoked')
  })

  it('by someone who may not revoke changes nothing', async () => {
    const verifier = await makeVerifier()
    const grant = delegation(owner, friend)
    expect(await verifier.revoke(revocationText(stranger, grant))).toMatchObject({ added: true })
    expect(await outcome(verifier.check(callUnder(grant)))).toBe(friend.did)
    expect(await verifier.revoke(revocationText(owner, grant))).toMatchObject({ added: true })
    expect(await outcome(verifier.check(callUnder(grant)))).toBe('Revoked')
  })

  it("by the holder of a wide grant doesn't stand in for the owner's", async () => {
    const verifier = await makeVerifier()
    for (const cmd of ['/', '/ucan', '/ucan/revoke']) {
      const wide = delegation(owner, friend, { cmd })
      const holders = container([
        wide,
        revocation(friend, wide, { sub: owner.did, prf: [wide.link], nonce: Buffer.alloc(0) }),
      ])
      expect(await verifier.revoke(holders)).toMatchObject({
        refusal: { name: 'NotARevocation', why: 'NotNamed', found: [] },
      })
      // Nor if the holder names it in a permission of their own.
      const own = delegation(friend, stranger, {
        sub: owner.did,
        cmd: '/ucan/revoke',
        pol: [['==', '.revoke', wide.link]],
      })
      const passedOn = container([
        wide,
        own,
        revocation(stranger, wide, { sub: owner.did, prf: [wide.link, own.link], nonce: Buffer.alloc(0) }),
      ])
      expect(await verifier.revoke(passedOn)).toMatchObject({
        refusal: { name: 'NotARevocation', why: 'NotNamed', found: [] },
      })
      const call = () => callUnder(wide, { cmd: cmd === '/' ? '/msg' : cmd })
      expect(await outcome(verifier.check(call()))).toBe(friend.did)
      expect(await verifier.revoke(revocationText(owner, wide))).toMatchObject({ added: true })
      expect(await outcome(verifier.check(call()))).toBe('Revoked')
    }
  })

  it('by someone whom the owner let revoke exactly this grant ends it', async () => {
    const verifier = await makeVerifier()
    const grant = delegation(owner, friend)
    const names = (value: Link | string) => [['==', '.revoke', value]]
    const revokedBy = (pol: Value) => {
      const permission = delegation(owner, stranger, { cmd: '/ucan/revoke', pol })
      const signed = revocation(stranger, grant, { sub: owner.did, prf: [permission.link] })
      return verifier.revoke(container([permission, signed]))
    }
    expect(await revokedBy([['like', '.who', '*']])).toMatchObject({ refusal: { name: 'MatchError' } })
    expect(await revokedBy([['!=', '.revoke', 'x']])).toMatchObject({ refusal: { why: 'NotNamed' } })
    expect(await outcome(verifier.check(callUnder(grant)))).toBe(friend.did)
    expect(await revokedBy(names(grant.link))).toMatchObject({ added: true, by: owner.did })
    expect(await outcome(verifier.check(callUnder(grant)))).toBe('Revoked')
  })

  it('by strangers costs the calls under a grant nothing', async () => {
    const enclave = await sharedEnclave()
    const given: number[] = []
    const counting = {
      call(name: 'validate_invocation', input: { readonly revocations?: readonly string[] }) {
        given.push(input.revocations?.length ?? 0)
        return enclave.call(name, input as never)
      },
    } as unknown as Checker
    const verifier = await makeVerifier({ enclave: counting })
    const grant = delegation(owner, friend)
    const passedOn = delegation(friend, stranger, { sub: owner.did })
    const outcomeOf = () => {
      given.length = 0
      const exp = BigInt(NOW + 60)
      const call = invocation(stranger, owner, [grant, passedOn], { exp })
      return outcome(verifier.check(container([grant, passedOn, call])))
    }
    // Whoever received a grant is a stranger to its revocation, and so is whoever passed it on to its root's.
    for (const by of [stranger, ...[4, 5, 6, 7, 8, 9].map(person)])
      await verifier.revoke(revocationText(by, passedOn))
    await verifier.revoke(revocationText(friend, grant))
    expect(await outcomeOf()).toBe(stranger.did)
    expect(Math.max(...given)).toBe(0)
    await verifier.revoke(revocationText(friend, passedOn))
    expect(await outcomeOf()).toBe('Revoked')
    expect(Math.max(...given)).toBe(1)
  })

  it('that names the grant by a text ends it, in base32 and in base58btc', async () => {
    const verifier = await makeVerifier()
    const texts = [(cid: string) => cid, (_: string, bytes: Uint8Array) => `z${base58(Buffer.from(bytes))}`]
    for (const textOf of texts) {
      const grant = delegation(owner, friend)
      const args = new Map([['revoke', textOf(grant.cid, grant.link.bytes)]])
      expect(await verifier.revoke(revocationText(owner, grant, { args }))).toMatchObject({
        revokes: grant.cid,
      })
      expect(await outcome(verifier.check(callUnder(grant)))).toBe('Revoked')
    }
  })

  it('that has expired is added', async () => {
    const verifier = await makeVerifier()
    const grant = delegation(owner, friend)
    expect(await verifier.revoke(revocationText(owner, grant, { exp: 500n }))).toMatchObject({ added: true })
    expect(await outcome(verifier.check(callUnder(grant)))).toBe('Revoked')
  })

  it.each([null, 500n])('that cannot be shown in DAG-JSON is added (it expires: %s)', async (exp) => {
    const verifier = await makeVerifier()
    const grant = delegation(owner, friend)
    const meta = new Map([['a', new Map([['/', 'x']])]])
    expect(await verifier.revoke(revocationText(owner, grant, { exp, meta }))).toMatchObject({ added: true })
    expect(await outcome(verifier.check(callUnder(grant)))).toBe('Revoked')
  })

  it.each([
    ['MalformedToken', 'C'],
    ['TooLarge', `C${'A'.repeat(65_536)}`],
    ['NotARevocation', container([invocation(owner, owner, [])])],
    [
      'NotARevocation',
      container([invocation(owner, owner, [], { cmd: '/ucan/revoke', args: new Map([['revoke', 'x']]) })]),
    ],
  ])('that is invalid is refused: %s', async (name, token) => {
    expect(await (await makeVerifier()).revoke(token)).toMatchObject({ refusal: { name } })
  })

  it('needs a store with space', async () => {
    const text = revocationText(owner, delegation(owner, friend))
    const feed = await makeVerifier({ revocations: { find: () => [] } })
    await expect(feed.revoke(text)).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
    const full = await makeVerifier({ revocations: memoryRevocations({ most: 10 }) })
    await expect(full.revoke(text)).rejects.toMatchObject({ code: 'STORE_FAILED' })
  })

  it('by strangers takes no space from the owner, and little from those of other networks', async () => {
    const verifier = await makeVerifier({ revocations: memoryRevocations({ most: 64 * 1_000 }) })
    const grant = delegation(owner, friend)
    let made = 0
    /** How many different ones are added from these addresses. */
    const addedFrom = async (addresses: readonly string[]) => {
      let added = 0
      for (const address of addresses) {
        made += 1
        const text = revocationText(person(4), grant, { nonce: Buffer.of(made >> 8, made & 255) })
        const taken = verifier.revoke(text, { address })
        const isAdded = await taken.then(
          () => true,
          ({ code }) => (code === 'STORE_FAILED' ? false : Promise.reject(code)),
        )
        if (isAdded) added += 1
      }
      return added
    }
    const networks = (count: number) => Array.from({ length: count }, (_, at) => `192.0.2.${at}`)
    const fromOne = await addedFrom(Array(10).fill('198.51.100.1'))
    expect(fromOne).toBeGreaterThan(0)
    expect(fromOne).toBeLessThan(5)
    expect(await addedFrom(networks(10))).toBe(10)
    expect(await addedFrom(networks(100))).toBeLessThan(100)
    expect(await addedFrom(['203.0.113.1'])).toBe(0)
    expect(await verifier.revoke(revocationText(owner, grant), { address: '198.51.100.1' })).toMatchObject({
      added: true,
    })
    expect(await outcome(verifier.check(callUnder(grant)))).toBe('Revoked')
  })
})

describe('without a decision nothing is authorized', () => {
  it.each([
    ['STORE_FAILED', { replay: { claim: () => Promise.reject(new Error('disk')), close: async () => {} } }],
    ['REVOCATIONS_UNKNOWN', { revocations: { find: () => Promise.reject(new Error('cut off')) } }],
    ['REVOCATIONS_UNKNOWN', { revocations: { find: () => ['junk'] } }],
    ['REVOCATIONS_UNKNOWN', { revocations: revocationsByOwner({}) }],
    ['CHECK_FAILED', { enclave: { call: () => Promise.reject(new Error('worker')) } }],
  ])('%s', async (code, options) => {
    const verifier = await makeVerifier(options)
    await expect(verifier.check(callText())).rejects.toMatchObject({ name: 'VerifyError', code })
  })

  it("uses each owner's own source of revocations", async () => {
    const revocations = revocationsByOwner({ [owner.did]: memoryRevocations() })
    expect(await outcome((await makeVerifier({ revocations })).check(callText()))).toBe(friend.did)
  })
})

describe('a check that expects', () => {
  it.each<[string, unknown]>([
    ['a text', '/msg'],
    ['a list', ['/msg']],
    ['nothing at all', null],
    ['an option that does not exist', { cmd: '/msg' }],
    ['a command that is missing', { command: undefined }],
    ['a command without a slash', { command: 'msg' }],
    ['a comparison that is no function', { command: '/msg', compare: true }],
  ])('%s authorizes nothing', async (_, expected) => {
    const verifier = await makeVerifier()
    const token = callText({ cmd: '/msg' })
    const checked = verifier.check(token, expected as Expected)
    await expect(checked).rejects.toMatchObject({ name: 'VerifyError', code: 'INVALID_OPTIONS' })
    expect(await outcome(verifier.check(token, { command: '/msg' }))).toBe(friend.did)
  })
})

describe('a verifier is not created', () => {
  it.each<[string, object]>([
    ['subject', { subject: [] }],
    ['subject', { subject: 'owner' }],
    ['subject', { subject: 'did:key:OWNER' }],
    ['subject', { subject: owner.did.slice(0, -1) }],
    ['subject', { subject: `${owner.did}…` }],
    ['subject', { subject: 5 }],
    ['subject', { subject: undefined }],
    ['subject', { subject: [owner.did, 'did:key:OWNER'] }],
    ['audience', { subject: [owner.did, friend.did] }],
    ['audience', { audience: 'https://service.example' }],
    ['replay', { replay: undefined }],
    ['replay', { replay: memoryClaims }],
    ['replay', { replay: memoryRevocations() }],
    ['replay', { replay: Promise.resolve(memoryClaims()) }],
    ['revocations', { revocations: undefined }],
    ['revocations', { revocations: memoryRevocations }],
    ['revocations', { revocations: memoryClaims() }],
    ['skew', { skew: -1 }],
    ['skew', { skew: '60' }],
    ['longest', { longest: 1.5 }],
    ['enclave', { enclave: {} }],
    ['module', { module: {}, enclave: undefined }],
    ['clock', { clock: NOW * 1_000 }],
    ['clock', { clock: () => NOW }],
    ['audiences', { audiences: owner.did }],
  ])('with a wrong `%s` (%#)', async (option, options) => {
    await expect(makeVerifier(options)).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      message: expect.stringContaining(`\`${option}\``),
    })
  })

  it.each([undefined, null, 'did:key:z6Mk'])('without options: %o', async (options) => {
    const creating = createVerifier(options as unknown as VerifierOptions)
    await expect(creating).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
  })

  it.each([owner.did, 'did:web:service.example', 'did:web:localhost%3A3000'])(
    'but it is for a DID: %s',
    async (subject) => {
      expect((await makeVerifier({ subject })).subjects).toEqual([subject])
    },
  )
})

it('handles thousands of malformed tokens without authorizing one, and then the honest one', async () => {
  const verifier = await makeVerifier()
  const good = callText()
  const outcomes = new Set<string>()
  for (let round = 0; round < 40; round += 1) {
    const texts = Array.from({ length: 50 }, (_, at) => {
      const cut = good.slice(0, (round * 50 + at) % good.length)
      return at % 2 === 0 ? cut : `${cut}~${good.slice(cut.length + 1)}`
    })
    for (const each of await Promise.all(texts.map((text) => outcome(verifier.check(text)))))
      outcomes.add(each)
  }
  expect([...outcomes].filter((each) => each.startsWith('did:'))).toEqual([])
  expect(await outcome(verifier.check(good))).toBe(friend.did)
})
