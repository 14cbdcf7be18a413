import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { MetadataRecord } from '../../storage/schema.ts'
import { pageToStore, readStored, recordIdOf, toStore } from './stored-records.ts'

const ADDRESS = 'kh1a'
const record = (text: string) => Buffer.from(text).toString('base64url')
const all = (_: string) => true
const reading = (records: readonly MetadataRecord[]) => ({ readMetadataUnder: async () => [...records] })
/** Puts them under their ids, as the storage does. */
const merged = (...lists: MetadataRecord[][]) => [
  ...new Map(lists.flat().map((each) => [each.id, each])).values(),
]

describe('what a device has stored', () => {
  it('is named by its hash', async () => {
    const hash = createHash('sha256').update('one').digest('base64url')
    expect(await recordIdOf(record('one'))).toBe(hash)
    const [stored] = await toStore(ADDRESS, [record('one')], 5)
    expect(stored).toMatchObject({ key: `device-record:${hash}`, sealed: record('one'), updatedAt: 5 })
  })

  it('is the relay’s list up to the first gap, page by page, and the rest', async () => {
    const page = (before: string, texts: string[], from: number, isWanted = all) =>
      pageToStore(ADDRESS, { before, records: texts.map(record) }, from, isWanted, 1)
    const three = await recordIdOf(record('five'))
    const stored = merged(
      await toStore(ADDRESS, [record('own'), record('sent')], 1),
      await page('zero', ['one', 'sent'], 1),
      await page('two', ['three', 'four'], 3),
      await page('four', ['five', 'six'], 5, (id) => id !== three),
    )
    const { pages, others } = await readStored(reading(stored.reverse()))
    expect(pages).toEqual([
      { before: 'zero', records: [record('one'), record('sent')] },
      { before: 'two', records: [record('three'), record('four')] },
    ])
    // What is at no relay comes first.
    expect(others).toEqual([record('own'), record('six')])
  })

  it('has every record once if the relay went back and put others in their places', async () => {
    const page = (before: string, texts: string[], from: number) =>
      pageToStore(ADDRESS, { before, records: texts.map(record) }, from, all, 1)
    const stored = merged(
      await page('zero', ['one', 'two', 'three'], 1),
      await page('zero', ['three', 'four'], 1),
    )
    const { pages, others } = await readStored(reading(stored))
    const found = [...pages.flatMap(({ records }) => records), ...others].sort()
    expect(found).toEqual(['one', 'two', 'three', 'four'].map(record).sort())
  })

  it('is read as far as it can be', async () => {
    const [good] = await toStore(ADDRESS, [record('one')], 1)
    const bad = [
      { ...good, place: 'x' },
      { ...good, place: -1 },
      // The enclave refuses a call with text that isn't base64url, and so would not open the device at all.
      { ...good, sealed: 'not+base64url' },
      { ...good, sealed: '' },
      { ...good, sealed: 'abcde' },
      { ...good, sealed: 'QR' },
      { ...good, place: 1, before: 'zero!' },
    ] as unknown as MetadataRecord[]
    expect(await readStored(reading([...bad, good as MetadataRecord]))).toEqual({
      pages: [],
      others: [record('one')],
      marks: [],
    })
  })

  it('has the marks of what was checked, unless they are damaged', async () => {
    const stored = await toStore(ADDRESS, ['one', 'two', 'three'].map(record), 1)
    const marks = ['A'.repeat(22), 'A'.repeat(21), `${'A'.repeat(21)}B`]
    const marked = stored.map((each, at) => ({ ...each, mark: marks[at] }))
    expect((await readStored(reading(marked))).marks).toEqual(['A'.repeat(22)])
  })

  it('is what is at no relay first, as it was written', async () => {
    const sent = await pageToStore(ADDRESS, { before: 'zero', records: [record('a')] }, 7, all, 1)
    const own = await Promise.all(
      [3, 2, 4].map(async (at) => await toStore(ADDRESS, [record(`own ${at}`)], at)),
    )
    const { others } = await readStored(reading([...sent, ...own.flat()]))
    expect(others).toEqual(['own 2', 'own 3', 'own 4', 'a'].map(record))
  })
})
