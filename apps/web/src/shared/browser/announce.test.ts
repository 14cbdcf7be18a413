import { Toast } from '@base-ui/react/toast'
import { beforeEach, expect, test, vi } from 'vitest'
import { announce, announceBy, undoNewest } from './announce.ts'

const shown = new Map<string, unknown>()

beforeEach(() => {
  while (undoNewest());
  shown.clear()
  const manager = Toast.createToastManager()
  vi.spyOn(manager, 'add').mockImplementation(({ id = '', title }) => {
    shown.set(id, title)
    return id
  })
  vi.spyOn(manager, 'close').mockImplementation((id = '') => void shown.delete(id))
  announceBy(manager)
})

test('an action can be undone until the next one on the same thing', () => {
  const undo = vi.fn()
  announce('Suspended', undefined, { about: 'a', undo })
  announce('Ended', undefined, { about: 'b' })
  expect([...shown.values()]).toEqual(['Suspended', 'Ended'])
  announce('Ended', undefined, { about: 'a' })
  expect([...shown.values()]).toEqual(['Ended', 'Ended'])
  expect(undoNewest()).toBe(false)
  expect(undo).not.toHaveBeenCalled()
})

test('the newest is undone, once', async () => {
  const undo = vi.fn()
  announce('Suspended', undefined, { about: 'a', undo })
  expect(undoNewest()).toBe(true)
  expect(undoNewest()).toBe(false)
  await vi.waitFor(() => expect([...shown.values()]).toEqual(['Undone']))
  expect(undo).toHaveBeenCalledOnce()
})
