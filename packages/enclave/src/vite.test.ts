import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dropExtismWorker, enclaveServedAt } from './vite.ts'

const extism = join(dirname(createRequire(import.meta.url).resolve('@extism/extism')), '../browser/mod.js')

describe('dropExtismWorker', () => {
  const plugin = dropExtismWorker()

  it("removes the worker, and nothing else, from Extism's browser build", () => {
    const code = readFileSync(extism, 'utf8')
    const without = plugin.transform(code, extism)?.code ?? ''
    expect(without).not.toContain('base64,')
    expect(without).toContain('new URL("data:,"')
    expect(without.length).toBeLessThan(code.length - 60_000)
    const left = code.replace(/data:text\/javascript;base64,[^"]+/, 'data:,')
    expect(without).toBe(left)
  })

  it.each([0, 2])('fails the build if there are %i workers', (count) => {
    const code = 'new URL("data:text/javascript;base64,AAAA")\n'.repeat(count)
    expect(() => plugin.transform(code, extism)).toThrow(`found ${count}`)
  })

  it('ignores other modules', () => {
    expect(plugin.transform('"data:text/javascript;base64,AAAA"', '/src/main.ts')).toBeUndefined()
  })
})

describe('enclaveServedAt', () => {
  it('replaces the asset with the address', () => {
    const file = new URL('./platform-browser.ts', import.meta.url).pathname
    const { code } = enclaveServedAt('/enclave.wasm').transform(readFileSync(file, 'utf8'), file) ?? {}
    expect(code).toContain('new URL("/enclave.wasm", location.origin)')
    expect(code).not.toContain('dist/enclave.wasm')
    expect(code).toContain('dist/enclave-devices.wasm')
  })

  it('replaces that of the build with devices too, if it is served', () => {
    const file = new URL('./platform-browser.ts', import.meta.url).pathname
    const { transform } = enclaveServedAt('/enclave.wasm', '/devices.wasm')
    const { code } = transform(readFileSync(file, 'utf8'), file) ?? {}
    expect(code).toContain('new URL("/enclave.wasm", location.origin)')
    expect(code).toContain('new URL("/devices.wasm", location.origin)')
    expect(code).not.toContain('../dist/enclave')
  })
})
