import { describe, expect, it } from 'vitest'
import { BackupSource, BackupTarget } from './backup-source.ts'

const HEAD = '{"format":"keyhole-backup-v3","sealed":"x"}'
const chunk = (index: number) => `{"chunk":${index},"sealed":"${'a'.repeat(400_000)}"}`
const all = async (source: BackupSource) => {
  const chunks: string[] = []
  for await (const each of source.chunks()) chunks.push(each)
  return chunks
}

function file(chunks: number): Blob {
  const target = new BackupTarget(HEAD)
  for (let index = 0; index < chunks; index += 1) target.addChunk(chunk(index))
  return target.finish()
}

describe('a backup file', () => {
  it('is read as it was written, a chunk at a time, and is JSON', async () => {
    for (const count of [1, 2, 30]) {
      const written = file(count)
      const source = new BackupSource(written)
      expect(await source.head()).toBe(HEAD)
      expect(await all(source)).toEqual(Array.from({ length: count }, (_, index) => chunk(index)))
      expect(JSON.parse(await written.text())).toMatchObject({ sealed: 'x', chunks: expect.any(Array) })
      expect(await all(new BackupSource(await written.text()))).toHaveLength(count)
    }
  })

  it('is a single text in an older format', async () => {
    expect(await new BackupSource(HEAD).head()).toBe(HEAD)
  })

  it('is never read to the end if it is cut off', async () => {
    const written = file(3)
    for (const size of [60, 500_000, 900_000, written.size - 4]) {
      await expect(all(new BackupSource(written.slice(0, size)))).rejects.toMatchObject({
        code: 'OPERATION_FAILED',
      })
    }
  })

  it('reads the same with other line endings, and with blank lines after its end', async () => {
    const text = await file(3).text()
    for (const changed of [
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('\n', ' \n'),
      `${text}\n  \r\n\n`,
    ]) {
      const source = new BackupSource(changed)
      expect(await source.head()).toBe(HEAD)
      expect(await all(source)).toEqual([chunk(0), chunk(1), chunk(2)])
    }
  })

  it('is refused with anything after its end', async () => {
    const longer = new Blob([file(1), '{}'])
    await expect(all(new BackupSource(longer))).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
  })

  it('is refused if it is not text', async () => {
    const source = new BackupSource(
      new Blob([`${HEAD.slice(0, -1)},"chunks":[\n`, new Uint8Array([255, 254])]),
    )
    await expect(all(source)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
  })
})
