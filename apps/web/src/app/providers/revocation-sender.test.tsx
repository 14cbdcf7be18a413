import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Posted, postRevocations, RECHECK } from '../../shared/relay/post-revocations.ts'
import { isRelayOn } from '../../shared/relay/relay-setting.ts'
import RevocationSender from './revocation-sender.tsx'

vi.mock('@keyhole/vault-react', () => ({
  useVault: () => 'vault',
  useVaultSnapshot: () => ({ address: 'kh1example' }),
  useVaultEvent: () => {},
}))
vi.mock('../../shared/relay/post-revocations.ts', () => ({ postRevocations: vi.fn(), RECHECK: 600_000 }))
vi.mock('../../shared/relay/relay-setting.ts', () => ({ isRelayOn: vi.fn() }))

const posts = vi.mocked(postRevocations)
/** Shows the sender, which gets this each time. */
async function show(posted: Posted, isOn = true) {
  vi.mocked(isRelayOn).mockReturnValue(isOn)
  posts.mockResolvedValue(posted)
  render(<RevocationSender />)
  await vi.advanceTimersByTimeAsync(0)
}

beforeEach(() => {
  vi.useFakeTimers()
  posts.mockReset()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test.each([
  ['when all was sent', 'done', RECHECK],
  ['when the server has no relay', 'no-relay', 300_000],
  ['when some are left', 'later', 5_000],
] as const)('asks the relay again %s', async (_, posted, pause) => {
  await show(posted)
  expect(posts).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(pause - 1)
  expect(posts).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(posts).toHaveBeenCalledTimes(2)
})

test('asks no relay that is turned off, or after it ended', async () => {
  await show('done', false)
  expect(vi.getTimerCount()).toBe(0)
  cleanup()
  await show('done')
  cleanup()
  expect(vi.getTimerCount()).toBe(0)
  expect(posts).toHaveBeenCalledTimes(1)
})
