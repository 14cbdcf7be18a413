import { describe, expect, test } from 'vitest'
import { inGerman } from '../../test/german.ts'
import { emptyLimit, type FieldLimit, limitProblem, limitStatements, rulesOf } from './field-limit.ts'

const field = (kind: Parameters<typeof emptyLimit>[0], more: object = {}) => ({
  kind,
  selector: '.arguments.a',
  ...more,
})
const limit = (changes: Partial<FieldLimit>): FieldLimit => ({ ...emptyLimit('text'), ...changes })

describe('a limit of a field', () => {
  test.each([
    ['path', { rule: 'under', value: '/home/me/notes' }, [['like', '.arguments.a', '/home/me/notes/*']]],
    ['path', { rule: 'under', value: ' /home/me/notes/ ' }, [['like', '.arguments.a', '/home/me/notes/*']]],
    ['path', { rule: 'under', value: '/home/me/notes/*' }, [['like', '.arguments.a', '/home/me/notes/*']]],
    ['path', { rule: 'under', value: '/a*b' }, [['like', '.arguments.a', '/a\\*b/*']]],
    ['path', { rule: 'under', value: '/' }, [['like', '.arguments.a', '/*']]],
    ['path', { rule: 'is', value: '/home/me/a.txt ' }, [['==', '.arguments.a', '/home/me/a.txt']]],
    ['paths', { rule: 'under', value: '/n' }, [['all', '.arguments.a', ['like', '.', '/n/*']]]],
    ['text', { rule: 'is', value: 'a*' }, [['==', '.arguments.a', 'a*']]],
    ['text', { rule: 'starts', value: 'a*' }, [['like', '.arguments.a', 'a\\**']]],
    ['texts', { rule: 'is', value: 'x' }, [['all', '.arguments.a', ['==', '.', 'x']]]],
    [
      'integer',
      { rule: 'between', value: '1', most: '10' },
      [
        ['>=', '.arguments.a', 1],
        ['<=', '.arguments.a', 10],
      ],
    ],
    ['number', { rule: 'between', most: '2.5' }, [['<=', '.arguments.a', 2.5]]],
    ['truth', { rule: 'no' }, [['==', '.arguments.a', false]]],
    ['text', { rule: 'any' }, []],
  ] as const)('of a %s: %j', (kind, changes, expected) => {
    expect(limitProblem(field(kind), limit(changes))).toBeUndefined()
    expect(limitStatements(field(kind), limit(changes))).toEqual(expected)
  })

  test('takes the decimal comma of the language, and only of a language that has one', async () => {
    const half = limit({ rule: 'between', most: '2,5' })
    expect(limitProblem(field('number'), half)).toMatch(/2\.5/)
    await inGerman(() => {
      expect(limitProblem(field('number'), half)).toBeUndefined()
      expect(limitStatements(field('number'), half)).toEqual([['<=', '.arguments.a', 2.5]])
      expect(limitProblem(field('number'), limit({ rule: 'between', most: '1.000,5' }))).toMatch(/2,5/)
    })
  })

  test('allows some of its choices', () => {
    const mode = field('choice', { choices: ['fast', 'slow', 'off'] })
    expect(limitStatements(mode, limit({ rule: 'some', chosen: [1] }))).toEqual([
      ['==', '.arguments.a', 'slow'],
    ])
    expect(limitStatements(mode, limit({ rule: 'some', chosen: [0, 2] }))).toEqual([
      [
        'or',
        [
          ['==', '.arguments.a', 'fast'],
          ['==', '.arguments.a', 'off'],
        ],
      ],
    ])
  })

  test.each([
    ['path', { rule: 'under', value: '' }],
    ['path', { rule: 'under', value: 'notes' }],
    ['path', { rule: 'under', value: '/notes/../etc' }],
    ['path', { rule: 'under', value: '/notes//a' }],
    ['path', { rule: 'is', value: '/notes/' }],
    ['path', { rule: 'is', value: '\\notes' }],
    ['text', { rule: 'is', value: '' }],
    ['text', { rule: 'starts', value: '' }],
    ['number', { rule: 'between' }],
    ['number', { rule: 'between', value: 'many' }],
    ['number', { rule: 'between', value: '9007199254740993' }],
    ['integer', { rule: 'between', value: '1.5' }],
    ['integer', { rule: 'between', value: '5', most: '4' }],
    ['choice', { rule: 'some' }],
    ['choice', { rule: 'some', chosen: [7] }],
  ] as const)('of a %s is not finished: %j', (kind, changes) => {
    expect(limitProblem(field(kind, { choices: ['a'] }), limit(changes))).toBeTypeOf('string')
  })

  test('of a path is asked for: what can read a disk is never granted by leaving it out', () => {
    expect(emptyLimit('path').rule).toBe('under')
    expect(limitProblem(field('path'), emptyLimit('path'))).toBeTypeOf('string')
    expect(rulesOf('other')).toEqual(['any'])
  })
})
