import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupLabel, readBackup } from './read-backup.ts'

const vectors = join(import.meta.dirname, '../../../../../vectors/keyhole')

test.each(['backup-v1.json', 'backup-v2.json'])('the label of %s is read off its first letters', (name) => {
  const { address, backup } = JSON.parse(readFileSync(join(vectors, name), 'utf8'))
  expect(backupLabel(backup)).toEqual({ address, writtenAt: 1_790_000_000_000 })
})

test.each(['', '{"not": "a backup"}', '{"format":"keyhole-backup-v2","address":"kh1short"'])(
  '%j has no label',
  (text) => expect(backupLabel(text)).toBeUndefined(),
)

test.each([
  ['', 'is no backup of Keyhole'],
  ['{"a":1}', 'is no backup of Keyhole'],
  ['{"format":"keyhole-backup-v2","address":"kh1', 'is cut off'],
])('%j is not taken for a backup', async (text, problem) => {
  expect(await readBackup(new File([text], 'mine.json'))).toEqual({
    problem: expect.stringContaining(`“mine.json” ${problem}`),
  })
})

test('a file that is far too large is not read', async () => {
  const file = new File([''], 'film.mkv')
  Object.defineProperty(file, 'size', { value: 65 * 1024 * 1024 })
  expect(await readBackup(file)).toEqual({ problem: expect.stringContaining('“film.mkv” has 65 MiB') })
})
