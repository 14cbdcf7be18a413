import { describe, expect, it } from 'vitest'
import { Sight } from './sight.ts'

describe('Sight', () => {
  it('knows once everything has been visible, in any order', () => {
    const sight = new Sight()
    expect(sight.missing).toBe(0)
    sight.note(1000, 0, 400)
    expect(sight.missing).toBe(400)
    sight.note(1000, 700, 1000)
    expect(sight.missing).toBe(400)
    sight.note(1000, 399, 701)
    expect(sight.missing).toBeUndefined()
  })

  it('seeing the end doesn’t count for what is hidden before it', () => {
    const sight = new Sight()
    sight.note(1000, 0, 300)
    sight.note(1000, 800, 1000)
    expect(sight.missing).toBe(300)
  })

  it('starts again when the element is redrawn with another height', () => {
    const sight = new Sight()
    sight.note(300, 0, 300)
    expect(sight.missing).toBeUndefined()
    sight.note(900, 0, 300)
    expect(sight.missing).toBe(300)
    sight.note(900, 0, 0)
    expect(sight.missing).toBe(300)
  })
})
