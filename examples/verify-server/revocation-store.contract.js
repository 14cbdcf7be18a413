// What every revocation store has to hold, for whichever test runner: hand in its `it`, and how to make an empty store.
import assert from 'node:assert/strict'

/** @param {string} revokes @param {string} by */
const revocation = (revokes, by) => ({ cid: `${by}-on-${revokes}`, revokes, by, token: `C-${by}-${revokes}` })

/**
 * @param {(name: string, test: () => Promise<void>) => void} it
 * @param {(now: () => number) => import('./revocation-store.js').RevocationStore | Promise<import('./revocation-store.js').RevocationStore>} make
 * Makes an empty store that goes by this clock, in seconds.
 */
export function revocationStoreContract(it, make) {
  it('knows nothing of what was not revoked', async () => {
    const store = await make(() => 1000)
    assert.deepEqual(await store.about(['a', 'b']), [])
    assert.deepEqual(await store.about([]), [])
  })

  it('gives each revocation of the delegations asked for, and no other', async () => {
    const store = await make(() => 1000)
    const all = [revocation('a', 'alice'), revocation('a', 'bob'), revocation('b', 'alice')]
    for (const each of [...all, revocation('c', 'alice')]) assert.equal(await store.add(each), true)
    const found = await store.about(['a', 'b', 'never-seen'])
    const byCid = found.toSorted((one, other) => one.cid.localeCompare(other.cid))
    assert.deepEqual(
      byCid,
      all.toSorted((one, other) => one.cid.localeCompare(other.cid)),
    )
  })

  it('keeps one by each DID about a delegation', async () => {
    const store = await make(() => 1000)
    assert.equal(await store.add(revocation('a', 'alice')), true)
    assert.equal(await store.add(revocation('a', 'alice')), true)
    assert.equal((await store.about(['a'])).length, 1)
  })

  it('never forgets one whose delegation has not been seen', async () => {
    let now = 1000
    const store = await make(() => now)
    await store.add(revocation('a', 'alice'))
    now = 1e11
    await store.add(revocation('b', 'alice'))
    assert.equal((await store.about(['a'])).length, 1)
  })

  it('forgets none before the delegation can no longer be used', async () => {
    let now = 1000
    const store = await make(() => now)
    await store.add(revocation('a', 'alice'))
    await store.mayForget('a', 2000)
    for (now of [1001, 1999, 2000]) {
      await store.add(revocation(`other-${now}`, 'alice'))
      assert.equal((await store.about(['a'])).length, 1, `at ${now}`)
    }
  })

  it('takes leave to forget what it does not know', async () => {
    const store = await make(() => 1000)
    await store.mayForget('a', 0)
    await store.add(revocation('a', 'alice'))
    assert.equal((await store.about(['a'])).length, 1)
  })
}
