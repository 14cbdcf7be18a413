import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SeesAll } from '../../test/sees-all.ts'
import { MOMENT } from './arming.ts'
import { useArmed } from './use-armed.ts'

const approved = vi.fn()

function Request() {
  const [subject, setSubject] = useState<Element | null>(null)
  const { block, button } = useArmed({ shown: 'To read your notes', subject, approve: approved })
  return (
    <>
      <p ref={setSubject}>To read your notes</p>
      <div ref={block}>
        <button type="button" aria-disabled={button.disabled} onClick={button.onClick}>
          Grant it
        </button>
      </div>
    </>
  )
}

const isEnabled = () => screen.getByRole('button').getAttribute('aria-disabled') === 'false'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('IntersectionObserver', SeesAll)
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  render(<Request />)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  approved.mockReset()
})

test('the button looks enabled exactly while a press on it counts, without waiting for a frame', () => {
  expect(isEnabled()).toBe(false)
  // Without act, which would draw what is still to be drawn.
  vi.advanceTimersByTime(MOMENT)
  expect(isEnabled()).toBe(true)
  dispatchEvent(new Event('scroll'))
  expect(isEnabled()).toBe(false)
  vi.advanceTimersByTime(MOMENT)
  expect(isEnabled()).toBe(true)
  fireEvent.pointerDown(screen.getByRole('button'))
  fireEvent.click(screen.getByRole('button'), { detail: 1 })
  expect(approved).toHaveBeenCalledOnce()
})

test('a press that begins before something moves and ends after does not count, and shows', () => {
  act(() => vi.advanceTimersByTime(MOMENT))
  fireEvent.pointerDown(screen.getByRole('button'))
  dispatchEvent(new Event('resize'))
  expect(isEnabled()).toBe(false)
  fireEvent.click(screen.getByRole('button'), { detail: 1 })
  expect(approved).not.toHaveBeenCalled()
})
