import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MOMENT } from './arming.ts'
import { usePause } from './use-pause.ts'

/** A click of a pointer, as against one that assistive technology makes. */
const POINTER = { detail: 1 }

const confirmed = vi.fn()

function Question({ asks }: { asks: string }) {
  const { disabled, onClick } = usePause(asks, confirmed)
  return (
    <button type="button" aria-disabled={disabled} onClick={onClick}>
      Revoke
    </button>
  )
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  confirmed.mockReset()
})

const wait = (time: number) => act(() => vi.advanceTimersByTime(time))
const button = () => screen.getByRole('button')

function click(): void {
  fireEvent.pointerDown(button())
  fireEvent.click(button(), POINTER)
}

test('a press that begins once the question was shown for a moment confirms it', () => {
  render(<Question asks="this one?" />)
  expect(button().getAttribute('aria-disabled')).toBe('true')
  wait(MOMENT)
  expect(button().getAttribute('aria-disabled')).toBe('false')
  click()
  expect(confirmed).toHaveBeenCalledOnce()
})

test('the second click on what opened the question confirms nothing, and neither do clicks in a rhythm', () => {
  render(<Question asks="this one?" />)
  for (let clicks = 0; clicks < 20; clicks += 1) {
    click()
    wait(MOMENT / 2)
  }
  expect(confirmed).not.toHaveBeenCalled()
  wait(MOMENT)
  click()
  expect(confirmed).toHaveBeenCalledOnce()
})

test('a press that is held until it is taken confirms nothing', () => {
  render(<Question asks="this one?" />)
  wait(MOMENT / 2)
  fireEvent.pointerDown(button())
  wait(2 * MOMENT)
  fireEvent.click(button(), POINTER)
  fireEvent.keyDown(button(), { key: 'Enter', code: 'Enter', repeat: true })
  fireEvent.click(button())
  expect(confirmed).not.toHaveBeenCalled()
})

test('a press that is meant for another question confirms nothing', () => {
  const { rerender } = render(<Question asks="this one?" />)
  wait(MOMENT)
  fireEvent.pointerDown(button())
  rerender(<Question asks="those two?" />)
  fireEvent.click(button(), POINTER)
  click()
  expect(confirmed).not.toHaveBeenCalled()
  wait(MOMENT)
  click()
  expect(confirmed).toHaveBeenCalledOnce()
})
