import { afterEach, describe, expect, it, vi } from 'vitest'
import { WASM_SHA256 } from '../generated/artefact.ts'
import { standIn } from '../test/stand-in.ts'
import type { WasmSource } from '../types.ts'
import { loadWasm } from './loader.ts'
import { fetchVerified } from './source.ts'

const options = { timeout: 30_000, signal: undefined }
const load = (source?: WasmSource) => fetchVerified(source, options)

function page(href: string, served: Uint8Array<ArrayBuffer>): void {
  vi.stubGlobal('location', new URL(href))
  const headers = { 'Content-Type': 'application/wasm' }
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(served, { headers })),
  )
}

afterEach(() => vi.unstubAllGlobals())

describe('what is run', () => {
  it('is the recorded build, by default', async () => {
    expect((await load()).sha256).toBe(WASM_SHA256)
  })

  it('is never a build other than the expected one', async () => {
    await expect(load({ bytes: standIn.bytes })).rejects.toMatchObject({
      code: 'WASM_NOT_LOADED',
      message: `The WASM from the bytes given is not the expected build: its SHA-256 is ${standIn.sha256}, expected is ${WASM_SHA256}. It was not run.`,
    })
    const own = await loadWasm()
    await expect(load({ bytes: own.bytes, sha256: standIn.sha256 })).rejects.toMatchObject({
      code: 'WASM_NOT_LOADED',
    })
  })

  it.each([0, 31, 32, 63])('is rejected if its digest differs only in digit %i', async (at) => {
    const { bytes, sha256 } = standIn
    const other = sha256[at] === '0' ? '1' : '0'
    const digest = sha256.slice(0, at) + other + sha256.slice(at + 1)
    await expect(load({ bytes, sha256: digest })).rejects.toMatchObject({
      code: 'WASM_NOT_LOADED',
      details: { actual: sha256, expected: digest },
    })
  })

  it("can be a caller's own build, by its digest, in either case", async () => {
    const { bytes, sha256 } = standIn
    expect((await load({ bytes, sha256: sha256.toUpperCase() })).sha256).toBe(sha256)
  })

  it.each(['', 'abc', `${WASM_SHA256}0`, WASM_SHA256.replace(/^./, 'g')])(
    'is rejected for the digest %j',
    async (sha256) => {
      const { bytes } = await loadWasm()
      await expect(load({ bytes, sha256 })).rejects.toMatchObject({
        code: 'WASM_NOT_LOADED',
        message: expect.stringContaining('64 hexadecimal digits'),
      })
    },
  )

  it('cannot be changed during the check by the caller that gave the bytes', async () => {
    const bytes = standIn.bytes.slice()
    const checked = await load({ bytes, sha256: standIn.sha256 })
    bytes.fill(0)
    expect(checked.bytes).toEqual(standIn.bytes)
  })

  it("must be our build at the page's own origin", async () => {
    const { bytes } = await loadWasm()
    page('https://vault.example/identity', bytes)
    expect((await load({ url: '/enclave.wasm' })).sha256).toBe(WASM_SHA256)
    page('https://vault.example/identity', standIn.bytes)
    await expect(load({ url: '/enclave.wasm' })).rejects.toMatchObject({ code: 'WASM_NOT_LOADED' })
  })

  it('needs a digest at another origin, and is not fetched without one', async () => {
    page('https://vault.example/', standIn.bytes)
    const url = 'https://other.example/enclave.wasm'
    await expect(load({ url })).rejects.toMatchObject({
      code: 'WASM_NOT_LOADED',
      message: `The WASM at ${url} is on another origin: give its SHA-256 as source.sha256.`,
    })
    expect(fetch).not.toHaveBeenCalled()
    expect((await load({ url, sha256: standIn.sha256 })).sha256).toBe(standIn.sha256)
  })

  it('must be our build on the CDN, whatever the version says', async () => {
    page('https://vault.example/', standIn.bytes)
    await expect(load({ version: 'latest' })).rejects.toMatchObject({ code: 'WASM_NOT_LOADED' })
    expect(fetch).toHaveBeenCalledOnce()
  })

  it('is nothing outside a secure context', async () => {
    vi.stubGlobal('crypto', {})
    await expect(load()).rejects.toMatchObject({
      code: 'WASM_NOT_LOADED',
      message: expect.stringContaining('secure context'),
    })
  })
})
