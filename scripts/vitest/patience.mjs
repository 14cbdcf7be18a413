// Vitest stops waiting after a second, which is too short on a busy machine.
import { vi } from 'vitest'
import { PATIENCE } from './patience-time.mjs'

/**
 * @template {(callback: any, options?: any) => unknown} Wait
 * @param {Wait} wait
 * @returns {Wait} the same, with more patience unless a call says otherwise
 */
const patient = (wait) => (callback, options) =>
  wait(callback, { timeout: PATIENCE, ...(typeof options === 'number' ? { timeout: options } : options) })

vi.waitFor = patient(vi.waitFor)
vi.waitUntil = patient(vi.waitUntil)
