import { describe, expect, it } from 'vitest'
import { policyToRows, type Row, rowProblem, rowsToPolicy } from './rows.ts'

const row = (field: string, operator: Row['operator'], value: string): Row => ({
  id: 0,
  field,
  operator,
  value,
})

describe('rows', () => {
  it('reads values as a person means them', () => {
    expect(
      rowsToPolicy([
        row('amount', '<=', '5000'),
        row('.currency', '==', 'GBP'),
        row('to.email', 'like', '*@example.com'),
        row('ok', '==', 'true'),
        row('code', '==', '"007"'),
        row('code', '==', '007'),
        row('big', '>', '123456789012345678901'),
      ]),
    ).toEqual([
      ['<=', '.amount', 5000],
      ['==', '.currency', 'GBP'],
      ['like', '.to.email', '*@example.com'],
      ['==', '.ok', true],
      ['==', '.code', '007'],
      ['==', '.code', '007'],
      ['>', '.big', 123456789012345678901n],
    ])
  })

  it('come back from the policy they make', () => {
    const policy = [
      ['==', '.a', '5'],
      ['!=', '.b', 'plain words'],
      ['>=', '.c', 10n ** 30n],
      ['like', '.d', 'x*'],
      ['==', '.e', { f: [1] }],
    ]
    const rows = policyToRows(policy)
    expect(rows && rowsToPolicy(rows)).toEqual(policy)
  })

  it('do not pretend to hold a policy that says more', () => {
    expect(policyToRows([['or', [['==', '.a', 1]]]])).toBeUndefined()
  })

  it('say what is missing', () => {
    expect(rowProblem(row('', '==', '1'))).toContain('Name the field')
    expect(rowProblem(row('a', '==', ''))).toContain('compared with')
    expect(rowProblem(row('a', '<', 'many'))).toContain('number')
    expect(rowProblem(row('a', '<', '3'))).toBeUndefined()
  })
})
