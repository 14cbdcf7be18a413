import { describe, expect, it } from 'vitest'
import { rank, score } from './rank-commands.ts'

const ALL = [
  { title: 'Home' },
  { title: 'New grant', also: 'give, allow' },
  { title: 'Grants' },
  { title: 'Lock' },
  { title: 'Unlock' },
]

describe('rank', () => {
  it('puts what begins so before what has it inside', () => {
    expect(rank(ALL, 'lock').map(({ title }) => title)).toEqual(['Lock', 'Unlock'])
    expect(rank(ALL, 'grant').map(({ title }) => title)).toEqual(['Grants', 'New grant'])
  })

  it('finds by other words, and asks for all of them', () => {
    expect(rank(ALL, 'allow').map(({ title }) => title)).toEqual(['New grant'])
    expect(rank(ALL, 'new door')).toEqual([])
  })

  it('leaves everything where nothing was typed', () => {
    expect(rank(ALL, ' ')).toEqual(ALL)
    expect(score({ title: 'Home' }, 'o')).toBe(0)
  })
})
