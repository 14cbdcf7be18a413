import { expect, it } from 'vitest'
import { Presses } from './presses.ts'

const button = new EventTarget()
const [POINTER, KEY] = [1, 0]

/** Presses while answers are taken. */
function taking(): Presses {
  const presses = new Presses()
  presses.take()
  return presses
}

it('counts a press that begins when it is taken, by a pointer or a key, once', () => {
  const presses = taking()
  presses.pointerDown(button)
  expect(presses.counts(button, POINTER)).toBe(true)
  expect(presses.counts(button, POINTER)).toBe(false)
  presses.keyDown('Enter', false, button)
  expect(presses.counts(button, KEY)).toBe(true)
  presses.keyDown('Enter', true, button)
  expect(presses.counts(button, KEY)).toBe(false)
})

it('counts the click that a key makes when it is let go', () => {
  const presses = taking()
  presses.keyDown('Space', false, button)
  const forget = presses.keyUp('Space')
  expect(presses.counts(button, KEY)).toBe(true)
  // What it answered begins anew before the key is forgotten.
  presses.stop()
  forget()
  presses.take()
  expect(presses.counts(button, KEY)).toBe(true)
})

it('counts a click of which nothing was pressed, and only when it is taken', () => {
  const presses = new Presses()
  expect(presses.counts(button, KEY)).toBe(false)
  presses.take()
  expect(presses.counts(button, KEY)).toBe(true)
  // Of a pointer there is a beginning to be seen.
  expect(presses.counts(button, POINTER)).toBe(false)
})

it('counts no press that began before, however long it is held', () => {
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

it('counts no press in which something else came into sight', () => {
  const presses = taking()
  presses.pointerDown(button)
  presses.keyDown('Space', false, button)
  presses.stop()
  presses.take()
  expect(presses.counts(button, POINTER)).toBe(false)
  expect(presses.counts(button, KEY)).toBe(false)
})

it('counts no press that began on something else, or that nobody saw begin', () => {
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

it('another key that is let go lets no press through', () => {
  const presses = new Presses()
  presses.keyDown('Enter', false, button)
  presses.keyDown('Space', false, button)
  presses.take()
  presses.keyUp('Enter')()
  expect(presses.counts(button, KEY)).toBe(false)
})

it('a press that begins before the last one is forgotten stays one that began too early', () => {
  const presses = new Presses()
  presses.keyDown('Space', false, button)
  const forget = presses.keyUp('Space')
  presses.keyDown('Space', false, button)
  forget()
  presses.take()
  expect(presses.counts(button, KEY)).toBe(false)
})
