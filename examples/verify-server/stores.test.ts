import { describe, expect, it } from 'vitest'
import { replayStoreContract } from './replay-store.contract.js'
import { MemoryReplayStore } from './replay-store.js'
import { revocationStoreContract } from './revocation-store.contract.js'
import { MemoryRevocationStore } from './revocation-store.js'

describe('the replay store in memory', () => {
  replayStoreContract(it, (now) => new MemoryReplayStore(now))

  it('holds no more than what can still be used', () => {
    let now = 1000
    const store = new MemoryReplayStore(() => now)
    for (let count = 0; count < 1000; count += 1) store.claim(`cid-${count}`, 1000 + (count % 100))
    expect(store.size).toBe(1000)
    now = 1050
    store.claim('one more', 1060)
    expect(store.size).toBe(501)
  })
})

describe('the revocation store in memory', () => {
  revocationStoreContract(it, (now) => new MemoryRevocationStore(now))

  const revocation = (revokes: string) => ({ cid: `r-${revokes}`, revokes, by: 'alice', token: 'C123456789' })

  it('takes no more than it has room for, and makes room of what may be forgotten', () => {
    let now = 1000
    const store = new MemoryRevocationStore(() => now, 30)
    for (const cid of ['a', 'b', 'c']) expect(store.add(revocation(cid))).toBe(true)
    expect(store.add(revocation('d'))).toBe(false)
    store.mayForget('b', 1000)
    expect(store.add(revocation('d'))).toBe(false)
    now = 1001
    expect(store.add(revocation('d'))).toBe(true)
    expect(store.about(['a', 'b', 'c', 'd']).map(({ revokes }) => revokes)).toEqual(['a', 'c', 'd'])
    expect(store.add(revocation('e'))).toBe(false)
  })
})
