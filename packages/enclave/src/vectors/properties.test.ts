// Properties of every token and every policy, through the built wasm. A failing property prints its seed. To run it
// again: `KEYHOLE_SEED=<seed> npx vitest run properties`.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnclave } from '../create-enclave.ts'
import { isRefusal } from '../errors.ts'
import { anyArgs, anyPolicy, anyValue } from '../test/naive-arbitraries.ts'
import { Link, policyHolds, type Value } from '../test/naive-evaluator.ts'
import {
  base32,
  container,
  delegation,
  type Encoding,
  invocation,
  type Person,
  person,
  type Token,
  tokensIn,
} from '../test/naive-tokens.ts'
import type { Enclave, EnclaveExport, Refusal } from '../types.ts'

const NOW = 1_800_000_000
/** Policies and arguments compared at a time. */
const BATCH = 250

const seed = process.env.KEYHOLE_SEED
fc.configureGlobal(seed ? { seed: Number(seed) } : {})

let enclave: Enclave
beforeAll(async () => {
  enclave = await createEnclave()
})
afterAll(() => enclave.close())

async function call<T>(name: EnclaveExport, input: unknown): Promise<T> {
  const answer = (await enclave.callByName(name, input)) as T | Refusal
  if (isRefusal(answer)) throw new Error(`${name}: ${answer.error}`)
  return answer
}

interface Verdict {
  readonly valid: boolean
  readonly token?: string
  readonly chain?: readonly { readonly cid: string }[]
  readonly error?: { readonly name: string; readonly cid: string | null; readonly message: string }
}

const people = [1, 2, 3, 4, 5, 6].map(person)
const [alice, , carol] = people as [Person, Person, Person]

/** A chain from the first person on, with each policy in turn, root first. */
function chainOf(policies: readonly Value[]): Token[] {
  return policies.map((pol, at) => {
    const [from, to] = [people[at], people[at + 1]] as [Person, Person]
    return delegation(from, to, { pol, sub: alice.did })
  })
}

/** An invocation's text, by the last person of a chain. */
function invoked(chain: readonly Token[], args: Value): string {
  const invoker = people[chain.length] as Person
  return container([...chain, invocation(invoker, alice, chain, { args })])
}

/** Invocations per call. */
const PER_CALL = 64

/** Whether each invocation is allowed. Any error other than a policy that doesn't match fails the test. */
async function allowed(invocations: readonly string[]): Promise<boolean[]> {
  const results: Verdict[] = []
  // As many at a time as one call has the budget for.
  for (let at = 0; at < invocations.length; at += PER_CALL) {
    const part = { invocations: invocations.slice(at, at + PER_CALL), now: NOW, skew: 0 }
    results.push(...(await call<{ results: Verdict[] }>('validate_batch', part)).results)
  }
  return results.map(({ valid, error }) => {
    if (!valid && error?.name !== 'MatchError') throw new Error(`${error?.name}: ${error?.message}`)
    return valid
  })
}

describe('the naive evaluator', () => {
  const { valid, invalid } = JSON.parse(
    readFileSync(new URL('../../../../vectors/ucan-1.0.0/policy.json', import.meta.url)).toString(),
    (_key, value: unknown) => (typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value),
  )
  const ipld = (value: unknown): Value => {
    if (Array.isArray(value)) return value.map(ipld)
    if (typeof value !== 'object' || value === null) return value as Value
    return new Map(Object.entries(value).map(([key, each]) => [key, ipld(each)]))
  }

  it.each([
    ['holds', valid, true],
    ['does not hold', invalid, false],
  ])('says that each official policy %s when it does', (_words, cases, expected) => {
    for (const { args, policies } of cases) {
      for (const policy of policies) {
        expect(policyHolds(ipld(policy), ipld(args)), show(policy)).toBe(expected)
      }
    }
  })
})

