import { BOUNDS } from '@keyhole/relay'
import { expect, it } from 'vitest'
import { FeedRevocations, LONGEST, MOST } from './feed-revocations.ts'

/** For the delegation's CID, two DIDs and JSON around a revocation, in characters. */
const AROUND = 1_024

const fed = (name: string, until: number | null = null, length = 10) => ({
  ...{ revokes: name, by: ['owner'], revocation: `of ${name}` },
  ...{ until, length },
})
const found = (feed: FeedRevocations, ...cids: string[]) =>
  feed.find(cids.map((cid) => ({ cid, issuer: 'owner' })))

it('has room for the longest feed of a relay', () => {
  const { ownRevocations, othersRevocations, revocationLength, revocationsPerGrantee } = BOUNDS
  expect(revocationLength + AROUND).toBeLessThan(LONGEST)
  expect((ownRevocations + othersRevocations) * (revocationLength + AROUND)).toBeLessThan(MOST)
  // No one grantee can fill the room of all.
  expect(5 * revocationsPerGrantee).toBeLessThan(othersRevocations)
})

it('takes a feed again when it is full, and nothing else', () => {
  const feed = new FeedRevocations(30)
  for (const name of ['a', 'b', 'c', 'a', 'b', 'c']) expect(feed.add(fed(name), 1)).toBe(true)
  expect(feed.add(fed('d'), 1)).toBe(false)
  expect(found(feed, 'a', 'b', 'c', 'd')).toEqual(['of a', 'of b', 'of c'])
  expect(new FeedRevocations().add(fed('long', null, LONGEST + 1), 1)).toBe(false)
})

it('removes many at once, so that a relay that lets one expire at a time costs little', () => {
  const feed = new FeedRevocations(320)
  for (let at = 0; at < 32; at += 1) expect(feed.add(fed(`r${at}`, at), -1)).toBe(true)
  expect(feed.add(fed('next'), 0)).toBe(false)
  expect(found(feed, 'r0')).toEqual(['of r0'])
  expect(feed.add(fed('next'), 1)).toBe(true)
  expect(found(feed, 'r0', 'r1', 'r2', 'next')).toEqual(['of r2', 'of next'])
})

it('removes those of expired delegations, once it needs the room', () => {
  const feed = new FeedRevocations(30)
  for (const each of [fed('a', 5), fed('b', 6), fed('c')]) expect(feed.add(each, 1)).toBe(true)
  expect(feed.add(fed('d'), 4)).toBe(false)
  expect(found(feed, 'a')).toEqual(['of a'])
  expect(feed.add(fed('d'), 5)).toBe(true)
  expect(feed.add(fed('e'), 5)).toBe(false)
  expect(found(feed, 'a', 'b', 'c', 'd')).toEqual(['of b', 'of c', 'of d'])
})
