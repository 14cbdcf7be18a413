import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { TimeText } from './time-text.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('what just happened is over, although the clock on the page goes in steps', () => {
  vi.useFakeTimers()
  const { rerender } = render(<TimeText at={Date.now() + 60_000} />)
  expect(screen.getByText('in 1 minute')).toBeDefined()
  // Less than a step later, something happens.
  vi.setSystemTime(Date.now() + 900)
  rerender(<TimeText at={Date.now()} />)
  expect(screen.getByText('a moment ago')).toBeDefined()
})
