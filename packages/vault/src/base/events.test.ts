import { expect, expectTypeOf, it, vi } from 'vitest'
import { raise, type VaultEventMap, VaultEvents } from './events.ts'

it('each listener gets its own unsubscribe', () => {
  const events = new VaultEvents()
  const [one, two] = [vi.fn(), vi.fn()]
  const off = events.on('vault:locked', one)
  events.on('vault:locked', two)
  raise(events, 'vault:locked', { address: 'kh1a' })
  off()
  off()
  raise(events, 'vault:locked', { address: 'kh1b' })
  expect(one.mock.calls).toEqual([[{ address: 'kh1a' }]])
  expect(two.mock.calls).toEqual([[{ address: 'kh1a' }], [{ address: 'kh1b' }]])
})

it('is an EventTarget', () => {
  const events = new VaultEvents()
  const heard = vi.fn()
  events.addEventListener('vault:changed', heard, { once: true })
  raise(events, 'vault:changed', { change: 'tokens' })
  raise(events, 'vault:changed', { change: 'tokens' })
  expect(heard).toHaveBeenCalledOnce()
  expect(heard.mock.calls[0]?.[0]).toBeInstanceOf(CustomEvent)
})

it('has the eight events and vault:changed', () => {
  expectTypeOf<keyof VaultEventMap>().toEqualTypeOf<
    | 'vault:initialized'
    | 'vault:locked'
    | 'vault:unlocked'
    | 'vault:key_generated'
    | 'vault:key_deleted'
    | 'vault:exported'
    | 'vault:imported'
    | 'vault:error'
    | 'vault:changed'
  >()
})
