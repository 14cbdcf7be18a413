import { describe, expect, it } from 'vitest'
import type { MetadataRecord, SessionRecord, TokenRecord } from '../storage/schema.ts'
import { deletedThing, isAlike, isSame, type Stored, storedOf, thingOf, unreadOf } from './things.ts'

const ADDRESS = 'kh1a'
const token: TokenRecord = {
  ...{
    id: 't',
    token: 'Ct',
    type: 'origin',
    issuer: 'did:key:zA',
    audience: 'kh1b',
    createdAt: 1,
    cid: 'bafy',
  },
  policy: [['==', '.n', 2n ** 60n]],
  sealedLabel: 'm1.x',
  later: 'a field of a later version',
}
const session: SessionRecord = { id: 's', accountAddress: ADDRESS, expiresAt: 5, createdAt: 1 }
const note = (key: string): MetadataRecord => ({
  id: key,
  accountAddress: ADDRESS,
  key,
  updatedAt: 7,
  sealed: 'm1.y',
})
const stored: Stored[] = [
  { store: 'tokens', record: token },
  { store: 'sessions', record: session },
  ...[
    'contact:1',
    'revocation:bafy',
    'receipt:bafy',
    'payment:bafy',
    'settings',
    'deleted-key:1',
    'template:1',
  ].map((key) => ({ store: 'metadata', record: note(key) }) as const),
]

describe('a record', () => {
  it.each(stored.map((each) => [thingOf(each).kind, thingOf(each).id, each] as const))(
    'becomes a %s (%s) and the same record on another device',
    (_, __, each) => {
      expect(storedOf(thingOf(each), ADDRESS)).toEqual(each)
    },
  )

  it('gives the same text whatever the order of its fields', () => {
    const reversed = Object.fromEntries(Object.entries(token).reverse()) as unknown as TokenRecord
    expect(thingOf({ store: 'tokens', record: reversed })).toEqual(
      thingOf({ store: 'tokens', record: token }),
    )
    expect(isSame({ store: 'tokens', record: reversed }, { store: 'tokens', record: token })).toBe(true)
  })

  it('that was deleted is deleted on the other devices, or ended, or stays', () => {
    const known = (id: string) => (id === 't' ? 'bafy' : undefined)
    expect(deletedThing('tokens', 't', known)).toEqual({ kind: 'token', id: 'bafy' })
    expect(deletedThing('tokens', 'never sent', known)).toBeUndefined()
    expect(deletedThing('metadata', 'contact:1', known)).toEqual({ kind: 'contact', id: '1' })
    expect(deletedThing('metadata', 'revocation:bafy', known)).toBeUndefined()
    const ended = deletedThing('sessions', 's', known)
    expect(ended && storedOf(ended, ADDRESS)).toEqual({ store: 'sessions', endedId: 's' })
  })
})

describe('a thing that another device wrote', () => {
  const value = (fields: object) => JSON.stringify(fields)
  const metadata = (key: string) => value({ key, updatedAt: 1, sealed: 'x' })

  it.each([
    [
      'a token of another CID',
      { kind: 'token', id: 'other', value: thingOf({ store: 'tokens', record: token }).value ?? '' },
    ],
    ['a token without a text', { kind: 'token', id: 'bafy', value: value({ id: 't', cid: 'bafy' }) }],
    ['what belongs to a device', { kind: 'setting', id: 'device-link', value: metadata('device-link') }],
    ['a mark', { kind: 'setting', id: 'device-change:x', value: metadata('device-change:x') }],
    ['a line of the log', { kind: 'setting', id: 'activity:1', value: metadata('activity:1') }],
    ['an ended token', { kind: 'setting', id: 'ended:tokens:1', value: metadata('ended:tokens:1') }],
    ['another key than its own', { kind: 'contact', id: '1', value: metadata('contact:2') }],
    ['a note about devices', { kind: 'setting', id: 'device:1', value: metadata('device:1') }],
    ['no JSON', { kind: 'contact', id: '1', value: '{' }],
    ['a number', { kind: 'contact', id: '1', value: '1' }],
    ['nothing', { kind: 'contact', id: '1' }],
    [
      'a nest without an end',
      { kind: 'contact', id: '1', value: `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}` },
    ],
    [
      'a record with such a nest',
      {
        kind: 'contact',
        id: '1',
        value: `${metadata('contact:1').slice(0, -1)},"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      },
    ],
  ] as const)('is left where it is if it is %s', (_, thing) => {
    expect(storedOf(thing, ADDRESS)).toBeUndefined()
  })
})

describe('a thing that is compared unread', () => {
  it.each(stored.map((each) => [thingOf(each).kind, thingOf(each).id, each] as const))(
    'is found to be stored as it is, or is left to be read: a %s (%s)',
    (kind, _, each) => {
      const unread = unreadOf(thingOf(each), ADDRESS)
      if (kind === 'session') expect(unread).toBeUndefined()
      else {
        expect(unread).toMatchObject({ store: each.store, id: each.record.id })
        const reversed = Object.fromEntries(Object.entries(each.record).reverse())
        expect([each.record, reversed].map((one) => isAlike(unread?.record, one))).toEqual([true, true])
      }
    },
  )

  it('is not looked at if it was deleted, isn’t JSON, or has no place here', () => {
    const value = thingOf({ store: 'tokens', record: token }).value ?? ''
    for (const thing of [
      { kind: 'token', id: 'bafy' },
      { kind: 'token', id: 'bafy', value: '{' },
      { kind: 'token', id: 'bafy', value: '1' },
      { kind: 'token', id: 'bafy', value: '{"id":1}' },
      { kind: 'line', id: 'x', value },
      { kind: 'setting', id: 'device:1', value: '{}' },
      { kind: 'session', id: 's', value: '{"ended":true,"id":"s"}' },
    ] as const)
      expect(unreadOf(thing, ADDRESS)).toBeUndefined()
  })

  it('is never alike unless comparing texts says so too', () => {
    const nest = (depth: number) => {
      let value: unknown = 1
      for (let at = 0; at < depth; at += 1) value = [value]
      return value
    }
    const own = JSON.parse('{"__proto__":1}')
    const values: unknown[] = [
      ...[undefined, null, 0, -0, 1, 2n ** 60n, 2 ** 60, 1n, Number.NaN, '', '1', true, false],
      ...[[], [[]], [1], [1, undefined], [1, null], {}, { a: 1 }, { a: undefined }, { b: 1 }, { a: 1, b: 2 }],
      ...[{ b: 2, a: 1 }, { a: [] }, { a: {} }, { 0: 1 }, { length: 0 }, own, { $kind: 'undefined' }],
      ...[new Date(1), new Date(2), new Uint8Array([1]), new Uint8Array([2]), new Map(), nest(3), nest(4)],
      ...[nest(100_000), new Array(2), [undefined, undefined], Object.create(null), Object.create({ a: 1 })],
    ]
    const wrapped = values.map(
      (later): Stored => ({ store: 'tokens', record: Object.assign({ ...token }, { later }) }),
    )
    let alike = 0
    for (const [index, one] of wrapped.entries()) {
      for (const [other, two] of wrapped.entries()) {
        if (!isAlike(one.record, two.record)) continue
        alike += 1
        if (index !== other) expect([index, other, isSame(one, two)]).toEqual([index, other, true])
      }
    }
    expect(alike).toBeGreaterThan(30)
  })
})
