import { createEnclave, EnclaveError, type EnclaveOptions } from '@keyhole/enclave'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { VaultConfig } from '../base/config.ts'
import { startEnclave, startVerifier } from './start-enclave.ts'

const SHA256 = 'a'.repeat(64)

afterEach(() => vi.unstubAllGlobals())

/** Starts an enclave when `missing` sources can't be loaded. @returns the sources tried */
async function tried(config: VaultConfig, missing: number, wasmPath?: string) {
  const sources: EnclaveOptions['source'][] = []
  const create: typeof createEnclave = async ({ source, ...options } = {}) => {
    sources.push(source)
    if (sources.length <= missing) throw new EnclaveError('WASM_NOT_LOADED', 'not there')
    return await createEnclave({ ...options, keyless: true })
  }
  const { signal } = new AbortController()
  const request = { signal, wasmPath, account: undefined, devices: false }
  const started = startEnclave(config, { createEnclave: create }, request)
  const error: unknown = await started.then(
    (enclave) => enclave.close(),
    (reason: unknown) => reason,
  )
  return { sources, error }
}

describe('on a page', () => {
  const onPage = () => vi.stubGlobal('location', new URL('https://site.example/'))

  it('the plugin is loaded from its default path, then from the package', async () => {
    onPage()
    expect(await tried({}, 0)).toEqual({ sources: [{ url: '/enclave.wasm' }], error: undefined })
    expect(await tried({}, 1)).toEqual({ sources: [{ url: '/enclave.wasm' }, undefined], error: undefined })
  })

  it('a configured source is the only one', async () => {
    onPage()
    for (const [config, wasmPath, source] of [
      [{ wasmPath: '/enclave.wasm' }, undefined, { url: '/enclave.wasm' }],
      [{ wasmPath: '/a.wasm' }, undefined, { url: '/a.wasm' }],
      [{ wasmSha256: SHA256 }, undefined, { url: '/enclave.wasm', sha256: SHA256 }],
      [{ wasmSource: 'bundled' }, '/b.wasm', { url: '/b.wasm' }],
      [{ wasmSource: { version: '0.1.0' } }, undefined, { version: '0.1.0' }],
      [{ wasmSource: 'bundled' }, undefined, undefined],
    ] as const) {
      const { sources, error } = await tried(config, 2, wasmPath)
      expect(sources).toEqual([source])
      expect(error).toMatchObject({ code: 'WASM_NOT_LOADED' })
    }
  })

  it('the keyless enclave uses the same source', async () => {
    onPage()
    const sources: EnclaveOptions['source'][] = []
    const create: typeof createEnclave = async ({ source, ...options } = {}) => {
      sources.push(source)
      if (source) throw new EnclaveError('WASM_NOT_LOADED', 'not there')
      return await createEnclave(options)
    }
    const enclave = await startVerifier({}, { createEnclave: create }, undefined)
    await enclave.close()
    expect(sources).toEqual([{ url: '/enclave.wasm' }, undefined])
  })

  it('an account with devices gets the plugin with devices of the package, whatever is configured', async () => {
    onPage()
    const asked: EnclaveOptions[] = []
    const create: typeof createEnclave = async (options = {}) => {
      asked.push(options)
      return await createEnclave({ keyless: true })
    }
    const { signal } = new AbortController()
    const config = { wasmPath: '/a.wasm', wasmSha256: SHA256, loadTimeout: 5_000 }
    const start = async (devices: boolean) => {
      const request = { signal, wasmPath: '/b.wasm', account: 'kh1a', devices }
      await (await startEnclave(config, { createEnclave: create }, request)).close()
      const { signal: _, ...options } = asked.pop() ?? {}
      return options
    }
    expect(await start(true)).toEqual({ loadTimeout: 5_000, account: 'kh1a', devices: true })
    const source = { url: '/b.wasm', sha256: SHA256 }
    expect(await start(false)).toEqual({ loadTimeout: 5_000, account: 'kh1a', source })
  })

  it('other failures try no other source', async () => {
    onPage()
    const sources: EnclaveOptions['source'][] = []
    const create: typeof createEnclave = async ({ source } = {}) => {
      sources.push(source)
      throw new EnclaveError('TIMEOUT', 'it took too long')
    }
    const started = startVerifier({}, { createEnclave: create }, undefined)
    await expect(started).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(sources).toEqual([{ url: '/enclave.wasm' }])
  })
})

it('without a page, it comes from the package', async () => {
  expect(await tried({}, 0)).toEqual({ sources: [undefined], error: undefined })
})
