// The contract of every store of revocations.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { guard } from '../fetch.ts'
import type { NewRevocation, OpenRevocations, RevocationSource } from '../revocations/revocation-source.ts'
import type { Verdict } from '../verdict.ts'
import {
  callUnder,
  closeSharedEnclave,
  container,
  delegation,
  friend,
  invocation,
  makeVerifier,
  NOW,
  owner,
  person,
  revocationText,
  stranger,
} from './calls.ts'

/** A store that can be killed in the middle of its work. */
export interface KillableRevocations {
  /** Rejects without an answer, for example because of a kill. Then the revocation may have been added. */
  add(revocation: NewRevocation): Promise<boolean>
  /** Kills what stores the revocations with SIGKILL, and starts it again. It is written to meanwhile. */
  kill(): Promise<void>
  close(): Promise<void>
}

/** Where stores of one kind keep their revocations. */
export interface RevocationPlace {
  /** Opens a store. Those of the same name share what they have, if this kind does. */
  open(name: string, most?: number): Promise<OpenRevocations>
  /** Whether what was added is there for every store of that name, also one that is opened later. */
  readonly isShared: boolean
  /** Opens a store that can be killed, and the store that has what it added; undefined for a kind that doesn't survive it. */
  readonly killable:
    | (() => Promise<{ readonly store: KillableRevocations; reopen(): Promise<OpenRevocations> }>)
    | undefined
  /** How often to kill it. `KEYHOLE_KILLS` in the environment sets it for all. */
  readonly kills: number
  /** Makes the stores of the place unreachable for longer than their freshness; undefined if they can't be. @returns what undoes it */
  readonly cutOff: (() => Promise<() => Promise<void>>) | undefined
  end(): Promise<void>
}

const KILLS = Number(process.env.KEYHOLE_KILLS ?? 0)
/** Who adds at the same time, while a store is killed. */
const WRITERS = 8
/** Revocations of a long-lived service. */
const MANY = 5_000

const outcome = async (verdict: Promise<Verdict>) => {
  const found = await verdict
  return found.authorized ? 'authorized' : found.refusal.name
}
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000, interval: 20 })
const unknown = expect.objectContaining({ code: 'REVOCATIONS_UNKNOWN' })

let made = 0
/** A revocation as the verifier adds it, of a delegation that no one has. */
function revocation(changes: Partial<NewRevocation> = {}): NewRevocation {
  made += 1
  const name = `${process.pid}-${made}`
  return {
    ...{ cid: `bafy-of-${name}`, revokes: `bafy-${name}`, by: [owner.did] },
    ...{ revocation: `C-${name}`, quota: undefined, ...changes },
  }
}
const find = async (source: RevocationSource, revokes: string, issuer = owner.did) =>
  await source.find(owner.did, [{ cid: revokes, issuer }])

