import type { TokenRecord, TokenType } from '@keyhole/vault/token-reader'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { LONG, standing } from '../words/standing.ts'
import { Matcher } from './matcher.ts'
import type { FindQuery } from './query.ts'
import { newSearchModule } from './test/search-module.ts'
import { TokenIndex } from './token-index.ts'
import { cameFromOthers } from './token-messages.ts'

const NOW = Date.UTC(2026, 10, 21)
const DAY = 86_400_000
const TYPES: TokenType[] = ['origin', 'attenuated', 'received', 'invocation', 'revocation', 'receipt']
const COMMANDS = ['/', '/msg/send', '/msg', '/payment/authorize', '/payment/request', '/MSG/Read']
const POLICIES: string[][][] = [[], [['==', '.to', 'ab']], [['like', '.a', 'bafy*']]]
const LETTERS = ['a', 'B', 'ab', 'é', 'İ', 'ß', '🔑', ' ', '\n', '\u0000', '/', '.', 'z6mk', 'bafy', '']

/** Words that occur in texts and queries: short and long, in both cases, and of several bytes. */
const COMMON = ['a', 'b', 'Bab', 'abab', 'ab\nab', 'z6mk🔑', 'é', 'bafy1', 'bafy12x']
const mixed = fc.array(fc.constantFrom(...LETTERS), { maxLength: 5 }).map((parts) => parts.join(''))
const piece = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...COMMON) }, mixed)
const time = fc.integer({ min: -40, max: 40 }).map((days) => NOW + (days * DAY) / 4)
/** Most filters are not set: a query with all of them finds nothing. */
const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, value)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

interface Labelled {
  readonly record: TokenRecord
  readonly label: string | undefined
  /** Numbers of what it came from, once they are read. */
  above?: readonly number[]
}

const labelled: fc.Arbitrary<Labelled> = fc
  .record({
    number: fc.nat(30),
    type: fc.constantFrom(...TYPES),
    command: fc.constantFrom(...COMMANDS),
    policy: fc.constantFrom(...POLICIES),
    people: fc.tuple(piece, piece, piece, fc.option(piece)),
    createdAt: time,
    expiresAt: maybe(time),
    notBefore: maybe(time),
    revokes: maybe(fc.nat(30)),
    label: maybe(piece),
  })
  .map(({ number, people: [issuer, audience, audienceDid, subject], label, revokes, ...rest }) => ({
    label,
    record: {
      ...{ ...rest, id: `t${number}`, token: 'C', cid: `bafy${number}x` },
      ...{ issuer, audience, audienceDid, subject },
      ...(revokes !== undefined && { revokes: `bafy${revokes}x` }),
    } as TokenRecord,
  }))

const query: fc.Arbitrary<FindQuery> = fc
  .record({
    words: fc.array(
      piece.filter((word) => word.trim() !== '').map((word) => word.toLowerCase()),
      { maxLength: 3 },
    ),
    kind: rarely(fc.constantFrom('grant', 'mandate', 'received', 'signed', 'key')),
    status: rarely(fc.constantFrom('live', 'soon', 'ended', 'revoked')),
    command: rarely(fc.constantFrom('/', '/msg', '/payment')),
    to: rarely(piece),
    from: rarely(piece),
    before: rarely(time),
    after: rarely(time),
    endsBy: rarely(time),
  })
  .map((all) => all as FindQuery)

const lower = (text: string) => text.toLowerCase().replaceAll('\n', ' ')
const has = (texts: readonly (string | null)[], word: string) =>
  texts.some((text) => text !== null && lower(text).includes(lower(word)))
const cidsOf = (numbers: readonly number[] = []) => numbers.map((number) => `bafy${number}x`)
const isGiven = ({ type }: TokenRecord) => type === 'origin' || type === 'attenuated'
const covers = (wide: string, command = '') =>
  wide === '/' || command === wide || command.startsWith(`${wide}/`)