describe('a policy', () => {
  it('matches in the plugin exactly when it matches by the table of operators', async () => {
    const cases = fc.array(fc.tuple(anyPolicy, anyArgs), { minLength: BATCH, maxLength: BATCH })
    const held = { yes: 0, no: 0 }
    await fc.assert(
      fc.asyncProperty(cases, async (batch) => {
        const answers = await allowed(batch.map(([policy, args]) => invoked(chainOf([policy]), args)))
        batch.forEach(([policy, args], at) => {
          const expected = policyHolds(policy, args)
          held[expected ? 'yes' : 'no'] += 1
          expect(answers[at], show(policy, args)).toBe(expected)
        })
      }),
      { numRuns: 24, endOnFailure: true },
    )
    // Out of thousands, enough of both kinds for the agreement to mean something.
    expect(Math.min(held.yes, held.no)).toBeGreaterThan(1_000)
  })

  it('never allows along a longer chain what a shorter one refuses', async () => {
    const cases = fc.array(fc.tuple(anyPolicy, anyPolicy, anyPolicy, anyArgs), {
      minLength: BATCH,
      maxLength: BATCH,
    })
    await fc.assert(
      fc.asyncProperty(cases, async (batch) => {
        const chains = batch.map(([root, middle, leaf, args]) => [
          invoked(chainOf([root]), args),
          invoked(chainOf([root, middle]), args),
          invoked(chainOf([root, middle, leaf]), args),
        ])
        const answers = await allowed(chains.flat())
        batch.forEach(([root, middle, leaf, args], at) => {
          const holds = [root, middle, leaf].map((policy) => policyHolds(policy, args))
          const expected = holds.map((_, length) => holds.slice(0, length + 1).every(Boolean))
          expect(answers.slice(3 * at, 3 * at + 3), show([root, middle, leaf], args)).toEqual(expected)
        })
      }),
      { numRuns: 6, endOnFailure: true },
    )
  })
})

describe('a batch', () => {
  // DAG-JSON reserves this key for links and bytes, so these arguments couldn't be passed on.
  it('is answered if the arguments of one have the key “/”', async () => {
    const odd = container([invocation(alice, alice, [], { args: new Map([['/', 1n]]) })])
    const plain = container([invocation(alice, alice, [])])
    const { results } = await call<{ results: Verdict[] }>('validate_batch', { invocations: [odd, plain] })
    expect(results).toMatchObject([{ valid: false, error: { name: 'MalformedToken' } }, { valid: true }])
  })
})

/** How a single token can be written. */
const BARE: Record<string, (bytes: Buffer) => string> = {
  base64: (bytes) => bytes.toString('base64'),
  'base64 without its padding': (bytes) => bytes.toString('base64').replaceAll('=', ''),
  base64url: (bytes) => bytes.toString('base64url'),
  hex: (bytes) => bytes.toString('hex'),
  'hex in upper case': (bytes) => bytes.toString('hex').toUpperCase(),
  'base64 in lines': (bytes) => bytes.toString('base64').replace(/.{64}/g, '$&\r\n'),
}

describe('a valid chain', () => {
  const anyChain = fc
    .array(anyPolicy, { minLength: 1, maxLength: people.length - 1 })
    .map((policies) => chainOf(policies))

  it('is valid in every encoding, in any order, and with any of its tokens twice', async () => {
    const written = anyChain.chain((chain) =>
      fc.record({
        chain: fc.constant(chain),
        encoding: fc.constantFrom<Encoding>('B', 'C', 'O', 'P'),
        order: fc.shuffledSubarray(chain, { minLength: chain.length }),
        twice: fc.subarray(chain),
      }),
    )
    await fc.assert(
      fc.asyncProperty(written, async ({ chain, encoding, order, twice }) => {
        const cids = chain.map(({ cid }) => cid)
        const token = container([...order, ...twice], encoding)
        const answer = await call<Verdict>('verify_token', { token, now: NOW, skew: 0 })
        expect(answer.error).toBeUndefined()
        expect(answer.chain?.map(({ cid }) => cid)).toEqual(cids)
        expect(new Set(tokensIn(answer.token ?? '').map(({ cid }) => cid))).toEqual(new Set(cids))
      }),
      { numRuns: 100 },
    )
  })

  it.each(Object.entries(BARE))('with one token is valid in %s', async (_name, write) => {
    await fc.assert(
      fc.asyncProperty(anyPolicy, async (policy) => {
        const [root] = chainOf([policy]) as [Token]
        const answer = await call<Verdict>('verify_token', { token: write(root.bytes), now: NOW, skew: 0 })
        expect(answer.chain).toMatchObject([{ cid: root.cid }])
        expect(tokensIn(answer.token ?? '')).toEqual([root])
      }),
      { numRuns: 30 },
    )
  })
})

