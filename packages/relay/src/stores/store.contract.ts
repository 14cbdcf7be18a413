// The contract of every store.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BOUNDS, type Bounds } from '../bounds.ts'
import { keepsRecords } from './records.contract.ts'
import type { Hint, NewRevocation, RelayStore } from './store.ts'

/** A place where stores of one kind keep their data. */
export interface Place {
  /** Opens a store there. */
  open(bounds?: Partial<Bounds>): Promise<RelayStore>
  /** Whether all stores of the place have the same data. */
  readonly isShared: boolean
  /** Whether bounds are exact, also under concurrent calls. */
  readonly isExact: boolean
  /** Whether it deletes expired revocations by its own clock. */
  readonly isTimed: boolean
  end(): Promise<void>
}

const NOW = Date.now()
const MINUTE = 60_000
const bytes = (text: string) => new TextEncoder().encode(text)

const quotaOf = (grantee: string, depth = 1) => ({ grantee, depth })

let made = 0
/** A new revocation each time, by the same owner. */
export function revocation(changes: Partial<NewRevocation> = {}): NewRevocation {
  made += 1
  return {
    subject: 'did:key:owner',
    quota: undefined,
    id: `bafyrevocation${made}`,
    by: ['did:key:owner'],
    cid: `bafyrevoked${made}`,
    revocation: `C${made}`,
    until: NOW + 60 * MINUTE,
    isReserved: false,
    ...changes,
  }
}

