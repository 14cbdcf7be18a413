import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupLabel, backupWays, readBackup } from './read-backup.ts'

const vectors = join(import.meta.dirname, '../../../../../vectors/keyhole')

test.each(['backup-v1.json', 'backup-v2.json'])('the label of %s is read off its first letters', (name) => {
  const { address, backup } = JSON.parse(readFileSync(join(vectors, name), 'utf8'))
  expect(backupLabel(backup)).toEqual({ address, writtenAt: 1_790_000_000_000 })
})

const headOf = (name: string, ...path: (string | number)[]): string =>
  path.reduce((value, step) => value[step], JSON.parse(readFileSync(join(vectors, name), 'utf8')))

test.each([
  ['the first format', headOf('backup-v1.json', 'backup'), ['passphrase']],
  ['one of an account with a code', headOf('backup-v2.json', 'backup'), ['passphrase', 'recovery code']],
  ['one of an account without a code', headOf('backup-v3.json', 'head'), ['passphrase']],
  ['the same in chunks', headOf('backup-v4.json', 'head'), ['passphrase', 'recovery code']],
  ['one without a passphrase', headOf('backup-v6.json', 'files', 0, 'head'), ['recovery code']],
  ['one without a passphrase, of seal-v2', headOf('backup-v6.json', 'files', 1, 'head'), ['recovery code']],
  ['what only looks like one', '{"format":"keyhole-backup-v2","address":"kh1"}', ['passphrase']],
])('what opens a file is read off its first letters: %s', (_what, start, ways) => {
  expect(backupWays(start.slice(0, 4096))).toEqual(ways)
})

test.each(['', '{"not": "a backup"}', '{"format":"keyhole-backup-v2","address":"kh1short"'])(
  '%j has no label',
  (text) => expect(backupLabel(text)).toBeUndefined(),
)

test.each([
  ['', 'isn’t a Keyhole backup'],
  ['{"a":1}', 'isn’t a Keyhole backup'],
  ['{"format":"keyhole-backup-v2","address":"kh1', 'is cut off'],
])('%j is not taken for a backup', async (text, problem) => {
  expect(await readBackup(new File([text], 'mine.json'))).toEqual({
    problem: expect.stringContaining(`“mine.json” ${problem}`),
  })
})

test('a file that is far too large is not read', async () => {
  const file = new File([''], 'film.mkv')
  Object.defineProperty(file, 'size', { value: 65 * 1024 * 1024 })
  expect(await readBackup(file)).toEqual({ problem: expect.stringContaining('“film.mkv” is 65 MiB') })
})
