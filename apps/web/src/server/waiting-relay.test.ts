import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type OpenedRelay, openWhenReachable } from './waiting-relay.js'

vi.mock('node:timers/promises', () => ({ setTimeout: () => new Promise((resolve) => setImmediate(resolve)) }))

const RELAY: OpenedRelay = { store: 'one', handle() {}, close: async () => {} }
const refused = (cause: string) => new Error('It is unreachable, or refuses.', { cause: new Error(cause) })

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'log').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

it('tells once of each reason for which it waits, and when it is up', async () => {
  const failures = [
    refused('No one listens'),
    refused('No one listens'),
    refused('Another password'),
    refused('No one listens'),
    refused('Another password'),
    new Error('JetStream is off'),
  ]
  const told = failures.filter((_failure, at) => [0, 2, 5].includes(at))
  const relay = await openWhenReachable(async () => {
    const failure = failures.shift()
    if (failure) throw failure
    return RELAY
  }, 'NATS')
  await expect.poll(() => relay.store).toBe('one')
  expect(vi.mocked(console.error).mock.calls.map((words) => words.at(-1))).toEqual(told)
  expect(console.log).toHaveBeenCalledTimes(1)
  await relay.close()
})

it('tells nothing of a relay that is up at once', async () => {
  const relay = await openWhenReachable(async () => RELAY, 'NATS')
  await relay.close()
  expect(console.error).not.toHaveBeenCalled()
  expect(console.log).not.toHaveBeenCalled()
})
