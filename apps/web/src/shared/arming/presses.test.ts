import { expect, it } from 'vitest'
import { Presses } from './presses.ts'

const button = new EventTarget()
const [POINTER, KEY] = [1, 0]

/** Presses while answers are enabled. */
function taking(): Presses {
  const presses = new Presses()
  presses.take()
  return presses
}

it('counts a press that starts while enabled, by a pointer or a key, once', () => {
  const presses = taking()
  presses.pointerDown(button)
  expect(presses.counts(button, POINTER)).toBe(true)
  expect(presses.counts(button, POINTER)).toBe(false)
  presses.keyDown('Enter', false, button)
  expect(presses.counts(button, KEY)).toBe(true)
  presses.keyDown('Enter', true, button)
  expect(presses.counts(button, KEY)).toBe(false)
})

it('counts the click that a key makes on release', () => {
  const presses = taking()
  presses.keyDown('Space', false, button)
  const forget = presses.keyUp('Space')
  expect(presses.counts(button, KEY)).toBe(true)
  // The key's answer restarts this before the key is forgotten.
  presses.stop()
  forget()
  presses.take()
  expect(presses.counts(button, KEY)).toBe(true)
})

it('counts a click without a press, and only while enabled', () => {
  const presses = new Presses()
  expect(presses.counts(button, KEY)).toBe(false)
  presses.take()
  expect(presses.counts(button, KEY)).toBe(true)
  // A real pointer press has a visible start.
  expect(presses.counts(button, POINTER)).toBe(false)
})

it('does not count a press that started before, however long it is held', () => {
  const presses = new Presses()
  presses.pointerDown(button)
  presses.keyDown('Enter', false, button)
  presses.take()
  expect(presses.counts(button, POINTER)).toBe(false)
  presses.keyDown('Enter', true, button)
  expect(presses.counts(button, KEY)).toBe(false)
  presses.keyUp('Enter')()
  presses.keyDown('Enter', false, button)
  expect(presses.counts(button, KEY)).toBe(true)
})

it('does not count a press during which something else came into view', () => {
  const presses = taking()
  presses.pointerDown(button)
  presses.keyDown('Space', false, button)
  presses.stop()
  presses.take()
  expect(presses.counts(button, POINTER)).toBe(false)
  expect(presses.counts(button, KEY)).toBe(false)
})

it('does not count a press that started on something else, or whose start was not seen', () => {
  const presses = taking()
  presses.keyDown('Enter', false, undefined)
  expect(presses.counts(button, KEY)).toBe(false)
  presses.keyUp('Enter')()
  presses.leave()
  presses.keyDown('Enter', true, button)
  expect(presses.counts(button, KEY)).toBe(false)
  presses.pointerDown(undefined)
  expect(presses.counts(button, POINTER)).toBe(false)
})

it('releasing another key does not let a press through', () => {
  const presses = new Presses()
  presses.keyDown('Enter', false, button)
  presses.keyDown('Space', false, button)
  presses.take()
  presses.keyUp('Enter')()
  expect(presses.counts(button, KEY)).toBe(false)
})

it('a press that starts before the last one is forgotten still started too early', () => {
  const presses = new Presses()
  presses.keyDown('Space', false, button)
  const forget = presses.keyUp('Space')
  presses.keyDown('Space', false, button)
  forget()
  presses.take()
  expect(presses.counts(button, KEY)).toBe(false)
})