export function keepsAsStore(name: string, makePlace: () => Promise<Place>): void {
  describe(`a store in ${name}`, { timeout: 60_000 }, () => {
    let place: Place
    const opened: RelayStore[] = []
    beforeAll(async () => {
      place = await makePlace()
    }, 60_000)
    afterAll(async () => {
      for (const store of opened) await store.close()
      await place.end()
    })
    /** Names for one test: all tests share the place. */
    let tests = 0
    const names = () => {
      tests += 1
      return { mailbox: `did:key:mailbox-${tests}`, subject: `did:key:owner-${tests}` }
    }
    const open = async (bounds?: Partial<Bounds>) => {
      const store = await place.open(bounds)
      opened.push(store)
      return store
    }

    /** Checks something that becomes true at a certain time. */
    async function after(store: RelayStore, until: number, check: () => Promise<void>): Promise<void> {
      if (place.isTimed) return await vi.waitFor(check, { timeout: 30_000, interval: 100 })
      await store.deleteExpired(until)
      await check()
    }

    describe('a report', () => {
      const report = (owner: string, sender: string, text: string, isReserved = false) => ({
        ...{ owner, sender, isReserved },
        report: bytes(text),
      })
      const read = async (store: RelayStore, owner: string, sender: string, now = NOW) =>
        (await store.readReport(owner, sender, now))?.report

      it('replaces the last one of its sender to this owner, and no other', async () => {
        const store = await open()
        const [one, two] = [names().subject, names().subject]
        expect(await store.readReport(one, 'a', NOW)).toBeUndefined()
        expect(await store.putReport(report(one, 'a', '1'), NOW)).toBe('stored')
        expect(await store.putReport(report(one, 'b', '2'), NOW)).toBe('stored')
        expect(await store.putReport(report(two, 'a', '3'), NOW)).toBe('stored')
        expect(await store.putReport(report(one, 'a', '4'), NOW)).toBe('stored')
        expect(await read(store, one, 'a')).toEqual(bytes('4'))
        expect(await read(store, one, 'b')).toEqual(bytes('2'))
        expect(await read(store, two, 'a')).toEqual(bytes('3'))
      })

      it('ends if it is not written again', async () => {
        const store = await open()
        const { subject } = names()
        await store.putReport(report(subject, 'a', '1'), NOW)
        await store.putReport(report(subject, 'b', '1'), NOW)
        await store.putReport(report(subject, 'a', '2'), NOW + MINUTE)
        const end = NOW + BOUNDS.reportLifetime
        await store.deleteExpired(end)
        expect(await read(store, subject, 'a', end)).toEqual(bytes('2'))
        expect(await read(store, subject, 'b', end)).toBeUndefined()
        expect((await store.readReport(subject, 'a', end))?.until).toBe(end + MINUTE)
      })

      it('has room for so many senders of an owner, and those there can still write', async () => {
        const store = await open({ reportsPerOwner: 2 })
        const { subject } = names()
        for (const sender of ['a', 'b', 'a'])
          expect(await store.putReport(report(subject, sender, '1'), NOW)).toBe('stored')
        expect(await store.putReport(report(subject, 'c', '1'), NOW)).toBe('full')
        expect(await store.putReport(report(names().subject, 'c', '1'), NOW)).toBe('stored')
      })

      it('of a reserved owner does not need the space of all', async () => {
        const store = await open({ reportBytes: 1 })
        const { subject } = names()
        expect(await store.putReport(report(subject, 'a', '12'), NOW)).toBe('full')
        expect(await store.putReport(report(subject, 'a', '12', true), NOW)).toBe('stored')
        expect(await read(store, subject, 'a')).toEqual(bytes('12'))
      })
    })

    describe('a mailbox', () => {
      it('takes one message while it is open, and returns it until it closes', async () => {
        const store = await open()
        const { mailbox } = names()
        expect(await store.putMessage(mailbox, bytes('one'), NOW)).toBe('unknown')
        expect(await store.readMailbox(mailbox, NOW)).toBeUndefined()
        expect(await store.openMailbox(mailbox, NOW)).toBe('open')
        expect(await store.readMailbox(mailbox, NOW)).toEqual({
          until: NOW + BOUNDS.mailboxLifetime,
          message: undefined,
        })
        expect(await store.putMessage(mailbox, bytes('one'), NOW)).toBe('stored')
        expect(await store.putMessage(mailbox, bytes('two'), NOW)).toBe('taken')
        for (let read = 0; read < 2; read += 1)
          expect((await store.readMailbox(mailbox, NOW))?.message).toEqual(bytes('one'))
        const end = NOW + BOUNDS.mailboxLifetime
        expect(await store.readMailbox(mailbox, end - 1)).toBeDefined()
        expect(await store.readMailbox(mailbox, end)).toBeUndefined()
        expect(await store.putMessage(mailbox, bytes('late'), end)).toBe('unknown')
      })

      it('is not changed or extended by opening it again', async () => {
        const store = await open()
        const { mailbox } = names()
        await store.openMailbox(mailbox, NOW)
        await store.putMessage(mailbox, bytes('one'), NOW)
        expect(await store.openMailbox(mailbox, NOW + MINUTE)).toBe('open')
        expect(await store.readMailbox(mailbox, NOW)).toEqual({
          until: NOW + BOUNDS.mailboxLifetime,
          message: bytes('one'),
        })
      })

      it('is empty when it is opened again after its end', async () => {
        const store = await open()
        const { mailbox } = names()
        await store.openMailbox(mailbox, NOW)
        await store.putMessage(mailbox, bytes('one'), NOW)
        const later = NOW + BOUNDS.mailboxLifetime
        expect(await store.openMailbox(mailbox, later)).toBe('open')
        expect((await store.readMailbox(mailbox, later))?.message).toBeUndefined()
        expect(await store.putMessage(mailbox, bytes('two'), later)).toBe('stored')
      })

      it('takes one of many concurrent messages', async () => {
        const store = await open()
        const { mailbox } = names()
        await store.openMailbox(mailbox, NOW)
        const left = await Promise.all(
          Array.from({ length: 40 }, (_, at) => store.putMessage(mailbox, bytes(`message ${at}`), NOW)),
        )
        expect(left.filter((each) => each === 'stored')).toHaveLength(1)
        expect(left.filter((each) => each === 'taken')).toHaveLength(39)
        const at = left.indexOf('stored')
        expect((await store.readMailbox(mailbox, NOW))?.message).toEqual(bytes(`message ${at}`))
      })

      it('keeps every byte of the longest message', async () => {
        const store = await open()
        const { mailbox } = names()
        await store.openMailbox(mailbox, NOW)
        const long = crypto.getRandomValues(new Uint8Array(BOUNDS.messageLength))
        expect(await store.putMessage(mailbox, long, NOW)).toBe('stored')
        expect((await store.readMailbox(mailbox, NOW))?.message).toEqual(long)
      })
    })

    describe('a feed', () => {
      it('has the revocations of one owner, in their order', async () => {
        const store = await open()
        const { subject } = names()
        const all = [1, 2, 3].map(() => revocation({ subject }))
        for (const each of all) expect(await store.addRevocation(each)).toBe('added')
        await store.addRevocation(revocation({ subject: `${subject}-other` }))
        const feed = await store.revocationsSince(subject, 0, 1_000)
        expect(feed.map(({ cid, by, revocation: text, until }) => ({ cid, by, text, until }))).toEqual(
          all.map(({ cid, by, revocation: text, until }) => ({ cid, by, text, until })),
        )
        const [first = 0, second = 0, third = 0] = feed.map(({ seq }) => seq)
        expect(first).toBeGreaterThan(0)
        expect(second).toBeGreaterThan(first)
        expect(third).toBeGreaterThan(second)
        expect((await store.revocationsSince(subject, second, 1_000)).map(({ seq }) => seq)).toEqual([third])
        expect(await store.revocationsSince(subject, third, 1_000)).toEqual([])
        expect(await store.revocationsSince(`${subject}-nobody`, 0, 1_000)).toEqual([])
        expect(await store.revocationsSince(subject, 0, 2)).toEqual(feed.slice(0, 2))
        expect(await store.lastSeq(subject)).toBe(third)
        expect(await store.lastSeq(`${subject}-nobody`)).toBe(0)
      })

      it('knows which chains are revoked, for each owner', async () => {
        const store = await open()
        const { subject } = names()
        const one = revocation({ subject })
        await store.addRevocation(one)
        const other = { cid: 'bafyother', issuer: 'did:key:owner' }
        const link = { cid: one.cid, issuer: 'did:key:owner' }
        expect(await store.hasRevoked(subject, [other, link])).toBe(true)
        expect(await store.hasRevoked(subject, [other])).toBe(false)
        expect(await store.hasRevoked(subject, [])).toBe(false)
        expect(await store.hasRevoked(`${subject}-nobody`, [link])).toBe(false)
      })

      it('counts a revocation only by the issuer of the delegation, or of one above it', async () => {
        const store = await open()
        const { subject } = names()
        const target = revocation({ subject }).cid
        const until = Date.now() + 1_500
        const byOf = async (...by: string[]) =>
          store.addRevocation(revocation({ subject, cid: target, by, until }))
        const chain = [
          { cid: 'bafyroot', issuer: 'did:key:owner' },
          { cid: target, issuer: 'did:key:app' },
          { cid: 'bafyleaf', issuer: 'did:key:agent' },
        ]
        const answers = [await byOf('did:key:agent'), await byOf('did:key:stranger', 'did:key:agent')]
        expect(await store.hasRevoked(subject, chain)).toBe(false)
        expect(await store.hasRevoked(subject, [...chain].reverse())).toBe(true)
        answers.push(await byOf('did:key:stranger', 'did:key:owner'))
        expect(await store.hasRevoked(subject, chain)).toBe(true)
        answers.push(await byOf('did:key:app', 'did:key:stranger'))
        const others = chain.map((link) => ({ ...link, issuer: link.issuer.replace('owner', 'other') }))
        expect(await store.hasRevoked(subject, others)).toBe(true)
        expect(answers).toEqual(['added', 'added', 'added', 'added'])
        expect(await store.revocationsSince(subject, 0, 1_000)).toHaveLength(4)
        await after(store, until + 1, async () => expect(await store.hasRevoked(subject, chain)).toBe(false))
      })

      it('has each revocation once, also under concurrent calls', async () => {
        const store = await open()
        const { subject } = names()
        const one = revocation({ subject })
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, at) => store.addRevocation({ ...one, quota: quotaOf(`${at}`) })),
        )
        expect(answers.filter((each) => each === 'added')).toHaveLength(1)
        expect(answers.filter((each) => each === 'known')).toHaveLength(19)
        expect(await store.addRevocation({ ...one, id: 'bafyanother' })).toBe('added')
        expect(await store.revocationsSince(subject, 0, 1_000)).toHaveLength(2)
      })

      it('numbers concurrent revocations without duplicates', async () => {
        const store = await open()
        const { subject } = names()
        await Promise.all(Array.from({ length: 60 }, () => store.addRevocation(revocation({ subject }))))
        const seqs = (await store.revocationsSince(subject, 0, 1_000)).map(({ seq }) => seq)
        expect(new Set(seqs).size).toBe(60)
        expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
      })

      it('deletes what has expired, and nothing else', async () => {
        const store = await open()
        const { subject } = names()
        const soon = Date.now() + 1_500
        const ends = [soon, NOW + 600 * MINUTE, Number.MAX_SAFE_INTEGER, null]
        for (const until of ends) await store.addRevocation(revocation({ subject, until }))
        const left = async () => (await store.revocationsSince(subject, 0, 1_000)).map(({ until }) => until)
        await store.deleteExpired(soon - 1)
        expect(await left()).toEqual(ends)
        await after(store, soon + 1, async () => expect(await left()).toEqual(ends.slice(1)))
      })
    })

    describe('its bounds', () => {
      it('limit mailboxes and messages, and free the space when they end', async () => {
        const store = await place.open({ mailboxes: 3, messageBytes: 10 }).then((bounded) => {
          opened.push(bounded)
          return bounded
        })
        await store.deleteExpired(NOW + 100 * MINUTE)
        const { mailbox } = names()
        const ids = [1, 2, 3, 4].map((at) => `${mailbox}-${at}`)
        const answers: string[] = []
        for (const id of ids) answers.push(await store.openMailbox(id, NOW))
        if (place.isExact) expect(answers).toEqual(['open', 'open', 'open', 'full'])
        const [one = '', two = ''] = ids
        expect(await store.putMessage(one, bytes('12345678'), NOW)).toBe('stored')
        if (place.isExact) expect(await store.putMessage(two, bytes('123'), NOW)).toBe('full')
        const later = NOW + BOUNDS.mailboxLifetime
        await store.deleteExpired(later)
        expect(await store.openMailbox(`${mailbox}-5`, later)).toBe('open')
        expect(await store.putMessage(`${mailbox}-5`, bytes('1234567890'), later)).toBe('stored')
      })

      it('limit revocations by the owner and by each quota', async () => {
        const store = await open({ ownRevocations: 3, revocationsPerGrantee: 4, revocations: 1_000_000 })
        const { subject } = names()
        const soon = Date.now() + 1_500
        const add = (changes: Partial<NewRevocation>) =>
          store.addRevocation(revocation({ subject, until: soon, ...changes }))
        const answers: string[] = []
        for (let at = 0; at < 3; at += 1) answers.push(await add({ quota: quotaOf('did:key:app') }))
        expect(answers).toEqual(['added', 'added', 'full'])
        // A full quota doesn't affect the others.
        expect(await add({ quota: quotaOf('did:key:other') })).toBe('added')
        for (let at = 0; at < 3; at += 1) expect(await add({})).toBe('added')
        expect(await add({})).toBe('full')
        // Expired revocations free their space.
        await after(store, soon + 1, async () =>
          expect(await store.revocationsSince(subject, 0, 1_000)).toEqual([]),
        )
        expect(await add({ until: null })).toBe('added')
        expect(await add({ until: null, quota: quotaOf('did:key:app') })).toBe('added')
      })

      it('limit what others sign in a feed, and leave the owner’s room', async () => {
        const few = { ownRevocations: 2, othersRevocations: 5, revocationsPerGrantee: 6 }
        const store = await open({ ...few, revocations: 1_000_000 })
        const { subject } = names()
        const add = (changes: Partial<NewRevocation>, owner = subject) =>
          store.addRevocation(revocation({ subject: owner, until: null, ...changes }))
        const answers: string[] = []
        const grantees = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c']
        for (const [at, grantee] of grantees.entries())
          answers.push(await add({ quota: quotaOf(grantee, 1 + (at % 4)) }))
        // Below a: three depths have room for one each, and the first has room for three.
        expect(answers).toEqual([...Array.from({ length: 5 }, () => 'added'), 'full', 'full', 'full'])
        expect([await add({}), await add({}), await add({})]).toEqual(['added', 'added', 'full'])
        expect(await add({ quota: quotaOf('c') }, `${subject}-other`)).toBe('added')
        expect(await store.revocationsSince(subject, 0, 1_000)).toHaveLength(7)
      })

      it('count what was stored before, and concurrent calls', async () => {
        const { subject } = names()
        const add = (to: RelayStore, changes: Partial<NewRevocation> = {}) =>
          to.addRevocation(revocation({ subject, quota: quotaOf(`did:key:app-${made}`), ...changes }))
        const few = await open({ othersRevocations: 3 })
        const before = place.isShared ? await open() : few
        for (let at = 0; at < 2; at += 1) expect(await add(before)).toBe('added')
        const answers = await Promise.all([1, 2, 3, 4].map(() => add(few)))
        if (place.isExact) expect(answers).toEqual(['added', 'full', 'full', 'full'])
        expect(await add(few)).toBe('full')
        expect(await add(few, { quota: undefined })).toBe('added')
      })

      it('leave room for those above, however many sign below them', async () => {
        const store = await open({
          othersRevocations: 1_000,
          revocationsPerGrantee: 12,
          revocations: 1_000_000,
        })
        const { subject } = names()
        const fill = async (depth: number) => {
          const add = () => store.addRevocation(revocation({ subject, quota: quotaOf('did:key:app', depth) }))
          let added = 0
          while ((await add()) === 'added') added += 1
          return added
        }
        const added: number[] = []
        for (const depth of [5, 4, 3, 2, -1, 1]) added.push(await fill(depth))
        expect(added).toEqual([1, 1, 1, 1, 2, 6])
      })

      it("don't apply to reserved owners", async () => {
        const store = await open({ revocations: 0 })
        const { subject } = names()
        if (place.isExact) expect(await store.addRevocation(revocation({ subject }))).toBe('full')
        expect(await store.addRevocation(revocation({ subject, isReserved: true }))).toBe('added')
      })
    })

    keepsRecords(open, () => place)

    it('emits hints', async () => {
      const store = await open()
      const { mailbox, subject } = names()
      const heard: Hint[] = []
      let check = () => {}
      const both = new Promise<void>((resolve) => {
        check = () => {
          if (
            heard.some((hint) => 'mailbox' in hint && hint.mailbox === mailbox) &&
            heard.some((hint) => 'subject' in hint && hint.subject === subject)
          )
            resolve()
        }
      })
      const stop = store.watch((hint) => {
        heard.push(hint)
        check()
      })
      await store.openMailbox(mailbox, NOW)
      await store.putMessage(mailbox, bytes('one'), NOW)
      await store.addRevocation(revocation({ subject }))
      await both
      stop()
    })

    it('has its own epoch', async () => {
      const [one, two] = [await open(), await open()]
      expect(await one.epoch()).toBe(await one.epoch())
      expect((await one.epoch()) === (await two.epoch())).toBe(place.isShared)
    })

    it('shares its data with other stores of the same place', async () => {
      if (!place.isShared) return
      const [one, two] = [await open(), await open()]
      const { mailbox, subject } = names()
      await one.openMailbox(mailbox, NOW)
      expect(await two.putMessage(mailbox, bytes('one'), NOW)).toBe('stored')
      expect((await one.readMailbox(mailbox, NOW))?.message).toEqual(bytes('one'))
      await two.addRevocation(revocation({ subject }))
      expect(await one.revocationsSince(subject, 0, 1_000)).toHaveLength(1)
    })
  })
}