describe('what the plugin issues', () => {
  let keys: readonly { readonly key_id: string; readonly did: string }[]
  beforeAll(async () => {
    await call('create_vault', { passphrase: 'four words that no one guesses' })
    await call('generate_key', { key_type: 'p256' })
    await call('generate_key', { key_type: 'secp256k1' })
    keys = (await call<{ keys: typeof keys }>('list_keys', {})).keys
  })

  const anyCommand = fc
    .array(fc.constantFrom('a', 'b', 'msg', 'ä'), { maxLength: 3 })
    .map((segments) => `/${segments.join('/')}`)
  const anyMeta = fc.array(fc.tuple(fc.constantFrom('a', 'note', 'ä'), anyValue), { maxLength: 3 })
  const anyFuture = fc.integer({ min: 2_000_000_000, max: 2 ** 53 - 1 })

  it('reads back as requested, whichever key signs it', async () => {
    const asked = fc.record({
      command: anyCommand,
      policy: anyPolicy.map(asJson),
      meta: anyMeta.map((entries) => asJson(new Map(entries))),
      expires_at: fc.option(anyFuture),
      by: fc.nat({ max: 2 }),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ by, ...input }) => {
        const { key_id, did } = keys[by] as (typeof keys)[number]
        const issued = await call<{ token: string; cid: string; issuer: string }>('new_origin_token', {
          ...input,
          audience_did: carol.did,
          key_id,
        })
        const { tokens } = await call<{ tokens: unknown }>('inspect_token', { token: issued.token })
        expect(tokens).toMatchObject([
          {
            cid: issued.cid,
            kind: 'delegation',
            signature_valid: true,
            payload: {
              iss: did,
              aud: carol.did,
              sub: did,
              cmd: input.command,
              pol: input.policy,
              meta: input.meta,
              exp: input.expires_at,
            },
          },
        ])
        const [own, ...others] = tokensIn(issued.token)
        expect(others).toEqual([])
        const again = await call<Verdict>('verify_token', { token: own?.bytes.toString('base64') })
        expect(again.token).toBe(issued.token)
      }),
      { numRuns: 150 },
    )
  })

  it('can be invoked exactly when every policy along it matches', async () => {
    const [root, middle, leaf] = keys as [(typeof keys)[0], (typeof keys)[0], (typeof keys)[0]]
    const asked = fc.tuple(anyPolicy.map(asJson), anyPolicy.map(asJson), anyArgs.map(asJson))
    await fc.assert(
      fc.asyncProperty(asked, async ([parent, child, args]) => {
        const { token: parent_token } = await call<{ token: string }>('new_origin_token', {
          audience_did: middle.did,
          command: '/msg',
          policy: parent,
          key_id: root.key_id,
        })
        const { token: proof_token } = await call<{ token: string }>('new_attenuated_token', {
          parent_token,
          audience_did: leaf.did,
          command: '/msg/send',
          policy: child,
        })
        const invoke = { command: '/msg/send', args, subject_did: root.did, proof_token }
        const answer = await enclave.callByName('invoke', invoke)
        const holds = [parent, child].every((policy) => policyHolds(fromJson(policy), fromJson(args)))
        expect(isRefusal(answer) ? answer.name : 'invoked').toBe(holds ? 'invoked' : 'MatchError')
        if (!isRefusal(answer)) {
          const { token: invocation } = Object(answer)
          const verdict = await call<Verdict>('validate_invocation', { invocation })
          expect(verdict).toMatchObject({ valid: true, args, command: '/msg/send' })
        }
      }),
      { numRuns: 150 },
    )
  })
})

/**
 * DAG-JSON as the enclave's calls use it. JavaScript writes 1.0 as 1, so whole floats are only tested in tokens made by
 * hand.
 */
function asJson(value: Value): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (typeof value === 'number') return Number.isInteger(value) ? 0.5 : value
  if (value instanceof Uint8Array) {
    return { '/': { bytes: Buffer.from(value).toString('base64').replaceAll('=', '') } }
  }
  if (value instanceof Link) return { '/': `b${base32(value.bytes)}` }
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [key, asJson(each)]))
  return Array.isArray(value) ? value.map(asJson) : value
}

function fromJson(value: unknown): Value {
  if (
    value === null ||
    typeof value === 'boolean' ||
    typeof value === 'bigint' ||
    typeof value === 'string'
  ) {
    return value
  }
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(fromJson)
  const entries = Object.entries(Object(value))
  const special: unknown = Object(value)['/']
  if (typeof special === 'string') return new Link(Buffer.from(special))
  if (special !== undefined) return Buffer.from(Object(special).bytes, 'base64')
  return new Map(entries.map(([key, each]) => [key, fromJson(each)]))
}

function show(...values: unknown[]): string {
  return JSON.stringify(values, (_key, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`
    return value instanceof Map ? { map: [...value] } : value
  })
}