export function remembersRevocations(name: string, makePlace: () => Promise<RevocationPlace>): void {
  describe(`revocations in ${name}`, { timeout: 300_000 + KILLS * 20_000 }, () => {
    let place: RevocationPlace
    const opened: OpenRevocations[] = []
    beforeAll(async () => {
      place = await makePlace()
    }, 120_000)
    afterAll(async () => {
      for (const store of opened) await store.close()
      await closeSharedEnclave()
      await place.end()
    }, 60_000)
    const open = async (of = 'one', most?: number) => {
      const store = await place.open(of, most)
      opened.push(store)
      return store
    }

    it('end a grant from the next call on, and no other', async () => {
      const verifier = await makeVerifier({ revocations: await open() })
      const grant = delegation(owner, friend)
      expect(await outcome(verifier.check(callUnder(grant)))).toBe('authorized')
      expect(await verifier.revoke(revocationText(owner, grant))).toMatchObject({ revokes: grant.cid })
      expect(await outcome(verifier.check(callUnder(grant)))).toBe('Revoked')
      expect(await outcome(verifier.check(callUnder(delegation(owner, friend))))).toBe('authorized')
    })

    it('end it at every service, and after each was started again', async ({ skip }) => {
      if (!place.isShared) return skip('This kind of store is as long as its process.')
      const grants = [delegation(owner, friend), delegation(owner, friend)]
      const stores = [await open(), await open()]
      const verifiers = await Promise.all(stores.map((revocations) => makeVerifier({ revocations })))
      for (const [at, grant] of grants.entries()) {
        // Each has looked for revocations of this grant before.
        for (const verifier of verifiers)
          expect(await outcome(verifier.check(callUnder(grant)))).toBe('authorized')
        await verifiers[at]?.revoke(revocationText(owner, grant))
        for (const verifier of verifiers)
          await eventually(async () =>
            expect(await outcome(verifier.check(callUnder(grant)))).toBe('Revoked'),
          )
      }
      for (const store of stores) await store.close()
      const again = await makeVerifier({ revocations: await open() })
      for (const grant of grants) expect(await outcome(again.check(callUnder(grant)))).toBe('Revoked')
    })

    it("aren't added without a valid signature and proofs", async () => {
      const store = await open()
      const verifier = await makeVerifier({ revocations: store })
      const grant = delegation(owner, friend)
      const good = revocationText(owner, grant)
      const flipped = `${good.slice(0, -8)}${good.at(-8) === 'A' ? 'B' : 'A'}${good.slice(-7)}`
      const wide = delegation(owner, stranger, { cmd: '/' })
      const other = container([invocation(owner, owner, [], { exp: BigInt(NOW + 60) })])
      // The owner named no token that the holder of this permission may revoke.
      const unnamed = container([wide, invocation(stranger, owner, [wide], revoking(grant))])
      for (const text of [flipped, other, unnamed, 'C', good.slice(0, 40)])
        expect(await verifier.revoke(text)).toMatchObject({ authorized: false })
      expect(await find(store, grant.cid)).toEqual([])
      expect(await outcome(verifier.check(callUnder(grant)))).toBe('authorized')
    })

    it('have no effect if a stranger signed them, and cost no one else anything', async () => {
      const store = await open()
      const verifier = await makeVerifier({ revocations: store })
      const grant = delegation(owner, friend)
      for (const by of [stranger, friend, person(4), person(5)])
        await verifier.revoke(revocationText(by, grant))
      expect(await find(store, grant.cid)).toEqual([])
      expect(await outcome(verifier.check(callUnder(grant)))).toBe('authorized')
      await verifier.revoke(revocationText(owner, grant))
      expect(await outcome(verifier.check(callUnder(grant)))).toBe('Revoked')
    })

    it('are found by their issuer and by their subject, once', async () => {
      const store = await open()
      const one = revocation({ by: ['did:key:delegate', owner.did] })
      expect(await store.add(one)).toBe(true)
      expect(await find(store, one.revokes)).toEqual([one.revocation])
      const both = [
        { cid: 'bafy-above', issuer: 'did:key:delegate' },
        { cid: one.revokes, issuer: owner.did },
      ]
      expect(await store.find(owner.did, both)).toEqual([one.revocation])
      expect(await find(store, one.revokes, 'did:key:other')).toEqual([])
      // Whoever is below it in a chain can't revoke it.
      const below = [
        { cid: one.revokes, issuer: 'did:key:other' },
        { cid: 'bafy-below', issuer: owner.did },
      ]
      expect(await store.find(owner.did, below)).toEqual([])
      expect(await store.find(owner.did, [])).toEqual([])
    })

    it('are all there, however many there are, and those of strangers are never looked at', async () => {
      const store = await open('many')
      const all = Array.from({ length: MANY }, () => revocation())
      const target = revocation()
      const strangers = Array.from({ length: MANY }, (_, at) =>
        revocation({ revokes: target.revokes, by: [`did:key:stranger${at}`], quota: `from ${at}` }),
      )
      for (let at = 0; at < MANY; at += 250) {
        const added = [...all.slice(at, at + 250), ...strangers.slice(at, at + 250)]
        expect(new Set(await Promise.all(added.map((each) => store.add(each))))).toEqual(new Set([true]))
      }
      await store.add(target)
      for (const again of place.isShared ? [store, await open('many')] : [store]) {
        for (const each of all) expect(await find(again, each.revokes)).toEqual([each.revocation])
        expect(await find(again, target.revokes)).toEqual([target.revocation])
      }
    })

    it('are refused when there is no space, and take none twice', async () => {
      const most = 64 * 1_000
      const store = await open('full', most)
      const long = (quota?: string) => revocation({ revocation: `C${'x'.repeat(499)}`, quota })
      const addAll = async (count: number, quotaOf: (at: number) => string | undefined) => {
        let added = 0
        for (let at = 0; at < count; at += 1) if (await store.add(long(quotaOf(at)))) added += 1
        return added
      }
      // One network gets 1/64, all others together half.
      expect(await addAll(5, () => 'from 198.51.100.1')).toBe(2)
      expect(await addAll(100, (at) => `from 192.0.2.${at}`)).toBe(62)
      const one = long()
      for (let again = 0; again < 3; again += 1) expect(await store.add(one)).toBe(true)
      expect(await addAll(70, () => undefined)).toBe(63)
      expect(await store.add(one)).toBe(true)
      expect(await find(store, one.revokes)).toEqual([one.revocation])
      if (place.isShared) {
        const again = await open('full', most)
        expect(await again.add(long())).toBe(false)
        expect(await again.add(long('from 203.0.113.1'))).toBe(false)
        expect(await again.add(one)).toBe(true)
      }
      const verifier = await makeVerifier({ revocations: store })
      const text = revocationText(owner, delegation(owner, friend), { nonce: Buffer.alloc(400) })
      await expect(verifier.revoke(text)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    })

    it('differ by every character', async () => {
      const store = await open()
      const one = revocation()
      for (const cid of [
        `${one.cid}.`,
        `${one.cid} *`,
        `${one.cid}>`,
        one.cid.toUpperCase(),
        `${one.cid}\0`,
      ]) {
        const other = revocation({ cid })
        expect(await store.add(other)).toBe(true)
        expect(await find(store, other.revokes)).toEqual([other.revocation])
        expect(await find(store, `${other.revokes}.`)).toEqual([])
      }
      expect(await store.add(one)).toBe(true)
      expect(await find(store, one.revokes)).toEqual([one.revocation])
    })

    it('let no call through after the store was closed', async ({ skip }) => {
      if (!place.isShared) return skip('There is nothing to close.')
      const store = await place.open('one')
      const verifier = await makeVerifier({ revocations: store })
      await store.close()
      await expect(verifier.check(callUnder(delegation(owner, friend)))).rejects.toEqual(unknown)
      const text = revocationText(owner, delegation(owner, friend))
      await expect(verifier.revoke(text)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    })

    it('that were acknowledged are still there, however often the store is killed', async ({ skip }) => {
      if (!place.killable) return skip('This kind of store is as long as its process.')
      const { store, reopen } = await place.killable()
      const acknowledged = await addWhileKilled(store, KILLS || place.kills)
      await store.close()
      const again = await reopen()
      opened.push(again)
      for (const each of acknowledged)
        await eventually(async () => expect(await find(again, each.revokes)).toEqual([each.revocation]))
    })

    // Last: the clocks of this place's stores have moved afterwards.
    it('let no call through once they may be old: it is answered 503, until they are known again', async ({
      skip,
    }) => {
      if (!place.cutOff) return skip('Nothing can come between this kind of store and its service.')
      const store = await open()
      const verifier = await makeVerifier({ revocations: store })
      const problems: unknown[] = []
      const onError = (error: unknown) => void problems.push(error)
      const handle = guard(verifier, { command: '/msg', onError }, () => new Response('done'))
      const ask = async (token = callUnder(delegation(owner, friend))) =>
        await handle(new Request('http://a.example/', { headers: { authorization: `Bearer ${token}` } }))
      expect((await ask()).status).toBe(200)
      const restore = await place.cutOff()
      const refused = await ask()
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
      expect(problems).toEqual([unknown])
      // Owners' own calls need no revocations.
      expect((await ask(container([invocation(owner, owner, [], { exp: BigInt(NOW + 60) })]))).status).toBe(
        200,
      )
      await expect(store.add(revocation())).rejects.toMatchObject({ code: 'STORE_FAILED' })
      await restore()
      await eventually(async () => expect((await ask()).status).toBe(200))
      const grant = delegation(owner, friend)
      await eventually(() => verifier.revoke(revocationText(owner, grant)))
      expect((await ask(callUnder(grant))).status).toBe(403)
    })
  })
}

const revoking = (grant: { readonly link: object }) =>
  ({ cmd: '/ucan/revoke', args: new Map([['revoke', grant.link]]), exp: BigInt(NOW + 60) }) as never

/** Kills a store again and again, while it is written to. @returns what it has acknowledged */
async function addWhileKilled(store: KillableRevocations, kills: number): Promise<readonly NewRevocation[]> {
  const acknowledged: NewRevocation[] = []
  let isOver = false
  const write = async () => {
    while (!isOver) {
      const one = revocation()
      // Without an answer it may have been added. A dead store answers so at once: the killing needs its turn.
      const isAdded = await store.add(one).catch(() => new Promise((resolve) => setImmediate(resolve, false)))
      if (isAdded) acknowledged.push(one)
    }
  }
  const killAll = async () => {
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        const enough = acknowledged.length + 1 + ((kill * 7) % 40)
        await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThanOrEqual(enough), {
          timeout: 120_000,
          interval: 5,
        })
        await store.kill()
      }
    } finally {
      isOver = true
    }
  }
  await Promise.all([killAll(), ...Array.from({ length: WRITERS }, write)])
  expect(acknowledged.length).toBeGreaterThan(kills)
  return acknowledged
}
