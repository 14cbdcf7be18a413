import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

const field = (text: string) => toCsv([[text]]).slice(0, -2)

test('fields are divided, quoted and doubled as RFC 4180 says', () => {
  expect(
    toCsv([
      ['a', 'b,c', 'say "no"'],
      ['', '1\r\n2', '-'],
    ]),
  ).toBe('a,"b,c","say ""no"""\r\n,"1\r\n2",\'-\r\n')
})

// In full width they are the same signs to a spreadsheet of East Asia.
test.each(['=', '+', '-', '@', '＝', '＋', '－', '＠'])('what begins with %s is text', (sign) => {
  expect(field(`${sign}1+1`)).toBe(`'${sign}1+1`)
  expect(field(` ${sign}1`)).toBe(`' ${sign}1`)
  expect(field(`\u3000${sign}1`)).toBe(`'\u3000${sign}1`)
  expect(field(`A;${sign}1`)).toBe(`A;'${sign}1`)
  expect(field(`A\t${sign}1`)).toBe(`A\t'${sign}1`)
  expect(field(`"${sign}1`)).toBe(`"'""${sign}1"`)
  // Inside a text it is only that.
  expect(field(`a${sign}b`)).toBe(`a${sign}b`)
})
