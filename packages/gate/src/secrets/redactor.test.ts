import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRedactor } from './redactor.ts'

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
