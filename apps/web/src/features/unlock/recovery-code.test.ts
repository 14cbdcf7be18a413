import { expect, test } from 'vitest'
import { sameCode } from './recovery-code.ts'

const CODE = '01AB-CDEF-GHJK'

test.each(['01AB-CDEF-GHJK', '01abcdefghjk', ' o1ab cdef ghjk\n', 'OIAB-CDEF-GHJK', 'oLAB CDEF GHJK'])(
  '%j is the same code',
  (typed) => expect(sameCode(typed, CODE)).toBe(true),
)

test.each(['', ' - ', '01AB-CDEF', '01AB-CDEF-GHJM', '01AB-CDEF-GHJK-X'])('%j is not', (typed) =>
  expect(sameCode(typed, CODE)).toBe(false),
)

test('an empty text is not a code', () => expect(sameCode('', '')).toBe(false))
