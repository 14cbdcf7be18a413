import { expect, test } from 'vitest'
import { attentionItems, type Standings } from './attention-items.ts'

const CALM: Standings = {
  codeWaits: false,
  codeUnconfirmed: false,
  backup: { writtenAt: 1, verifiedAt: 2, changedSince: false },
  storage: { persisted: true, mirror: 'whole' },
  unsent: 0,
  suspended: [],
  soon: 0,
  long: 0,
}
const ids = (standings: Partial<Standings>) => attentionItems({ ...CALM, ...standings }).map(({ id }) => id)

test('a vault that is in order needs nothing, nor does one of which nothing is known', () => {
  expect(ids({})).toEqual([])
  expect(ids({ backup: undefined, storage: undefined })).toEqual([])
})

test('each item is told of, the most pressing first', () => {
  expect(
    ids({
      codeWaits: true,
      backup: { changedSince: true },
      storage: { persisted: false, mirror: 'behind', why: 'full' },
      unsent: 1,
      suspended: ['bafy1'],
      soon: 2,
      long: 1,
    }),
  ).toEqual(['code', 'unsent', 'backup', 'fleeting', 'behind', 'suspended', 'soon', 'long'])
})

test('where no second copy can be, it is told of until there is a backup of everything', () => {
  const storage = { persisted: true, mirror: 'unavailable', why: 'unsupported' } as const
  const item = attentionItems({ ...CALM, storage, backup: { changedSince: true } }).at(-1)
  expect(item?.title).toBe('There is no second copy')
  expect(item?.text).toContain('nothing here can restore it')
  // A locked vault doesn't know its backup.
  expect(ids({ storage, backup: undefined })).toEqual(['behind'])
  expect(ids({ storage })).toEqual([])
  expect(ids({ storage: { ...storage, why: 'refused' } })).toEqual(['behind'])
})

test('a code that nobody has kept is told of once: while it can be shown, and when it cannot any more', () => {
  expect(ids({ codeWaits: true, codeUnconfirmed: true })).toEqual(['code'])
  expect(ids({ codeUnconfirmed: true })).toEqual(['unconfirmed'])
})

test('how many there are is said', () => {
  const title = (standings: Partial<Standings>) => attentionItems({ ...CALM, ...standings })[0]?.title
  expect(title({ suspended: ['bafy1', 'bafy2'] })).toBe('2 mandates are suspended')
  // Payments by hand and under other mandates go on.
  const text = (suspended: string[]) => attentionItems({ ...CALM, suspended })[0]?.text
  expect(text(['bafy1'])).toMatch(/^Nothing is paid under it\./)
  expect(text(['bafy1', 'bafy2'])).toMatch(/^Nothing is paid under them\./)
  expect(title({ unsent: 1 })).toBe('Your relay doesn’t have one revocation yet')
  expect(title({ unsent: 2 })).toBe('Your relay doesn’t have 2 revocations yet')
  expect(title({ soon: 1 })).toBe('One grant expires soon')
  expect(title({ soon: 3 })).toBe('3 grants expire soon')
  expect(title({ long: 2 })).toBe('2 grants are more than 90 days old')
})
