import type { ActivityLine } from '@keyhole/vault'
import { describe, expect, test } from 'vitest'
import { activityEntries } from '../../shared/search/entries.ts'
import { matchingFields, present } from '../../shared/search/present.ts'
import type { SearchEntry } from '../../shared/search-index/token-messages.ts'
import { dayOf } from '../../shared/text/day.ts'
import { aboutFacts, actWords, deviceWords } from '../../shared/words/activity.ts'
import { NOBODY } from '../../shared/words/who.ts'
import { activityCsv, activityJson } from './export.ts'
import { EVERYTHING, filterOf } from './filter.ts'

const AT = Date.UTC(2026, 10, 21, 17, 5)
const LINES: ActivityLine[] = [
  { seq: 1, at: AT, tab: 'oak', act: 'create', outcome: 'done' },
  { seq: 2, at: AT + 1, tab: 'oak', act: 'grant', outcome: 'done', about: { cid: 'bafyA' } },
  { seq: 3, at: AT + 2, tab: 'elm', act: 'unlock', outcome: 'INVALID_PASSPHRASE' },
  { seq: 4, at: AT + 3, tab: 'elm', act: 'unlock', outcome: 'done' },
]
const seqs = (lines: readonly ActivityLine[]) => lines.map(({ seq }) => seq)

const filterLines = (lines: readonly ActivityLine[], filter: typeof EVERYTHING) => filterOf(lines)(filter)

describe('filterOf', () => {
  test('shows the newest first', () => expect(seqs(filterLines(LINES, EVERYTHING))).toEqual([4, 3, 2, 1]))

  test('by act and by outcome', () => {
    expect(seqs(filterLines(LINES, { ...EVERYTHING, act: 'unlock' }))).toEqual([4, 3])
    expect(seqs(filterLines(LINES, { ...EVERYTHING, outcome: 'refused' }))).toEqual([3])
    expect(seqs(filterLines(LINES, { ...EVERYTHING, act: 'unlock', outcome: 'done' }))).toEqual([4])
  })

  test('by all words of a text: what the line says, its names and its subject', () => {
    expect(seqs(filterLines(LINES, { ...EVERYTHING, text: 'BAFYa created' }))).toEqual([2])
    expect(seqs(filterLines(LINES, { ...EVERYTHING, text: 'elm accepted' }))).toEqual([3])
    expect(filterLines(LINES, { ...EVERYTHING, text: 'elm created' })).toEqual([])
  })
})

test('by its first and its last day, both included, in the reader’s time zone', () => {
  const [noon, day] = [new Date(2026, 10, 20, 12).getTime(), 86_400_000]
  const lines = [0, 1, 2, 3].map(
    (days): ActivityLine => ({
      ...{ seq: days + 1, at: noon + days * day, tab: 'oak', act: 'unlock', outcome: 'done' },
    }),
  )
  const [from, to] = [dayOf(noon + day), dayOf(noon + 2 * day)]
  expect([from, to]).toEqual(['2026-11-21', '2026-11-22'])
  expect(seqs(filterLines(lines, { ...EVERYTHING, from, to }))).toEqual([3, 2])
  expect(seqs(filterLines(lines, { ...EVERYTHING, from: to }))).toEqual([4, 3])
  // A half-typed date isn't a date yet.
  expect(seqs(filterLines(lines, { ...EVERYTHING, from: '', to: 'x' }))).toEqual([4, 3, 2, 1])
})

test('a line’s subject is put into words and links to what it names', () => {
  const line = (about: NonNullable<ActivityLine['about']>): ActivityLine => ({
    ...{ seq: 1, at: AT, tab: 'oak', act: 'lock', outcome: 'done', about },
  })
  const words = (about: NonNullable<ActivityLine['about']>) =>
    aboutFacts(line(about)).map(({ name, value }) => [name, value].filter(Boolean).join(' '))
  expect(words({ why: 'idle' })).toEqual(['why unused for a while'])
  expect(words({ by: 'recovery_code' })).toEqual(['by Recovery code'])
  expect(words({ after: 900_000 })).toEqual(['after 15 minutes'])
  expect(words({ passphrase: true, recoveryCode: true, imported: false })).toEqual([
    'Passphrase',
    'Recovery code',
  ])
  expect(words({ constructor: 'x', newThing: 'y' })).toEqual(['constructor x', 'new thing y'])
  expect(aboutFacts(line({ id: '7', cid: 'bafyA' }))).toEqual([
    { field: 'cid', name: 'token', value: 'bafyA', finds: 'bafyA' },
  ])
})

test('a refused act was tried, not done', () => {
  expect(actWords('unlock', 'done')).toBe('Unlocked')
  expect(actWords('unlock', 'INVALID_PASSPHRASE')).toBe('Tried to unlock')
  expect(actWords('failedUnlocks', 'INVALID_PASSPHRASE')).toBe('Failed tries to unlock')
  expect(seqs(filterLines(LINES, { ...EVERYTHING, text: 'tried' }))).toEqual([3])
})

test('an unknown act is shown with spaces, not hidden', () => {
  expect(actWords('doSomethingNew')).toBe('Do something new')
})

