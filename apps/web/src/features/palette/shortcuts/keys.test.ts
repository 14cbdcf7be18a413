import { describe, expect, it } from 'vitest'
import { KeyReader, type Pressed } from './keys.ts'

const PAGE = { typing: false, dialog: false }
let now = 0
function pass(milliseconds: number): number {
  now += milliseconds
  return now
}
const press = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  code: `Key${key.toUpperCase()}`,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  timeStamp: pass(10),
  ...more,
})

describe('keys', () => {
  it('open the palette by the modifier of the platform, also while typing', () => {
    const typing = { typing: true, dialog: false }
    expect(new KeyReader(false).read(press('k', { ctrlKey: true }), typing, true)).toBe('palette')
    expect(new KeyReader(false).read(press('k', { metaKey: true }), typing, true)).toBeUndefined()
    expect(new KeyReader(true).read(press('k', { metaKey: true }), typing, true)).toBe('palette')
    expect(new KeyReader(true).read(press('k', { ctrlKey: true }), typing, true)).toBeUndefined()
  })

  it('leave the browser its own', () => {
    const reader = new KeyReader(false)
    expect(reader.read(press('n', { ctrlKey: true }), PAGE, true)).toBeUndefined()
    expect(reader.read(press('l', { altKey: true }), PAGE, true)).toBeUndefined()
    expect(reader.read(press('K', { ctrlKey: true, shiftKey: true }), PAGE, true)).toBeUndefined()
  })

  it('say where to go after g, for a moment', () => {
    const reader = new KeyReader(false)
    expect(reader.read(press('g'), PAGE, true)).toBeUndefined()
    expect(reader.read(press('s'), PAGE, true)).toBe('search')
    expect(reader.read(press('s'), PAGE, true)).toBeUndefined()
    reader.read(press('g'), PAGE, true)
    expect(reader.read(press('s', { timeStamp: pass(5000) }), PAGE, true)).toBeUndefined()
  })

  it('go by the place of a key where it writes no Latin letter', () => {
    expect(new KeyReader(false).read(press('т', { code: 'KeyN' }), PAGE, true)).toBe('new')
  })

  it('mean nothing in fields, in dialogs, held down, or once turned off', () => {
    const reader = new KeyReader(false)
    expect(reader.read(press('n'), { typing: true, dialog: false }, true)).toBeUndefined()
    expect(reader.read(press('n'), { typing: false, dialog: true }, true)).toBeUndefined()
    expect(reader.read(press('n', { repeat: true }), PAGE, true)).toBeUndefined()
    expect(reader.read(press('/'), PAGE, false)).toBeUndefined()
    expect(reader.read(press('?', { shiftKey: true }), PAGE, false)).toBeUndefined()
    expect(reader.read(press('?', { shiftKey: true }), PAGE, true)).toBe('list')
  })
})
