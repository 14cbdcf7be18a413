import { describe, expect, it } from 'vitest'
import { selectorProblem } from '../policy/selector.ts'
import { asStatement } from '../policy/statement.ts'
import { readPolicy } from './policy-text.ts'

describe('asStatement', () => {
  it('parses every operator', () => {
    expect(asStatement(['<=', '.amount', 5000n])).toEqual({
      kind: 'compare',
      operator: '<=',
      selector: '.amount',
      value: 5000n,
    })
    expect(asStatement(['like', '.to', '*@example.com'])).toEqual({
      kind: 'like',
      selector: '.to',
      pattern: '*@example.com',
    })
    expect(asStatement(['not', ['or', []]])).toEqual({ kind: 'not', of: { kind: 'or', of: [] } })
    expect(asStatement(['any', '.tags', ['==', '.', 'x']])).toMatchObject({ kind: 'any', selector: '.tags' })
  })

  it.each([
    [[], 'operator'],
    ['==', 'list'],
    [['===', '.a', 1], 'isn’t an operator'],
    [['==', '.a'], '2 parts'],
    [['==', 'a', 1], 'starts with a dot'],
    [['<', '.a', '5'], 'number'],
    [['like', '.a', 5], 'text'],
    [['and', ['==', '.a', 1]], 'list'],
    [['not', ['nope']], 'isn’t an operator'],
    [['all', '.a[', ['==', '.', 1]], 'cannot be read'],
  ])('says what is wrong with %j', (statement, words) => {
    const read = asStatement(statement)
    expect('problem' in read ? read.problem : '').toContain(words)
  })

  it('refuses nesting that would exhaust the stack', () => {
    let deep: unknown = ['==', '.', 1]
    for (let level = 0; level < 10_000; level += 1) deep = ['not', deep]
    expect(asStatement(deep)).toHaveProperty('problem')
  })
})

describe('selectorProblem', () => {
  it.each([
    '.',
    '.a',
    '.a.b',
    '.a?',
    '.a[0]',
    '.a[-1]',
    '.a[1:3]',
    '.a[:2]',
    '.["any key"]',
    '.a["b c"].d',
    '.[]',
    '.a[]',
  ])('reads %s', (selector) => expect(selectorProblem(selector)).toBeUndefined())
  it.each(['', 'a', '..a', '.a.', '.a[', '.a[x]', '.a b', '.a["b]'])('refuses %j', (selector) => {
    expect(selectorProblem(selector)).toBeTypeOf('string')
  })
})

describe('readPolicy', () => {
  it('reads empty text as no limits', () => expect(readPolicy('  ')).toEqual({ policy: [] }))
  it('names the wrong statement', () => {
    expect(readPolicy('[["==", ".a", 1], ["oops"]]')).toEqual({
      problem: expect.stringContaining('Statement 2') as unknown,
    })
  })
  it('refuses anything but a list', () => expect(readPolicy('{}')).toHaveProperty('problem'))
})