test('what was done on another device says so, and is found by that', () => {
  const id = 'A'.repeat(43)
  const lines: ActivityLine[] = [
    { ...{ seq: 3, at: AT, tab: 'oak', act: 'grant', outcome: 'done' }, device: { id, name: 'Old phone' } },
    { ...{ seq: 3, at: AT + 1, tab: 'elm', act: 'grant', outcome: 'done' } },
    { ...{ seq: 1, at: AT + 2, tab: 'ash', act: 'grant', outcome: 'done' }, device: { id } },
  ]
  expect(deviceWords({ id, name: 'Old phone' })).toBe('on Old phone')
  expect(deviceWords({ id })).toBe('on another device')
  // In the order in which the vault gives them, not by their numbers.
  expect(filterLines(lines, EVERYTHING)).toEqual(lines.toReversed())
  expect(filterLines(lines, { ...EVERYTHING, text: 'old phone' })).toEqual(lines.slice(0, 1))
  expect(filterLines(lines, { ...EVERYTHING, text: 'another device' })).toEqual(lines.slice(2))
  expect(
    activityCsv(lines)
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((row) => row.split(',').at(-1)),
  ).toEqual(['Old phone', '', id])
  const ids = activityEntries(lines, NOBODY).map((entry) => entry.id)
  expect(new Set(ids).size).toBe(3)
})

test('whatever another device says can be put into words', () => {
  const values = ['', '\u202e<b>', 'x'.repeat(300), 0, -1, Number.MAX_SAFE_INTEGER, true, false]
  const fields = [
    'cid',
    'amount',
    'currency',
    'max',
    'by',
    'why',
    'after',
    'payee',
    'period',
    'name',
    '__proto__',
  ]
  for (const field of fields)
    for (const value of values) {
      const about = { currency: 'EUR', [field]: value }
      const line: ActivityLine = { seq: 1, at: 8.64e15, tab: 'oak', act: 'constructor', outcome: 'x', about }
      expect(() => aboutFacts(line)).not.toThrow()
      expect(() => filterLines([line], { ...EVERYTHING, text: 'x', from: '2026-11-21' })).not.toThrow()
      expect(() => activityCsv([line])).not.toThrow()
    }
})

test('JSON says what is missing', () => {
  const read: unknown = JSON.parse(activityJson(LINES.slice(0, 1), { missing: [[5, 7]], rewritten: [2] }))
  expect(read).toEqual({
    format: 'keyhole-activity-v1',
    lines: [{ seq: 1, at: '2026-11-21T17:05:00.000Z', tab: 'oak', act: 'create', outcome: 'done' }],
    missing: [[5, 7]],
    rewritten: [2],
  })
})

test('CSV is quoted and gives a spreadsheet no formula', () => {
  const about = { name: 'a "b", c' }
  const csv = activityCsv([{ seq: 1, at: AT, tab: '=1+1', act: 'grant', outcome: 'done', about }])
  expect(csv).toBe(
    'number,time,tab,act,outcome,about,device\r\n' +
      `1,2026-11-21T17:05:00.000Z,'=1+1,grant,done,"{""name"":""a \\""b\\"", c""}",\r\n`,
  )
})

test('a payment shows its sum and payee', () => {
  const about = { cid: 'bafypay', payee: 'did:web:shop.example', amount: 1999, currency: 'CAD', by: 'hand' }
  const line: ActivityLine = { seq: 9, at: AT, tab: 'oak', act: 'authorizePayment', outcome: 'done', about }
  expect(aboutFacts(line).map(({ name, value }) => `${name} ${value}`)).toEqual([
    'token bafypay',
    'payee shop.example',
    'amount CA$19.99',
    'by a person',
  ])
})

test('a payment that was asked for names who asked, not who authorised it', () => {
  const about = { cid: 'bafypay', by: 'request', mandate: 'bafymandate', requester: 'did:key:zB' }
  const line: ActivityLine = { seq: 9, at: AT, tab: 'oak', act: 'countersignPayment', outcome: 'done', about }
  expect(aboutFacts(line).map(({ name }) => name)).toEqual(['token', 'mandate', 'asked for by'])
})

test('a mandate’s line tells the most of one payment and its budget apart', () => {
  const about = { cid: 'bafymandate', max: 500, currency: 'GBP', period: 'week', amount: 2000, payments: 10 }
  const line: ActivityLine = { seq: 9, at: AT, tab: 'oak', act: 'makeMandate', outcome: 'done', about }
  const words = (more: typeof about) =>
    aboutFacts({ ...line, about: more }).map(({ name, value }) => `${name} ${value}`)
  expect(words(about)).toEqual([
    'token bafymandate',
    'maximum per payment £5.00',
    'budget £20.00 a week and 10 payments a week',
  ])
  expect(words({ ...about, currency: 'unknown' })).toContain('payments 10')
})

test('search shows names before identifiers', () => {
  const audience = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
  const line: ActivityLine = {
    ...{ seq: 1, at: AT, tab: 'oak', act: 'grant', outcome: 'done', about: { audience, cid: 'bafyA' } },
  }
  const anna = { id: 'c1', name: 'Anna', kind: 'person', isAlike: false }
  const [found] = activityEntries([line], { ...NOBODY, named: new Map([[audience, anna]]) })
  expect(found?.fields).toEqual(['Anna', `to ${audience}`, 'token bafyA'])
  const added: ActivityLine = { ...line, act: 'addContact', about: { contact: 'c1' } }
  const known = { ...NOBODY, named: new Map([[audience, anna]]) }
  expect(activityEntries([added], known)[0]?.fields).toEqual(['Anna', 'contact c1'])
  const [unnamed] = activityEntries([line], NOBODY)
  const item = present({ entry: unnamed as SearchEntry }, { contacts: NOBODY }, AT)
  expect(item && matchingFields(item, [])).toEqual(['token bafyA'])
  expect(item && matchingFields(item, ['z6mkha'])).toEqual([`to ${audience}`])
})

test('a restored vault says so in its log', () =>
  expect(actWords('restore')).toBe('Restored the vault from a backup'))
