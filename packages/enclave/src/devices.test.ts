import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { createEnclave } from './create-enclave.ts'
import { declaredOf } from './declared.ts'
import { compileEnclave } from './direct/compile-enclave.ts'
import { createVerifier } from './direct/verifier.ts'
import { isRefusal } from './errors.ts'
import { DEVICES_WASM_SHA256, WASM_SHA256 } from './generated/artefact.ts'
import { DEVICE_EXPORTS, EXPORTS } from './generated/exports.ts'
import { isAnswer, isDeviceAnswer, mayRefuse } from './is-answer.ts'
import { fetchVerified } from './loading/source.ts'
import type { DeviceExport, Enclave, EnclaveOptions } from './types.ts'

const passphrase = 'correct horse battery staple'
const proof = { passphrase }

const open: Enclave[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((enclave) => enclave.close()))
})

async function start(options: EnclaveOptions): Promise<Enclave> {
  const enclave = await createEnclave(options)
  open.push(enclave)
  return enclave
}

const file = (name: string) => readFileSync(new URL(`../dist/${name}`, import.meta.url))
const record = (name: string) => JSON.parse(file(`${name}.json`).toString())
const names: readonly DeviceExport[] = DEVICE_EXPORTS

it('is the other build, with the exports for devices as well', () => {
  const [enclave, devices] = [record('enclave'), record('enclave-devices')]
  expect(devices.sha256).toBe(DEVICES_WASM_SHA256)
  const all = [...EXPORTS, ...DEVICE_EXPORTS]
  expect(Object.fromEntries(all.map((name) => [name, declaredOf(name)]))).toEqual(devices.declarations)
  expect(devices.sources).toBe(enclave.sources)
  for (const name of DEVICE_EXPORTS) expect(EXPORTS).not.toContain(name)
})

describe.each<[string, (devices: boolean) => Promise<Enclave>]>([
  ['in a thread', (devices) => start({ devices })],
  ['in process', async (devices) => start({ module: await compileEnclave({ devices }) })],
])('%s', (_where, begin) => {
  it('an account gets its first device', async () => {
    const enclave = await begin(true)
    const created = await enclave.call('create_vault', { passphrase })
    expect(isAnswer('create_vault', created)).toBe(true)
    const wrong = await enclave.call('start_devices', { proof: { passphrase: 'another passphrase' } })
    expect(wrong).toMatchObject({ name: 'WrongPassphrase' })
    const started = await enclave.call('start_devices', { proof })
    if (!isDeviceAnswer('start_devices', started)) throw new Error('no answer')
    expect(started.records).toHaveLength(1)
    await enclave.call('lock_vault')
    await enclave.call('unlock_vault', { proof })
    const opened = await enclave.call('open_device', { records: started.records })
    expect(opened).toMatchObject({ device: started.device, is_member: true, members: [started.device] })
  })

  it('a build without devices refuses them by name', async () => {
    const enclave = await begin(false)
    for (const name of names) {
      const answer = await enclave.callByName(name, {})
      if (!isRefusal(answer)) throw new Error(`${name} was not refused`)
      expect(answer.name).toBe('DevicesNotLoaded')
      expect(mayRefuse(name, answer.name)).toBe(true)
    }
    expect(await enclave.call('vault_status')).toMatchObject({ status: { initialized: false } })
  })
})

it('is only taken for the build that was asked for', async () => {
  const load = (devices: boolean, bytes: Uint8Array) =>
    fetchVerified({ bytes }, { devices, timeout: 1_000, signal: undefined })
  const [plain, devices] = [file('enclave.wasm'), file('enclave-devices.wasm')]
  expect((await load(false, plain)).sha256).toBe(WASM_SHA256)
  expect((await load(true, devices)).sha256).toBe(DEVICES_WASM_SHA256)
  await expect(load(true, plain)).rejects.toMatchObject({ code: 'WASM_NOT_LOADED' })
  await expect(load(false, devices)).rejects.toMatchObject({ code: 'WASM_NOT_LOADED' })
})

it('checks tokens like the other build', async () => {
  const verifiers = await Promise.all(
    [false, true].map(async (devices) => createVerifier({ module: await compileEnclave({ devices }) })),
  )
  const [one, other] = verifiers.map((verifier) => verifier.call('inspect_token', { token: 'no token' }))
  expect(one).toMatchObject({ name: 'MalformedToken' })
  expect(other).toEqual(one)
})
