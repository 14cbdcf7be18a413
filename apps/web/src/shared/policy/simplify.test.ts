import { afterEach, describe, expect, it, vi } from 'vitest'
import { simplifyPolicy } from './simplify.ts'

const LONG = 'é'.repeat(1000)

/** A statement inside this many groups, as `wrap` makes them. */
function within(
  depth: number,
  statement: unknown,
  wrap: (inner: unknown, level: number) => unknown,
): unknown {
  let made = statement
  for (let level = 0; level < depth; level += 1) made = wrap(made, level)
  return made
}

afterEach(() => void vi.restoreAllMocks())

/** How often simplifying a policy writes a long text as JSON. */
function writings(policy: readonly unknown[]): number {
  const write = vi.spyOn(JSON, 'stringify')
  simplifyPolicy(policy)
  return write.mock.calls.filter(([value]) => value === LONG).length
}

describe('what simplifying costs', () => {
  it.each<[string, (inner: unknown, level: number) => unknown]>([
    ['groups of one', (inner, level) => [level % 2 === 0 ? 'and' : 'or', [inner]]],
    ['groups of two', (inner, level) => [level % 2 === 0 ? 'and' : 'or', [inner, ['==', '.b', level]]]],
    ['nots', (inner) => ['not', inner]],
    ['nots of groups', (inner, level) => ['not', ['and', [inner, ['==', '.b', level]]]]],
    ['items', (inner) => ['any', '.list', inner]],
    [
      'items of groups',
      (inner, level) => ['any', '.list', [level % 2 === 0 ? 'and' : 'or', [inner, ['==', '.b', level]]]],
    ],
  ])('writes a value twice at most, however deep it is: %s', (_name, wrap) => {
    // The comparison, and its opposite.
    expect(writings([within(50, ['==', '.a', LONG], wrap)])).toBeLessThanOrEqual(2)
  })
})

describe('simplest form', () => {
  it('tells values apart that only differ in what is invisible, or in their kind', () => {
    const policy = [
      'a',
      'a\u202e',
      '\\u202e',
      1,
      '1',
      9007199254740993n,
      9007199254740992,
      [1],
      { a: 1 },
      null,
    ].map((value) => ['==', '.a', value])
    expect(simplifyPolicy(policy).limits).toHaveLength(policy.length)
  })

  it('keeps one of two groups with the same members in another order', () => {
    const [a, b] = [
      ['==', '.a', 1],
      ['==', '.b', { c: [2] }],
    ]
    const policy = [
      ['or', [a, b]],
      ['or', [b, a, a]],
    ]
    expect(simplifyPolicy(policy).limits).toMatchObject([{ kind: 'or', of: [{}, {}] }])
  })

  it('finds a group and its opposite, however deep', () => {
    const group = [
      'and',
      [
        ['==', '.a', 1],
        ['any', '.l', ['==', '.', 2]],
      ],
    ]
    const wrapped = within(8, group, (inner) => ['not', ['not', inner]])
    expect(simplifyPolicy([wrapped, ['not', group]]).never).toBe(false)
    expect(
      simplifyPolicy([
        ['any', '.l', group],
        ['not', ['any', '.l', wrapped]],
      ]).never,
    ).toBe(true)
  })
})
