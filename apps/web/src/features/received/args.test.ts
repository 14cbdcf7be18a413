import { describe, expect, it } from 'vitest'
import { type ArgsDraft, argsAsJson, fieldsOf, isBegun, NO_ARGS, namesOf, readArgs } from './args.ts'

const POLICY = [
  ['==', '.to', 'bob@example.com'],
  [
    'and',
    [
      ['<=', '.amount.value', 50],
      ['>', '.amount.value', 0],
    ],
  ],
  [
    'or',
    [
      ['==', '.day', 'mon'],
      ['==', '.day', 'tue'],
    ],
  ],
  ['like', '.subject', 'Re: *'],
  ['all', '.list', ['==', '.kind', 'x']],
  ['==', '.code', '17'],
]

const fill = (values: Record<string, string>, more: [string, string][] = []): ArgsDraft => ({
  mode: 'fields',
  values,
  more: more.map(([path, value], id) => ({ id, path, value })),
})

describe('fieldsOf', () => {
  it('finds each field once, with its limits and its only possible value', () => {
    const fields = fieldsOf(POLICY)
    expect(fields.map(({ path }) => path)).toEqual(['.to', '.amount.value', '.day', '.subject', '.code'])
    const [to, amount, day, subject, code] = fields
    expect(to).toMatchObject({ preset: 'bob@example.com', isText: false })
    expect(amount?.limits).toHaveLength(2)
    expect(day?.preset).toBeUndefined()
    expect(subject?.isText).toBe(true)
    expect(code?.preset).toBe('"17"')
  })
})

describe('isBegun', () => {
  const fields = fieldsOf(POLICY)
  it('is false until something is filled in, unless nothing has to be', () => {
    expect(isBegun(NO_ARGS, fields)).toBe(false)
    expect(isBegun(fill({ '.subject': ' ' }), fields)).toBe(false)
    expect(isBegun(fill({ '.subject': 'Re: you' }), fields)).toBe(true)
    expect(isBegun(argsAsJson(NO_ARGS, fields), fields)).toBe(true)
    expect(isBegun(NO_ARGS, fieldsOf([['==', '.to', 'bob']]))).toBe(true)
  })
})

describe('readArgs', () => {
  const fields = fieldsOf(POLICY)

  it('builds nested maps, numbers as numbers, texts as texts, and leaves out empty fields', () => {
    const draft = fill({ '.amount.value': '12', '.subject': '42' }, [
      ['amount.currency', 'EUR'],
      ['urgent', 'true'],
      ['', ''],
    ])
    expect(readArgs(draft, fields)).toEqual({
      args: {
        to: 'bob@example.com',
        amount: { value: 12, currency: 'EUR' },
        subject: '42',
        code: '17',
        urgent: true,
      },
    })
  })

  it('keeps integers beyond 2^53 exactly', () => {
    const draft = fill({ '.amount.value': '90071992547409931' })
    expect(readArgs(draft, fields)).toMatchObject({ args: { amount: { value: 90071992547409931n } } })
  })

  it('says what is in the way', () => {
    expect(readArgs(fill({}, [['to.email', 'x']]), fields)).toHaveProperty('problem')
    expect(readArgs(fill({}, [['a[0]', 'x']]), fields)).toHaveProperty('problem')
    expect(readArgs({ mode: 'json', text: '[1]' }, fields)).toHaveProperty('problem')
    expect(readArgs({ mode: 'json', text: '{"a":1,"a":2}' }, fields)).toHaveProperty('problem')
  })

  it('does not set a prototype from a name', () => {
    const read = readArgs(fill({}, [['__proto__.polluted', 'yes']]), [])
    expect('args' in read && Object.keys(read.args)).toEqual(['__proto__'])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('moves to JSON without losing anything', () => {
    const draft = fill({ '.amount.value': '12' }, [['note', 'hello']])
    expect(readArgs(argsAsJson(draft, fields), fields)).toEqual(readArgs(draft, fields))
  })
})

it('reads names with dots and brackets, but no list positions', () => {
  expect(namesOf('.to.email')).toEqual(['to', 'email'])
  expect(namesOf('.["a key"].b')).toEqual(['a key', 'b'])
  for (const path of ['.', '.a[0]', '.a[]', '.a?', 'a', '.["\\q"]', '.["\\u12"]'])
    expect(namesOf(path)).toBeUndefined()
})
