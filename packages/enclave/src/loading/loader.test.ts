import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EnclaveError } from '../errors.ts'
import { WASM_SHA256 } from '../generated/artefact.ts'
import { verifyWasm } from './digest.ts'
import { cdnUrl, loadWasm } from './loader.ts'

let answer: RequestListener
let server: Server
let url: string

beforeEach(async () => {
  server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  url = `http://127.0.0.1:${port}/enclave.wasm`
})

afterEach(() => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  server.close()
})

const serve = (type: string, body: Uint8Array): RequestListener => {
  return (_request, response) => response.writeHead(200, { 'Content-Type': type }).end(body)
}

describe('loadWasm', () => {
  it('requests wasm and returns the raw bytes', async () => {
    let accept: string | undefined
    answer = (request, response) => {
      accept = request.headers.accept
      serve('application/wasm', Uint8Array.of(0, 97, 115, 109))(request, response)
    }
    expect(await loadWasm({ url })).toEqual({ bytes: Uint8Array.of(0, 97, 115, 109), url })
    expect(accept).toBe('application/wasm')
  })

  it('reports which status a server answered', async () => {
    answer = (_request, response) => response.writeHead(404, 'Not Found').end('no')
    const error = await loadWasm({ url }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(EnclaveError)
    expect(error).toMatchObject({
      code: 'WASM_NOT_LOADED',
      message: `Failed to load WASM from ${url}: Failed to load WASM: 404 Not Found`,
    })
  })

  it.each([403, 410, 500, 503])('ignores a body that comes with status %i', async (status) => {
    answer = (_request, response) =>
      response.writeHead(status, { 'Content-Type': 'application/wasm' }).end(Uint8Array.of(0, 97, 115, 109))
    await expect(loadWasm({ url })).rejects.toMatchObject({ code: 'WASM_NOT_LOADED' })
  })

  it('reports why a server could not be reached', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>().mockRejectedValue(new TypeError('no route'))
    await expect(loadWasm({ url: '/enclave.wasm', fetch })).rejects.toMatchObject({
      code: 'WASM_NOT_LOADED',
      message: 'Failed to load WASM from /enclave.wasm: no route',
    })
  })

  it.each([
    ['that never answers', () => {}],
    ['that stops in the middle', (_request, response) => void response.writeHead(200).write('half')],
  ] satisfies [string, RequestListener][])('times out on a server %s', async (_case, hang) => {
    vi.spyOn(console, 'warn').mockReturnValue()
    answer = hang
    await expect(loadWasm({ url, timeout: 50 })).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'WASM loading timed out after 50ms',
    })
  })

  it("rejects with the reason of a caller's own abort", async () => {
    const caller = new AbortController()
    const reason = new Error('changed my mind')
    answer = () => caller.abort(reason)
    await expect(loadWasm({ url, signal: caller.signal })).rejects.toBe(reason)
    await expect(loadWasm({ url, signal: caller.signal })).rejects.toBe(reason)
  })

  it.each(['text/html', ''])('only warns about the content type %j', async (type) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    answer = serve(type, Uint8Array.of(1))
    expect((await loadWasm({ url })).bytes).toEqual(Uint8Array.of(1))
    expect(warn).toHaveBeenCalledOnce()
  })

  it.each(['application/wasm', 'application/octet-stream', 'Application/WASM; charset=binary'])(
    'accepts the content type %s without a warning',
    async (type) => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue()
      answer = serve(type, Uint8Array.of(1))
      await loadWasm({ url })
      expect(warn).not.toHaveBeenCalled()
    },
  )

  it('reads the bundled asset, which is the recorded build', async () => {
    const { bytes, url } = await loadWasm()
    await expect(verifyWasm(bytes, WASM_SHA256, url)).resolves.toMatchObject({ sha256: WASM_SHA256 })
  })

  it('loads a version from the package CDN, the latest by default', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(
      async () => new Response(Uint8Array.of(1), { headers: { 'Content-Type': 'application/wasm' } }),
    )
    const { url } = await loadWasm({ version: '0.1.0', fetch })
    expect(url).toBe('https://cdn.jsdelivr.net/npm/@keyhole/enclave@0.1.0/dist/enclave.wasm')
    expect(fetch.mock.calls[0]?.[0]).toBe(url)
    expect(cdnUrl()).toBe('https://cdn.jsdelivr.net/npm/@keyhole/enclave@latest/dist/enclave.wasm')
    expect(cdnUrl('../x')).not.toContain('../')
  })
})
