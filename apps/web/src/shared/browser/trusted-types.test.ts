import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ownScript } from './trusted-types.ts'

const page = 'https://keyhole.example/identity?tab=keys'

beforeEach(() => {
  vi.stubEnv('DEV', false)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

test('allows the scripts of a build', () => {
  expect(ownScript('/sw.js', page)).toBe('https://keyhole.example/sw.js')
  expect(ownScript('/assets/shared-worker-B3_x-9.js', page)).toBe(
    'https://keyhole.example/assets/shared-worker-B3_x-9.js',
  )
})

test.each([
  'https://elsewhere.example/sw.js',
  '//elsewhere.example/assets/a.js',
  'http://keyhole.example/sw.js',
  'https://keyhole.example:8443/sw.js',
  'data:text/javascript,alert(1)',
  'blob:https://keyhole.example/0b2c',
  'javascript:alert(1)',
  '/sw.js?callback=alert',
  '/assets/../upload/a.js',
  '/assets/a/b.js',
  '/assets/a.svg',
  '/enclave.wasm',
  '/enclave-devices.wasm',
  '',
])('refuses %j', (url) => {
  expect(() => ownScript(url, page)).toThrow(TypeError)
})
