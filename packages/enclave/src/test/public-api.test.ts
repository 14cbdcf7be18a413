import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { declaredOf } from '../declared.ts'
import { EXPORTS } from '../generated/exports.ts'
import * as api from '../index.ts'
import * as vite from '../vite.ts'

it('is what the module exports', () => {
  expect(Object.keys(api)).toMatchInlineSnapshot(`
    [
      "createEnclave",
      "declaredOf",
      "compileEnclave",
      "createVerifier",
      "answerOf",
      "EnclaveError",
      "isRefusal",
      "DEVICES_WASM_SHA256",
      "ENCLAVE_VERSION",
      "WASM_SHA256",
      "isAnswer",
      "isDeviceAnswer",
      "mayRefuse",
      "parseJson",
      "stringifyJson",
      "cdnUrl",
      "loadWasm",
      "createPool",
      "tokenCid",
      "TypedCalls",
    ]
  `)
  expect(Object.keys(vite)).toMatchInlineSnapshot(`
    [
      "dropExtismWorker",
      "enclaveServedAt",
    ]
  `)
})

it('is what the package offers', () => {
  const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(Object.keys(exports)).toMatchInlineSnapshot(`
    [
      ".",
      "./shared-worker",
      "./dedicated-worker",
      "./vite",
      "./enclave.wasm",
      "./enclave-devices.wasm",
    ]
  `)
})

it('has the calls that the plugin exports, and no others', () => {
  const record = JSON.parse(readFileSync(new URL('../../dist/enclave.json', import.meta.url), 'utf8'))
  expect(EXPORTS).toEqual(record.exports)
  expect(Object.fromEntries(EXPORTS.map((name) => [name, declaredOf(name)]))).toEqual(record.declarations)
})
