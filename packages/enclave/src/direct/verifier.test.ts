import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseJson } from '../json.ts'
import { container, delegation, invocation, person } from '../test/naive-tokens.ts'
import { standIn, standInModule } from '../test/stand-in.ts'
import { compileEnclave } from './compile-enclave.ts'
import { createVerifier, type KeylessExport, type Verifier } from './verifier.ts'

const [owner, friend] = [person(1), person(2)]
let module: WebAssembly.Module
let verifier: Verifier
beforeAll(async () => {
  module = await compileEnclave()
  verifier = createVerifier({ module })
})

describe('a call', () => {
  const file = new URL('../../../../vectors/keyhole/validation.json', import.meta.url)
  const { cases } = parseJson(readFileSync(file, 'utf8')) as {
    cases: { name: string; call: KeylessExport; input: object; expect: object }[]
  }
  it.each(cases)('returns its answer: $name', ({ call, input, expect: expected }) => {
    expect(parseJson(verifier.callText(call, JSON.stringify(input)))).toMatchObject(expected)
  })

  it('returns a refusal as a value', () => {
    const answer = verifier.call('verify_token', { token: 'C', leaf: 'no CID' })
    expect(answer).toMatchObject({ code: 'OPERATION_FAILED', name: 'MalformedToken' })
  })

  it('gets the same answer the third time, when the proof is cached', () => {
    const grant = delegation(owner, friend)
    const asked = { invocation: container([grant, invocation(friend, owner, [grant])]) }
    const answers = Array.from({ length: 3 }, () => verifier.call('validate_invocation', asked))
    expect(answers[0]).toMatchObject({ valid: true, chain: [{ cid: grant.cid }] })
    expect(answers[2]).toEqual(answers[0])
  })

  it('uses the given clock', () => {
    const token = container([delegation(owner, friend, { exp: 1_000n })])
    const at = (seconds: number) =>
      createVerifier({ module, clock: () => seconds * 1_000 + 0.5 }).call('verify_token', { token })
    expect(at(999)).toMatchObject({ valid: true })
    expect(at(2_000)).toMatchObject({ valid: false, error: { name: 'Expired' } })
  })

  it('never requests the document of a did:web issuer', () => {
    const shop = { ...owner, did: 'did:web:shop.example' }
    const asked = { invocation: container([invocation(shop, shop, [])]) }
    expect(verifier.call('validate_invocation', asked)).toMatchObject({
      valid: false,
      error: { name: 'InvalidSignature' },
    })
  })

  it('is refused if it needs keys or does not exist', () => {
    for (const name of ['create_vault', 'sign_data', 'toString', '']) {
      expect(() => verifier.callText(name as KeylessExport, '{}')).toThrow(
        expect.objectContaining({ code: 'OPERATION_FAILED', details: { name } }),
      )
    }
  })

  it('throws on a trap, and the next one is answered', async () => {
    const fragile = createVerifier({ module: await standInModule() })
    expect(() => fragile.callText('evaluate_policy', '')).toThrow(
      expect.objectContaining({ code: 'OPERATION_FAILED', details: { name: 'evaluate_policy' } }),
    )
    expect(fragile.callText('verify_token', '{"n":1}')).toBe('{"n":1}')
  })
})

describe('a module', () => {
  it.each([
    ['a different one', async () => WebAssembly.compile(standIn.bytes)],
    ['from another version', async () => WebAssembly.compile(withExports('verify_token\n'))],
    ['none', async () => ({}) as WebAssembly.Module],
    ['nothing', async () => undefined as unknown as WebAssembly.Module],
  ])('is rejected if it is %s', async (_what, made) => {
    const other = await made()
    expect(() => createVerifier({ module: other })).toThrow(
      expect.objectContaining({ code: 'WASM_NOT_LOADED' }),
    )
  })

  it('is compiled only from the expected bytes', async () => {
    const { bytes } = standIn
    await expect(compileEnclave({ source: { bytes } })).rejects.toMatchObject({ code: 'WASM_NOT_LOADED' })
  })
})

/** The stand-in with these exports declared. */
function withExports(lines: string): Uint8Array<ArrayBuffer> {
  const name = Buffer.from('keyhole.exports')
  const content = Buffer.concat([Buffer.of(name.length), name, Buffer.from(lines)])
  return Uint8Array.from(Buffer.concat([standIn.bytes, Buffer.of(0, content.length), content]))
}
