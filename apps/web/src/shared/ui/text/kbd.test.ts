import { expect, test } from 'vitest'
import { onApple } from '../../browser/platform.ts'
import { keyWords } from './kbd.tsx'

test('a shortcut is called what the keys of the machine are called', () => {
  expect(keyWords('mod+k', true)).toBe('⌘K')
  expect(keyWords('mod+k', false)).toBe('Ctrl+K')
  expect(keyWords('shift+enter', false)).toBe('Shift+Enter')
  expect(keyWords('?', false)).toBe('?')
})

test('knows the machines with a Command key', () => {
  expect(onApple('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)')).toBe(true)
  expect(onApple('Mozilla/5.0 (X11; Linux x86_64)')).toBe(false)
  expect(onApple('Mozilla/5.0 (Windows NT 10.0; Win64; x64)')).toBe(false)
})
