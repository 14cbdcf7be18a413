import { expect, test } from 'vitest'
import { withDates } from './values.ts'

test.each([
  ['The token expired at 1764666000 (seconds since 1970).', 'The token expired on 2025-12-02 at 09:00 UTC.'],
  ['The token starts only at 0 (seconds since 1970).', 'The token starts only on 1970-01-01 at 00:00 UTC.'],
  // No date has that many seconds.
  ['The grant ends at 9007199254740991 (seconds since 1970).'],
  ['The relay answered 1764666000.'],
])('%s', (message, said = message) => {
  expect(withDates(message)).toBe(said)
})