/** What should match, in the simplest way: looks at each token separately. */
function plainly(all: readonly Labelled[], asked: FindQuery, notes: ReadonlyMap<string, string>): string[] {
  const revoked = new Set(all.flatMap(({ record }) => record.revokes ?? []))
  const text = ({ policy }: TokenRecord) =>
    policy?.length
      ? `[${(policy as string[][]).map((one) => `[${one.map((each) => JSON.stringify(each)).join(' ')}]`).join(' ')}]`
      : '[]'
  const wordIn = ({ record, label }: Labelled, word: string) => {
    const { cid = '', command = '', issuer, audience, audienceDid = audience, subject } = record
    if (has([label ?? '', command, notes.get(command) ?? '', text(record)], word)) return true
    if (lower(word).length < 4) return false
    return has([cid, issuer, audience, audienceDid, subject ?? issuer], word)
  }
  const stands = ({ record, above }: Labelled) =>
    [record.cid, ...cidsOf(above)].some((cid) => revoked.has(cid ?? '')) ? 'revoked' : standing(record, NOW)
  const fits = (each: Labelled) => {
    const { record } = each
    const { words, kind, status, command, to, from, before, after, endsBy } = asked
    const isPayment = record.command === '/payment/authorize' || record.command === '/payment/request'
    const kinds: Record<string, boolean> = {
      grant: isGiven(record),
      mandate: isGiven(record) && isPayment,
      received: record.type === 'received',
      signed: !isGiven(record) && record.type !== 'received',
    }
    if (kind !== undefined && !kinds[kind]) return false
    if (status !== undefined) {
      if (!isGiven(record) && record.type !== 'received') return false
      const is = stands(each)
      if (status === 'live' ? is === 'ended' || is === 'revoked' : is !== status) return false
    }
    return (
      words.every((word) => wordIn(each, word)) &&
      (command === undefined || covers(command, record.command)) &&
      (to === undefined || has([record.audience, record.audienceDid ?? ''], to)) &&
      (from === undefined || has([record.issuer], from)) &&
      (before === undefined || record.createdAt < before) &&
      (after === undefined || record.createdAt >= after) &&
      (endsBy === undefined || (record.expiresAt ?? Number.POSITIVE_INFINITY) < endsBy)
    )
  }
  const isNamed = ({ label }: Labelled) => asked.words.some((word) => has([label ?? ''], word))
  const found = all.filter(fits).sort((one, other) => other.record.createdAt - one.record.createdAt)
  return [...found.filter(isNamed), ...found.filter((each) => !isNamed(each))].map(({ record }) => record.id)
}

/** Tokens are added, changed and removed, with queries in between. */
const steps = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ put: fc.array(labelled, { maxLength: 12 }) }) },
    fc.record({ came: fc.nat(30), from: fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 3 }) }),
    fc.record({ remove: fc.uniqueArray(fc.nat(30), { maxLength: 6 }) }),
    { weight: 3, arbitrary: fc.record({ note: fc.tuple(fc.constantFrom(...COMMANDS), piece) }) },
    { weight: 3, arbitrary: fc.record({ query }) },
  ),
  { minLength: 2, maxLength: 12 },
)

it('finds and lists the same as looking at each token, whatever was added and removed before', () => {
  fc.assert(
    fc.property(steps, query, (some, last) => {
      const index = new TokenIndex(newSearchModule())
      const matcher = new Matcher(index)
      const all: Labelled[] = []
      const notes = new Map<string, string>()
      const ask = (asked: FindQuery) => {
        const found = [...matcher.matches(asked, NOW).rows(0, all.length)].map((at) => index.rows[at]?.id)
        expect(found).toEqual(plainly(all, asked, notes))
      }
      for (const step of [...some, { query: last }]) {
        if ('put' in step) {
          for (const each of step.put) {
            const at = all.findIndex(({ record }) => record.id === each.record.id)
            if (at < 0) all.push(each)
            else
              all[at] = { ...each, ...(cameFromOthers(each.record.type) && { above: all[at]?.above ?? [] }) }
          }
          index.add(step.put.map(({ record }) => record))
          const last = new Map(step.put.map((each) => [each.record.id, each]))
          index.label([...last].map(([id, { label }]) => ({ id, label })))
        } else if ('came' in step) {
          const id = `t${step.came}`
          const one = all.find(({ record }) => record.id === id)
          if (one) one.above = step.from
          index.readAbove([{ id, above: cidsOf(step.from) }])
        } else if ('remove' in step) {
          const ids = new Set(step.remove.map((number) => `t${number}`))
          index.remove(ids)
          all.splice(0, all.length, ...all.filter(({ record }) => !ids.has(record.id)))
        } else if ('note' in step) {
          notes.set(...step.note)
          index.commands.note(...step.note)
        } else ask(step.query)
      }
      const live = ({ record, above }: Labelled) =>
        ![record.cid, ...cidsOf(above)].some(
          (cid) => cid !== undefined && all.some((one) => one.record.revokes === cid),
        ) && standing(record, NOW) !== 'ended'
      const given = all.filter(({ record }) => isGiven(record))
      expect(index.page({ list: 'given', limit: 99 }, NOW).total).toBe(given.length)
      expect(
        index
          .page({ list: 'given', live: true, limit: 99 }, NOW)
          .rows.map(({ id }) => id)
          .sort(),
      ).toEqual(
        given
          .filter(live)
          .map(({ record }) => record.id)
          .sort(),
      )
      const people = [...new Set(all.map(({ record }) => record.audienceDid ?? ''))].slice(0, 2)
      expect(index.page({ list: 'given', people, limit: 99 }, NOW).total).toBe(
        given.filter(({ record }) => people.includes(record.audienceDid ?? '')).length,
      )
      expect(index.page({ list: 'received', people: ['a', 'é'], limit: 99 }, NOW).total).toBe(
        all.filter(({ record }) => record.type === 'received' && ['a', 'é'].includes(record.issuer)).length,
      )
      expect(index.totals(NOW)).toMatchObject({ given: given.length, live: given.filter(live).length })
      const later = NOW + LONG
      const isLong = ({ record }: Labelled) =>
        later - record.createdAt > LONG && standing(record, later) !== 'ended'
      expect(index.totals(later).long).toBe(given.filter(live).filter(isLong).length)
    }),
    { numRuns: 1_000 },
  )
})

