// With the plugin: the result for an invocation doesn't depend on the others it was sent with.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inputOf, SHAPES } from '../../../../scripts/cost-inputs.mjs'
import { createEnclave } from '../create-enclave.ts'
import { compileEnclave } from '../direct/compile-enclave.ts'
import { createVerifier, type Verifier } from '../direct/verifier.ts'
import { parseJson } from '../json.ts'
import { createPool } from '../pool/create-pool.ts'
import type { Pool } from '../pool/pool.ts'
import { container, delegation, invocation, person } from '../test/naive-tokens.ts'
import type { Enclave, EnclaveInput } from '../types.ts'

type Asked = EnclaveInput<'validate_invocation'>

const vector = (name: string) => readFileSync(new URL(`../../../../vectors/${name}`, import.meta.url), 'utf8')

const { cases } = parseJson(vector('keyhole/validation.json')) as { cases: { call: string; input: Asked }[] }
const inputs = cases.filter(({ call }) => call === 'validate_invocation').map(({ input }) => input)
/** Every different text, with the same checks. */
const texts = [...new Set(inputs.map(({ invocation: text }) => text))]
const alike = texts.map((text) => ({ invocation: text, now: 1_750_000_000, skew: 30 }))

/** Requests from strangers that take as much work as possible. */
const { cases: worst } = JSON.parse(vector('cost/worst.json')) as {
  cases: { shape: string; genes: Record<string, number> }[]
}
const costly = worst
  .filter(({ shape }) => shape in SHAPES)
  .map(({ shape, genes }) => inputOf(shape, genes))
  .filter(({ call, input }) => call === 'validate_invocation' && String(input.invocation).length < 60_000)
  .map(({ input }) => input as unknown as Asked)

let verifier: Verifier
let module: WebAssembly.Module
let pool: Pool
const enclaves: Enclave[] = []
beforeAll(async () => {
  module = await compileEnclave()
  verifier = createVerifier({ module })
  pool = await createPool({ size: 2 })
  enclaves.push(await createEnclave({ keyless: true }), await createEnclave({ module }))
})
afterAll(() => Promise.all([pool, ...enclaves].map((each) => each.close())))

const WHERE: [string, (input: Asked) => Promise<unknown>][] = [
  ['a thread', async (input) => enclaves[0]?.call('validate_invocation', input)],
  ['this thread', async (input) => enclaves[1]?.call('validate_invocation', input)],
  // In a pool, a refusal rejects.
  [
    'a pool',
    (input) => pool.validate(input).catch(({ message, details }) => ({ error: message, ...details })),
  ],
]

describe.each(WHERE)('asked of %s at once', (_where, validate) => {
  it.each([
    ['every vector', inputs],
    ['every text of the vectors with the same checks', alike],
    ['each of them twice', [...alike, ...alike]],
  ])('%s get the same answer as alone', async (_what, all) => {
    const alone: unknown[] = []
    for (const input of all) alone.push(await validate(input))
    expect(await Promise.all(all.map(validate))).toEqual(alone)
  })

  it('no one is refused because of what strangers ask at the same time', async () => {
    expect(costly.length).toBeGreaterThan(2)
    const [owner, friend] = [person(1), person(2)]
    const honest = Array.from({ length: 40 }, () => {
      const grant = delegation(owner, friend)
      return { invocation: container([grant, invocation(friend, owner, [grant])]) }
    })
    const strangers = costly.map(({ invocation: text }) => ({ invocation: text }))
    const all = [...honest.slice(0, 10), ...strangers, ...honest.slice(10)]
    const alone: unknown[] = []
    for (const input of all) alone.push(await validate(input))
    expect(alone.filter((answer) => JSON.stringify(answer).includes('"TooMuchWork"')).length).toBeGreaterThan(
      0,
    )
    for (const [at, input] of all.entries()) {
      if (honest.includes(input)) expect(alone[at]).toMatchObject({ valid: true })
    }
    expect(await Promise.all(all.map(validate))).toEqual(alone)
  })
})

it('in a caller’s own batch, an expensive invocation gets the same answer as alone', {
  timeout: 120_000,
}, async () => {
  // More signatures than one call has work for.
  const people = Array.from({ length: 65 }, (_, at) => person(at + 1))
  const [owner] = people
  if (!owner) throw new Error('there are 65')
  const invocations = Array.from({ length: 60 }, () => {
    const proofs = people.slice(1).map((to, at) => delegation(people[at] ?? owner, to, { sub: owner.did }))
    return container([...proofs, invocation(people[64] ?? owner, owner, proofs)])
  })
  const direct = verifier.call('validate_batch', { invocations })
  const held = (results: readonly { valid: boolean }[]) => results.filter(({ valid }) => valid).length
  expect('results' in direct && held(direct.results)).toBeLessThan(60)
  for (const enclave of enclaves) {
    const answer = await enclave.call('validate_batch', { invocations })
    expect('results' in answer && held(answer.results)).toBe(60)
  }
})
