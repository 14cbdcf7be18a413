import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CURRENCIES, isCurrency, minorDigits } from './currency.ts'

/** The currencies that the enclave signs payments in, read from its source. */
function ofEnclave(): Map<string, number> {
  const path = new URL('../../../../../crates/vault/src/pay/currency.rs', import.meta.url)
  const source = readFileSync(path, 'utf8')
  const digits = [...source.matchAll(/\((\w+), (\d)\)/g)].map(([, list = '', behind]) => {
    const [, text = ''] = new RegExp(`const ${list}: &str = "([^"]*)";`).exec(source) ?? []
    // A backslash at the end of a line joins it with the next.
    const codes = text.replace(/\\\n\s*/g, '').split(' ')
    return codes.map((code) => [code, Number(behind)] as const)
  })
  return new Map(digits.flat())
}

it('is the enclave’s list, code for code and digit for digit', () => {
  const theirs = ofEnclave()
  expect(theirs.size).toBeGreaterThan(150)
  expect([...theirs.keys()].filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([])
  expect(Object.fromEntries(CURRENCIES)).toEqual(Object.fromEntries(theirs))
})

it('accepts what the enclave accepts, whatever the browser knows', () => {
  for (const code of ['GBP', 'SLE', 'VED', 'XCG', 'ZWG', 'CLF', 'MXV']) expect(isCurrency(code)).toBe(true)
  for (const code of [
    'ANG',
    'BGN',
    'CUC',
    'HRK',
    'SLL',
    'XDR',
    'XSU',
    'ZWL',
    'XAU',
    'QQQ',
    'gbp',
    '',
    'constructor',
  ])
    expect(isCurrency(code)).toBe(false)
  expect(['JPY', 'GBP', 'IQD', 'CLF', 'QQQ'].map(minorDigits)).toEqual([0, 2, 3, 4, 2])
})
