import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnclave } from '../create-enclave.ts'
import type { Enclave } from '../types.ts'

const folder = new URL('../../../../vectors/', import.meta.url)
const read = (name: string) => readFileSync(new URL(`ucan-1.0.0/${name}`, folder), 'utf8')
const generator = (name: string) => import(new URL(`generate/${name}.mjs`, folder).href)

let enclave: Enclave
beforeAll(async () => {
  enclave = await createEnclave()
})
afterAll(() => enclave.close())

interface Bytes {
  '/': { bytes: string }
}

interface InvocationCase {
  name: string
  invocation: Bytes
  proofs: Bytes[]
  time: number
  error?: { name: string }
}

const invocations: { valid: InvocationCase[]; invalid: InvocationCase[] } = JSON.parse(
  read('invocation.json'),
)

describe('the official invocations, through the built wasm', () => {
  const ask = ({ invocation, proofs, time }: InvocationCase) =>
    enclave.call('validate_invocation', {
      invocation: invocation['/'].bytes,
      proofs: proofs.map((proof) => proof['/'].bytes),
      now: time,
      skew: 0,
    })

  it.each(invocations.valid)("'$name' is valid", async (given) => {
    expect(await ask(given)).toMatchObject({ valid: true })
  })

  it.each(invocations.invalid)("'$name' is refused as $error.name", async (given) => {
    expect(await ask(given)).toMatchObject({ valid: false, error: { name: given.error?.name } })
  })

  it('are twenty', () => {
    expect(invocations.valid.length + invocations.invalid.length).toBe(20)
  })
})

interface PolicyCase {
  args: Record<string, unknown>
  policies: unknown[][]
}

const { float } = await generator('cbor')
const { alice, bob } = await generator('keys')
const { NOW, delegate, invoke } = await generator('token')
const { text } = await generator('container')

/** JSON whose floats stay floats even if they are whole, because policies distinguish 1.0 from 1. */
function withFloats(json: string): Record<'valid' | 'invalid', PolicyCase[]> {
  const marked = json.replace(/"(?:[^"\\]|\\.)*"|-?\d+\.\d+/g, (token) =>
    token.startsWith('"') ? token : `{"a float":${token}}`,
  )
  return JSON.parse(marked, (_key, value) =>
    value?.['a float'] === undefined ? value : float(value['a float']),
  )
}

describe('the official policies, each in a delegation, with the arguments of an invocation', () => {
  const groups = withFloats(read('policy.json'))
  const asked = (['valid', 'invalid'] as const).flatMap((group) =>
    groups[group].flatMap(({ args, policies }) => policies.map((pol) => ({ group, args, pol }))),
  )

  it.each(asked)('$group: $pol', async ({ group, args, pol }) => {
    const root = delegate({ from: alice, to: bob, pol })
    const invocation = invoke({ by: bob, sub: alice, args, proofs: [root] })
    const answer = await enclave.call('validate_invocation', {
      invocation: text([invocation, root]),
      now: NOW,
    })
    expect(answer).toMatchObject(
      group === 'valid'
        ? { valid: true, cid: invocation.cid }
        : { valid: false, error: { name: 'MatchError', cid: root.cid } },
    )
  })

  it('are twenty-five', () => {
    expect(asked.length).toBe(25)
  })
})
