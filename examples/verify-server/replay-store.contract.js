// What every replay store has to hold, for whichever test runner: hand in its `it`, and how to make an empty store.
import assert from 'node:assert/strict'

/**
 * @param {(name: string, test: () => Promise<void>) => void} it
 * @param {(now: () => number) => import('./replay-store.js').ReplayStore | Promise<import('./replay-store.js').ReplayStore>} make
 * Makes an empty store that goes by this clock, in seconds.
 */
export function replayStoreContract(it, make) {
  it('gives a CID to the first claim and to no other', async () => {
    const store = await make(() => 1000)
    assert.equal(await store.claim('a', 1060), true)
    assert.equal(await store.claim('a', 1060), false)
    assert.equal(await store.claim('a', 5000), false)
    assert.equal(await store.claim('b', 1060), true)
  })

  it('gives a CID to one of many claims that come at once', async () => {
    const store = await make(() => 1000)
    const claims = await Promise.all(Array.from({ length: 100 }, () => store.claim('a', 1060)))
    assert.equal(claims.filter(Boolean).length, 1)
  })

  it('remembers a CID for as long as its invocation can be used, whatever comes and goes beside it', async () => {
    let now = 1000
    const store = await make(() => now)
    assert.equal(await store.claim('a', 1060), true)
    for (now = 1001; now <= 1060; now += 1) {
      await store.claim(`other-${now}`, now)
      assert.equal(await store.claim('a', 1060), false, `at ${now}`)
    }
  })

  it('forgets a CID after that', async () => {
    let now = 1000
    const store = await make(() => now)
    await store.claim('a', 1060)
    now = 1061
    assert.equal(await store.claim('a', 2000), true)
  })

  it('refuses a claim that comes too late: its CID may have been forgotten', async () => {
    let now = 1000
    const store = await make(() => now)
    await store.claim('a', 1060)
    now = 1061
    assert.equal(await store.claim('a', 1060), false)
    assert.equal(await store.claim('never-seen', 1060), false)
  })
}
