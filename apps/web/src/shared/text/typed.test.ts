import { expect, test } from 'vitest'
import { isTyped } from './typed.ts'

test.each(['revoke', 'Revoke', ' REVOKE '])('“%s” is the phrase', (typed) =>
  expect(isTyped(typed, 'revoke')).toBe(true),
)

test.each(['', ' ', 'revok', 'rev oke', 'end'])('“%s” is not', (typed) =>
  expect(isTyped(typed, 'revoke')).toBe(false),
)

test('the end of an address is compared the same way', () => expect(isTyped('X7Ta2D ', 'x7Ta2d')).toBe(true))
