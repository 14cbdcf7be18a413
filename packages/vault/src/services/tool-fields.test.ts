import { describe, expect, it } from 'vitest'
import { toolFields } from './tool-fields.ts'

const of = (schema: unknown, paths: string[] = []) => toolFields({ schema, paths })
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

describe('the fields of a tool', () => {
  it('have kinds, bounds, choices and descriptions', () => {
    const schema = object(
      {
        path: { type: 'string', description: 'Where' },
        paths: { type: 'array', items: { type: 'string' } },
        head: { type: 'number', minimum: 1, maximum: 100 },
        count: { type: ['integer', 'null'] },
        dry: { type: 'boolean' },
        mode: { type: 'string', enum: ['fast', 'slow'] },
        always: { const: 7 },
        tags: { type: 'array', items: { type: 'string' } },
        edits: { type: 'array', items: { type: 'object' } },
      },
      { required: ['path', 'dry'] },
    )
    const { fields, isPartial } = of(schema, ['path', 'paths'])
    expect(isPartial).toBe(false)
    expect(fields.map(({ selector, kind, required }) => [selector, kind, required])).toEqual([
      ['.arguments.path', 'path', true],
      ['.arguments.paths', 'paths', false],
      ['.arguments.head', 'number', false],
      ['.arguments.count', 'integer', false],
      ['.arguments.dry', 'truth', true],
      ['.arguments.mode', 'choice', false],
      ['.arguments.always', 'choice', false],
      ['.arguments.tags', 'texts', false],
      ['.arguments.edits', 'other', false],
    ])
    expect(fields[0]).toMatchObject({ description: 'Where' })
    expect(fields[2]).toMatchObject({ least: 1, most: 100 })
    expect(fields[5]).toMatchObject({ choices: ['fast', 'slow'] })
    expect(fields[6]).toMatchObject({ choices: [7] })
  })

  it('lie within others, to a depth', () => {
    const schema = object({ a: object({ b: object({ c: object({ d: { type: 'string' } }) }) }) })
    expect(of(schema).fields.map(({ selector, kind }) => [selector, kind])).toEqual([
      ['.arguments.a.b.c', 'other'],
    ])
  })

  it('are partial below the top unless the schema refuses more', () => {
    const nested = (more: object) => of(object({ a: object({ b: { type: 'string' } }, more) }))
    expect(nested({})).toMatchObject({ isPartial: true, fields: [{ selector: '.arguments.a.b' }] })
    expect(nested({ additionalProperties: false })).toMatchObject({ isPartial: false, fields: { length: 1 } })
  })

  it('that list nothing are one that has no parts', () => {
    const more = { additionalProperties: false }
    expect(of(object({ a: object({}, more), b: { type: 'object' } }))).toMatchObject({
      isPartial: false,
      fields: [
        { selector: '.arguments.a', kind: 'other' },
        { selector: '.arguments.b', kind: 'other' },
      ],
    })
  })

  it('with any name are found by their selector, and none reaches another field', () => {
    const schema = object({ 'a b': { type: 'string' }, 'x"].path': { type: 'string' }, __proto__: {} })
    expect(of(schema).fields.map(({ selector }) => selector)).toEqual([
      '.arguments["a b"]',
      '.arguments["x\\"].path"]',
    ])
  })
})

describe('a path', () => {
  it.each<[string, object, string]>([
    ['a text', { type: 'string' }, 'path'],
    ['a text or nothing', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'path'],
    ['of no type', {}, 'path'],
    ['a text or a list', { type: ['string', 'array'], items: { type: 'string' } }, 'path'],
    ['one of several', { type: 'string', enum: ['/a', '/b'] }, 'path'],
    ['an object, which no gate takes as a path', object({ name: { type: 'string' } }), 'path'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'paths'],
    ['a list of any type', { type: 'array' }, 'paths'],
    ['a list or nothing', { anyOf: [{ type: 'array', items: {} }, { type: 'null' }] }, 'paths'],
  ])('is one however it is described: %s', (_, path, kind) => {
    const { fields, unlistedPaths } = of(object({ path }), ['path'])
    expect(fields.map((field) => field.kind)).toEqual([kind])
    expect(unlistedPaths).toEqual([])
  })

  const path = { type: 'string' }
  it.each<[string, unknown]>([
    ['without a schema', undefined],
    ['in a list of objects', object({ edits: { type: 'array', items: object({ path }) } })],
    ['too deep', object({ a: object({ b: object({ c: object({ path }) }) }) })],
    ['in an alternative', { ...object({}), anyOf: [object({ path })] }],
    ['behind a reference', object({ a: { $ref: '#/$defs/A' } }, { $defs: { A: object({ path }) } })],
    ['listed here and hidden there', object({ path, edits: { type: 'array', items: object({ path }) } })],
    [
      'after more arguments than are read',
      object(Object.fromEntries([...Array.from({ length: 60 }, (_, at) => [`f${at}`, {}]), ['path', path]])),
    ],
  ])('that no field is about is named: %s', (_, schema) => {
    expect(of(schema, ['path', 'path']).unlistedPaths).toEqual(['path'])
  })
})

describe('a schema from a stranger', () => {
  it.each([
    ['none', undefined],
    ['a text', 'string'],
    ['a list', []],
    ['one that refers to itself', { $ref: '#', ...object({ a: { $ref: '#' } }) }],
    ['one of several', { anyOf: [object({ a: { type: 'string' } })] }],
    ['one that lists nothing', { type: 'object' }],
    ['one that lists no map', { type: 'object', properties: ['path'] }],
    ['one that allows more', object({}, { additionalProperties: true })],
  ])('is known to be partial: %s', (_, schema) => {
    expect(of(schema).isPartial).toBe(true)
  })

  it('is read to a bound, however much there is', () => {
    const many = object(
      Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, { type: 'string' }])),
    )
    expect(of(many)).toMatchObject({ isPartial: true, fields: { length: 60 } })
    const deep: unknown = JSON.parse(`${'{"properties":{"a":'.repeat(5_000)}1${'}}'.repeat(5_000)}`)
    expect(of(deep).fields.length).toBeLessThanOrEqual(1)
    const long = object({ a: { type: 'string', description: 'x'.repeat(50_000) }, ['n'.repeat(200)]: {} })
    const { fields, isPartial } = of(long)
    expect([fields.length, fields[0]?.description?.length, isPartial]).toEqual([1, 600, true])
  })

  it.each([
    ['not a list', 'fast'],
    ['of things', [{ a: 1 }]],
    ['of too many', Array.from({ length: 51 }, (_, at) => at)],
    ['of long texts', ['x'.repeat(201)]],
    ['with a value twice', ['a', 'a']],
    ['empty', []],
  ])('has no choices where they are %s', (_, choices) => {
    expect(of(object({ mode: { type: 'string', enum: choices } })).fields[0]?.kind).toBe('text')
  })

  it('has no bound that is no number', () => {
    const [field] = of(object({ n: { type: 'number', minimum: '1', maximum: null } })).fields
    expect(field).toEqual({ names: ['n'], selector: '.arguments.n', kind: 'number', required: false })
  })
})
