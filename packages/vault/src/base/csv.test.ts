import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

const field = (text: string) => toCsv([[text]]).slice(0, -2)

test('separates, quotes and escapes fields as RFC 4180 says', () => {
  expect(
    toCsv([
      ['a', 'b,c', 'say "no"'],
      ['', '1\r\n2', '-'],
    ]),
  ).toBe('a,"b,c","say ""no"""\r\n,"1\r\n2",\'-\r\n')
})

// East Asian spreadsheets treat the full-width signs the same.
test.each(['=', '+', '-', '@', '＝', '＋', '－', '＠'])('makes a field that starts with %s text', (sign) => {
  expect(field(`${sign}1+1`)).toBe(`'${sign}1+1`)
  expect(field(` ${sign}1`)).toBe(`' ${sign}1`)
  expect(field(`\u3000${sign}1`)).toBe(`'\u3000${sign}1`)
  expect(field(`A;${sign}1`)).toBe(`A;'${sign}1`)
  expect(field(`A\t${sign}1`)).toBe(`A\t'${sign}1`)
  expect(field(`"${sign}1`)).toBe(`"'""${sign}1"`)
  // Inside a text the sign is harmless.
  expect(field(`a${sign}b`)).toBe(`a${sign}b`)
})
