import { expect, test } from 'vitest'
import { pins } from './identicon-pins.ts'

const DID = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

test('the same text gives the same picture, pinned for ever', () => {
  expect(pins(DID)).toEqual(pins(DID))
  expect(pins(DID)).toMatchInlineSnapshot(`
    {
      "hue": 120,
      "path": "M16.00 9.50A6.5 6.5 0 0 1 20.60 11.40M22.50 16.00A6.5 6.5 0 0 1 20.60 20.60M20.60 20.60A6.5 6.5 0 0 1 16.00 22.50M16.00 22.50A6.5 6.5 0 0 1 11.40 20.60M11.40 20.60A6.5 6.5 0 0 1 9.50 16.00M11.40 11.40A6.5 6.5 0 0 1 16.00 9.50M16.00 5.50A10.5 10.5 0 0 1 23.42 8.58M26.50 16.00A10.5 10.5 0 0 1 23.42 23.42M23.42 23.42A10.5 10.5 0 0 1 16.00 26.50M16.00 26.50A10.5 10.5 0 0 1 8.58 23.42M16.00 1.50A14.5 14.5 0 0 1 26.25 5.75M26.25 26.25A14.5 14.5 0 0 1 16.00 30.50M16.00 30.50A14.5 14.5 0 0 1 5.75 26.25M5.75 26.25A14.5 14.5 0 0 1 1.50 16.00",
    }
  `)
})

test('texts that differ in one character look different', () => {
  const pictures = new Set(Array.from({ length: 500 }, (_, n) => JSON.stringify(pins(`${DID}${n}`))))
  expect(pictures.size).toBe(500)
})