it('asks what tokens came from only where something they may have come from was revoked', () => {
  const index = new TokenIndex(newSearchModule())
  const record = (id: string, change: Partial<TokenRecord>): TokenRecord => ({
    ...{ id, token: 'C', cid: `cid-${id}`, issuer: 'me', audience: 'you', audienceDid: 'you', subject: 'me' },
    ...{ type: 'attenuated', command: '/msg/send', policy: [], createdAt: NOW, expiresAt: NOW + DAY },
    ...change,
  })
  const asked = () => index.unread(9, NOW).map(({ id }) => id)
  index.add([
    record('root', { type: 'origin', command: '/msg' }),
    record('below', {}),
    record('other command', { command: '/http' }),
    record('other subject', { subject: 'you' }),
    record('expired', { expiresAt: NOW - 1 }),
    record('received', { type: 'received', subject: null }),
  ])
  expect(asked()).toEqual([])
  expect(index.totals(NOW)).toMatchObject({ given: 5, live: 4 })
  index.add([record('gone', { type: 'revocation', command: '/ucan/revoke', revokes: 'cid-root' })])
  expect(asked()).toEqual(['below', 'received'])
  index.readAbove([
    { id: 'below', above: ['cid-root'] },
    { id: 'received', above: ['cid-else'] },
  ])
  expect(asked()).toEqual([])
  expect(index.totals(NOW)).toMatchObject({ given: 5, live: 2 })
  // What was revoked and isn't stored can be above anything.
  index.add([record('unknown', { type: 'revocation', command: '/ucan/revoke', revokes: 'cid-elsewhere' })])
  expect(asked()).toEqual(['other command', 'other subject'])
})

it('refuses what it can’t read, and keeps working', () => {
  const module = newSearchModule()
  for (const call of ['put_rows', 'find', 'page', 'put_texts', 'keep', 'revoke'] as const) {
    expect(() => module.call(call, undefined)).toThrow(/refused/)
  }
  expect(module.call('newest')).toHaveLength(0)
})

it('knows whom the account granted a command, and reads no token for it', () => {
  const index = new TokenIndex(newSearchModule())
  const record = (id: number, changes: object) => ({
    ...{ id: `g${id}`, type: 'origin', token: 'C', cid: `c${id}`, createdAt: id, policy: [] },
    ...{ issuer: 'did:me', audience: 'kh1', audienceDid: `did:gate:${id}`, subject: 'did:me' },
    ...changes,
  })
  const records = [
    record(1, { command: '/relay' }),
    record(2, { command: '/relay/revocations/read' }),
    record(3, { command: '/relay/revocations/read', audienceDid: 'did:gate:2' }),
    record(4, { command: '/relay', type: 'received' }),
    record(5, { command: '/relay', type: 'attenuated' }),
    record(6, { command: '/relays' }),
  ] as TokenRecord[]
  index.add(records)
  const given = (...commands: string[]) => index.givenTo(commands).map(({ audienceDid }) => audienceDid)
  expect(given('/relay', '/relay/revocations/read')).toEqual(['did:gate:2', 'did:gate:1'])
  expect(given('/relay/revocations')).toEqual([])
  index.remove(new Set(['g1']))
  expect(index.givenTo(['/relay', '/relay/revocations/read'])).toEqual([
    { type: 'origin', issuer: 'did:me', audienceDid: 'did:gate:2', command: '/relay/revocations/read' },
  ])
})

it('says which tokens may have grown out of others', () => {
  const index = new TokenIndex(newSearchModule())
  const of = (
    id: string,
    type: TokenType,
    command: string,
    subject: string | null = 'did:a',
  ): TokenRecord => ({
    ...{ id, type, command, subject, cid: `bafy-${id}`, token: 'C', policy: [], createdAt: NOW },
    ...{ issuer: 'did:a', audience: 'did:b', audienceDid: 'did:b' },
  })
  index.add([
    of('root', 'origin', '/msg'),
    of('narrow', 'attenuated', '/msg/send'),
    of('theirs', 'received', '/msg', null),
    of('wider', 'received', '/'),
    of('other', 'received', '/msg', 'did:c'),
    of('call', 'invocation', '/msg'),
  ])
  const idsOf = (...parents: Parameters<TokenIndex['continuing']>[0]) =>
    index.continuing(parents).map(({ id }) => id)
  const root = { cid: 'bafy-root', command: '/msg', subject: 'did:a' }
  expect(idsOf(root)).toEqual(['narrow', 'theirs'])
  expect(idsOf({ ...root, subject: null })).toEqual(['narrow', 'theirs', 'other'])
  expect(idsOf({ ...root, cid: 'bafy-narrow' }, { ...root, command: '/' })).toEqual([
    'narrow',
    'theirs',
    'wider',
  ])
  expect(idsOf()).toEqual([])
})
