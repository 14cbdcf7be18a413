import { beforeAll, describe, expect, it } from 'vitest'
import { type Looks, loadLooks } from './look-alike.ts'

let looks: Looks
beforeAll(async () => {
  looks = await loadLooks()
})

const areAlike = (one: string, other: string) => looks(one).some((look) => looks(other).includes(look))

describe('texts that can be confused', () => {
  it.each([
    ['Anna', '\u0410nn\u0430'],
    ['Anna', 'ANNA'],
    ['Anna', 'An\u200bna'],
    ['Anna', '\uff21\uff4e\uff4e\uff41'],
    ['Anna', '𝐀𝐧𝐧𝐚'],
    ['Anna', 'Ánná'],
    ['Anna', 'An na.'],
    ['Anna', 'Αnna'],
    ['Paul', 'Pau1'],
    ['Paul', 'PauI'],
    ['Paul', 'Ρаսꓡ'],
    ['Bob', 'B0b'],
    ['Ernie', 'Emie'],
    ['Willi', 'vvilll'],
    ['Claire', 'Daire'],
    ['Boss', '8o5s'],
    ['did:key:z6Mk', 'dıd：kеy：z6Мk'],
    ['Printer', 'Ｐｒｉｎｔｅｒ\u202e'],
    ['søren', 'sǿren'],
    ['Mike', 'Мike'],
    ['Viv', 'νiν'],
    ['Мария', 'мария'],
    ['Ольга', 'ОЛЬГА'],
  ])('%s and %s', (one, other) => {
    expect(areAlike(one, other)).toBe(true)
  })
})

describe('texts that can’t', () => {
  it.each([
    ['Anna', 'Anne'],
    ['Anna', 'Ana'],
    ['Bob', 'Rob'],
    ['Anna', 'Avva'],
    ['Hugo', 'Nuga'],
    ['Laptop', 'Laptop 2'],
    ['Ольга', 'Олег'],
    ['安娜', '安妮'],
    ['🦊', '🐻'],
  ])('%s and %s', (one, other) => {
    expect(areAlike(one, other)).toBe(false)
  })
})

it('an empty text looks like no other', () => {
  expect(looks(' \u200b')).toEqual([])
})

it('handles 10,000 letters', () => {
  expect(areAlike('\u0410'.repeat(10_000), 'a'.repeat(10_000))).toBe(true)
})
