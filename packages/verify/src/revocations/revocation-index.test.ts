import { expect, it } from 'vitest'
import { RevocationIndex } from './revocation-index.ts'

const chain = [
  { cid: 'first', issuer: 'owner' },
  { cid: 'second', issuer: 'app' },
  { cid: 'third', issuer: 'agent' },
]

it('finds what those above a delegation revoked, and no one below or beside it', () => {
  const index = new RevocationIndex()
  for (const { cid } of chain)
    for (const by of ['owner', 'app', 'agent', 'holder', 'stranger'])
      index.add({ revokes: cid, by: [by], revocation: `${cid} by ${by}` })
  expect(index.find(chain)).toEqual([
    'first by owner',
    'second by owner',
    'second by app',
    'third by owner',
    'third by app',
    'third by agent',
  ])
  expect(index.find([])).toEqual([])
})

it('finds it by its issuer or by its subject, once', () => {
  const index = new RevocationIndex()
  const add = (by: readonly string[] | undefined) =>
    index.add({ revokes: 'second', by, revocation: `by ${by}` })
  expect(add(['delegate', 'owner'])).toBe(true)
  expect(add(['app', 'other'])).toBe(true)
  expect(add(['owner', 'app'])).toBe(true)
  expect(add(['delegate', 'other'])).toBe(true)
  expect(add(undefined)).toBe(true)
  expect(add(['owner', 'app'])).toBe(false)
  expect(index.find(chain).toSorted()).toEqual([
    'by app,other',
    'by delegate,owner',
    'by owner,app',
    'by undefined',
  ])
})

it('looks at no stranger, however many there are', () => {
  const index = new RevocationIndex()
  for (let at = 0; at < 100_000; at += 1)
    index.add({ revokes: 'second', by: [`stranger ${at}`], revocation: `C${at}` })
  index.add({ revokes: 'second', by: ['owner'], revocation: 'C' })
  for (let call = 0; call < 10_000; call += 1) expect(index.find(chain)).toEqual(['C'])
})
