import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CUT, createRedactor, growingRedactor } from './redactor.ts'

const secrets = fc.stringMatching(/^[A-Za-z0-9_+/=.-]{8,60}$/).filter((text) => /[A-Za-z0-9]{8}/.test(text))
const ways: ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => secret.toUpperCase(),
  (secret) => Buffer.from(secret).toString('base64'),
  (secret) => Buffer.from(`?${secret}`).toString('base64url'),
  (secret) => Buffer.from(`??${secret}?`).toString('base64'),
  (secret) => Buffer.from(secret).toString('hex'),
  (secret) => encodeURIComponent(secret),
]

it('cuts a secret out wherever it is, whatever is around it', () => {
  fc.assert(
    fc.property(
      secrets,
      fc.json({ noUnicodeString: false }),
      fc.string(),
      fc.nat(6),
      (secret, json, around, way) => {
        const written = ways[way]?.(secret) ?? secret
        const value = { a: [JSON.parse(json), { b: `${around}${written}${around}` }], [written]: 1 }
        const clean = createRedactor([secret]).json(value)
        const text = JSON.stringify(clean ?? '')
        expect(text).not.toContain(JSON.stringify(written).slice(1, -1))
      },
    ),
  )
})

it.each([
  ['p%21a%27s%28s%29w%2Ao%21r%27d%281%29', 'as other languages write it in a URL'],
  ['p%21a%27s%28s%29w*o%21r%27d%281%29', 'as forms do'],
])('cuts %s out, %s', (written) => {
  const { text } = createRedactor(["p!a's(s)w*o!r'd(1)"])
  expect(text(`https://api.example/?key=${written}&page=2`)).toBe(`https://api.example/?key=${CUT}&page=2`)
})

it('cuts out secrets that are added, and in time those that were added last', () => {
  const secretOf = (at: number) => `secret-${'x'.repeat(at % 7)}-${at * 7_919}-${at}`
  const redactor = growingRedactor(['the-first-of-all'])
  for (let at = 0; at < 100; at += 1) redactor.add([secretOf(at), 'the-first-of-all'])
  expect(redactor.text('the-first-of-all')).toBe(CUT)
  for (let at = 40; at < 100; at += 1) expect(redactor.text(`is ${secretOf(at)}.`)).toBe(`is ${CUT}.`)
  // What it shares with others is still cut out of it.
  expect(redactor.text(secretOf(0))).toContain(CUT)
  redactor.add([secretOf(0)])
  expect(redactor.text(secretOf(0))).toBe(CUT)
})

it('takes no longer for one more secret if there are many', () => {
  const token = (at: number) => `${at}.`.repeat(400)
  const redactor = growingRedactor([])
  const times = Array.from({ length: 80 }, (_, at) => {
    const began = performance.now()
    redactor.add([token(at)])
    return performance.now() - began
  })
  const median = (some: readonly number[]) => some.toSorted((a, b) => a - b)[some.length >> 1] ?? 0
  expect(median(times.slice(-15))).toBeLessThan(10 * median(times.slice(0, 15)))
})

it('leaves a value without it as it is', () => {
  const redactor = createRedactor(['0123456789abcdefXYZ'])
  fc.assert(
    fc.property(fc.json({ noUnicodeString: false }), (json) => {
      expect(redactor.json(JSON.parse(json))).toEqual(JSON.parse(json))
    }),
  )
  expect(redactor.json({ __proto__x: 1 })).toEqual({ __proto__x: 1 })
  const own = JSON.parse('{"__proto__":{"a":1}}')
  expect(Object.keys(Object(redactor.json(own)))).toEqual(['__proto__'])
})

it('withholds what it can only find, and not cut out', () => {
  const redactor = createRedactor(['abcdefghijkl'])
  expect(redactor.json(['abc', 'def', 'ghi', 'jkl'])).toBeUndefined()
  expect(redactor.json({ x: 'a.b.c.d.e.f.g.h.i.j.k.l' })).toBeUndefined()
  expect(redactor.json(Buffer.from('a b c d e f g h i j k l').toString('base64'))).toBeUndefined()
})

it('finds a secret that is spread over short fields, whatever they are called', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 12 })
  const name = fc.stringMatching(/^[a-z]{1,6}$/)
  fc.assert(
    fc.property(
      secrets,
      sizes,
      fc.uniqueArray(name, { minLength: 60, maxLength: 60 }),
      (secret, sizes, names) => {
        const pieces: string[] = []
        for (let at = 0; at < secret.length; at += pieces.at(-1)?.length ?? 1)
          pieces.push(secret.slice(at, at + (sizes[pieces.length % sizes.length] ?? 1)))
        const fields = pieces.map((piece, at) => [names[at] ?? '', piece] as const)
        const redactor = createRedactor([secret])
        expect(redactor.json(Object.fromEntries(fields))).toBeUndefined()
        expect(redactor.json(fields.map(([name, piece]) => ({ [name]: { in: piece } })))).toBeUndefined()
        // Beside other values, under one name.
        expect(redactor.json(pieces.map((piece, id) => ({ id, name: 'row', piece })))).toBeUndefined()
      },
    ),
  )
})

it('finds one in names, and in numbers', () => {
  expect(createRedactor(['abcdefghijkl']).json({ abcd: 1, efgh: 2, ijkl: 3 })).toBeUndefined()
  expect(createRedactor(['4929123456781234']).json({ a: 4929, b: 1234, c: 5678, d: 1234 })).toBeUndefined()
  expect(createRedactor(['4929123456781234']).json({ a: 4929, b: 1234, c: 5678 })).toEqual({
    a: 4929,
    b: 1234,
    c: 5678,
  })
})
