// The build for services: the same program as `enclave.wasm`, compiled for speed.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createVerifier } from './direct/verifier.ts'
import { DEVICES_WASM_SHA256, SERVICE_WASM_SHA256, WASM_SHA256 } from './generated/artefact.ts'
import { parseJson } from './json.ts'
import { fetchVerified } from './loading/source.ts'
import type { EnclaveInput } from './types.ts'

const file = (name: string) => readFileSync(new URL(`../dist/${name}`, import.meta.url))
const record = (name: string) => JSON.parse(file(`${name}.json`).toString())
const verifierOf = async (name: string) => createVerifier({ module: await WebAssembly.compile(file(name)) })

it('is of the same sources, and declares the same', () => {
  const [enclave, service] = [record('enclave'), record('enclave-service')]
  expect(service.sha256).toBe(SERVICE_WASM_SHA256)
  for (const field of ['sources', 'compiler', 'declarations', 'exports', 'imports'])
    expect(service[field]).toEqual(enclave[field])
})

it('is what runs without keys in Node, and nothing else is', async () => {
  const digestOf = async (options: { keyless?: boolean; devices?: boolean }) =>
    (await fetchVerified(undefined, { ...options, timeout: 30_000, signal: undefined })).sha256
  expect(await digestOf({ keyless: true })).toBe(SERVICE_WASM_SHA256)
  expect(await digestOf({})).toBe(WASM_SHA256)
  expect(await digestOf({ keyless: true, devices: true })).toBe(DEVICES_WASM_SHA256)
})

it('answers what enclave.wasm answers', async () => {
  const [plain, service] = [await verifierOf('enclave.wasm'), await verifierOf('enclave-service.wasm')]
  const path = new URL('../../../vectors/keyhole/validation.json', import.meta.url)
  const { cases } = parseJson(readFileSync(path, 'utf8')) as {
    cases: { call: string; input: EnclaveInput<'validate_invocation'> }[]
  }
  const inputs = cases.filter(({ call }) => call === 'validate_invocation').map(({ input }) => input)
  expect(inputs.length).toBeGreaterThan(50)
  // Twice, because delegations that were good are known the second time.
  for (const input of [...inputs, ...inputs])
    expect(service.call('validate_invocation', input)).toEqual(plain.call('validate_invocation', input))
})
