import { afterEach, expect, test, vi } from 'vitest'
import { settleSkippedTransitions } from './view-transition.ts'

afterEach(() => vi.unstubAllGlobals())

/** What a browser begins, and what happens to it, where a person has asked for less motion or not. */
function begun({ still }: { still: boolean }) {
  const skipTransition = vi.fn()
  const update = vi.fn()
  const catches = vi.fn()
  const started = vi.fn(() => ({ ready: { catch: catches }, skipTransition }))
  vi.stubGlobal('matchMedia', (query: string) => {
    expect(query).toBe('(prefers-reduced-motion: reduce)')
    return { matches: still }
  })
  vi.stubGlobal('document', { startViewTransition: started })
  settleSkippedTransitions()
  document.startViewTransition(update)
  return { started, update, skipTransition, catches }
}

test('lets the browser animate a navigation, and ignores that it was overtaken', () => {
  const { started, update, skipTransition, catches } = begun({ still: false })
  expect(started).toHaveBeenCalledExactlyOnceWith(update)
  expect(catches).toHaveBeenCalledOnce()
  expect(skipTransition).not.toHaveBeenCalled()
})

test('skips the animation for a person who asked for less motion', () => {
  const { started, update, skipTransition } = begun({ still: true })
  expect(started).toHaveBeenCalledExactlyOnceWith(update)
  expect(skipTransition).toHaveBeenCalledOnce()
})

test('leaves a browser without transitions alone', () => {
  vi.stubGlobal('document', {})
  settleSkippedTransitions()
  expect(document.startViewTransition).toBeUndefined()
})
