import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ClaimJournal, type JournalOptions } from './claim-journal.ts'

const NOW = 1_000_000

let folder: string
let opened: ClaimJournal[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyhole-journal-'))
  opened = []
})
afterEach(async () => {
  for (const journal of opened) await journal.close()
  rmSync(folder, { recursive: true })
})

function open(options: JournalOptions = { full: 4 }): ClaimJournal {
  const journal = new ClaimJournal(folder, options)
  opened.push(journal)
  return journal
}

const files = () => readdirSync(folder).sort()
const pathOf = (number: number) => join(folder, `claims-${String(number).padStart(10, '0')}.log`)

/** Claims each, one after another. */
async function claimEach(journal: ClaimJournal, names: readonly string[], until = NOW + 60, now = NOW) {
  const answers: boolean[] = []
  for (const name of names) answers.push(await journal.claim(name, until, now))
  return answers
}

const namesOf = (group: string, count: number) => Array.from({ length: count }, (_, at) => `${group} ${at}`)
const all = (count: number, answer: boolean) => new Array<boolean>(count).fill(answer)

describe('a journal of claims', () => {
  it('goes on in new files, and knows what is in all of them', async () => {
    const journal = open()
    const names = namesOf('a', 30)
    expect(await claimEach(journal, names)).toEqual(all(30, true))
    expect(files()).toHaveLength(8)
    expect(await claimEach(journal, names)).toEqual(all(30, false))
    expect(await claimEach(open(), names)).toEqual(all(30, false))
  })

  it('is the same for all who write to it, also when files get full', async () => {
    const stores = [open(), open(), open()]
    const names = namesOf('a', 200)
    const answers = await Promise.all(
      names.map((name) => Promise.all(stores.map((store) => store.claim(name, NOW + 60, NOW)))),
    )
    expect(answers.map((each) => each.filter(Boolean).length)).toEqual(new Array(200).fill(1))
    for (const store of [...stores, open()]) expect(await claimEach(store, names)).toEqual(all(200, false))
  })

  it('deletes files of ended claims, and accepts none of them with a clock that was set back', async () => {
    const journal = open()
    const old = namesOf('old', 10)
    await claimEach(journal, old)
    expect(files()).toHaveLength(3)
    const later = NOW + 1_000
    await claimEach(journal, namesOf('new', 3), later + 60, later)
    expect(files()).toHaveLength(2)
    // The last one has claims of both times.
    for (const store of [journal, open()]) {
      expect(await claimEach(store, old)).toEqual(all(10, false))
      expect(await store.claim('another', NOW + 60, NOW)).toBe(false)
      expect(await store.claim(`${store === journal}`, NOW + 61, NOW)).toBe(true)
    }
  })

  it('deletes nothing by a mark that came after the end of its file', async () => {
    const [hasty, other] = [open(), open()]
    const old = namesOf('old', 6)
    await claimEach(hasty, old)
    await claimEach(other, ['filling', 'filling, too'])
    const later = NOW + 1_000
    expect(await other.claim('taken', later + 60, NOW)).toBe(true)
    // Its block comes after the end, and nothing is left to be written into the next file.
    expect(await hasty.claim('taken', later + 60, later)).toBe(false)
    for (const store of [hasty, other, open()]) expect(await claimEach(store, old)).toEqual(all(6, false))
    expect(files()).toHaveLength(3)
  })

  it('makes no claim while it has no next file', async () => {
    const journal = open()
    mkdirSync(pathOf(2))
    expect(await claimEach(journal, namesOf('a', 4))).toEqual(all(4, true))
    for (const name of ['b', 'c'])
      await expect(journal.claim(name, NOW + 60, NOW)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    rmdirSync(pathOf(2))
    expect(await claimEach(journal, ['b', 'c', 'a 0'])).toEqual([true, true, false])
    expect(await claimEach(open(), ['b', 'c', 'a 0'])).toEqual(all(3, false))
  })

  it('is found by a store whose file was deleted and made again by another that slept', async () => {
    const sleeper = open()
    await sleeper.claim('first', NOW + 60, NOW)
    const awake = open()
    for (let time = NOW; time < NOW + 1_000; time += 100)
      await claimEach(awake, namesOf(`at ${time}`, 6), time + 60, time)
    writeFileSync(pathOf(1), '')
    const [late, time] = [namesOf(`at ${NOW + 900}`, 6), NOW + 900]
    expect(await claimEach(sleeper, late, time + 60, time)).toEqual(all(6, false))
    expect(await sleeper.claim('new', time + 60, time)).toBe(true)
    expect(await awake.claim('new', time + 60, time)).toBe(false)
  })

  it('is found by a store that slept until its files were deleted', async () => {
    const sleeper = open()
    await sleeper.claim('first', NOW + 60, NOW)
    const awake = open()
    for (let time = NOW; time < NOW + 1_000; time += 100)
      await claimEach(awake, namesOf(`at ${time}`, 6), time + 60, time)
    expect(files()[0]).not.toContain('0000000001')
    const [late, time] = [namesOf(`at ${NOW + 900}`, 6), NOW + 900]
    expect(await claimEach(sleeper, late, time + 60, time)).toEqual(all(6, false))
    expect(await sleeper.claim('new', time + 60, time)).toBe(true)
    expect(await awake.claim('new', time + 60, time)).toBe(false)
    // What it made and can't use is gone.
    const numbers = files().map((name) => Number(name.slice(7, 17)))
    expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at))
  })

  it('skips what was written in part', async () => {
    const journal = open({})
    expect(await claimEach(journal, ['a', 'b'])).toEqual([true, true])
    const whole = readFileSync(pathOf(1))
    for (const length of [1, 7, 8, 40, 60, 71]) {
      appendFileSync(pathOf(1), whole.subarray(0, length))
      const names = [`x ${length}`, `y ${length}`]
      expect(await claimEach(journal, [...names, 'a'])).toEqual([true, true, false])
      expect(await claimEach(open({}), [...names, 'a', 'b'])).toEqual(all(4, false))
    }
    // A changed byte makes one block unreadable, and no other.
    const other = mkdtempSync(join(tmpdir(), 'keyhole-journal-'))
    const changed = Buffer.from(whole)
    changed.writeUInt8(changed.readUInt8(60) ^ 1, 60)
    appendFileSync(join(other, 'claims-0000000001.log'), changed)
    const store = new ClaimJournal(other)
    expect(await claimEach(store, ['a', 'b'])).toEqual([true, false])
    await store.close()
    rmSync(other, { recursive: true })
  })

  it('fails when its file was cut meanwhile', async () => {
    const journal = open({})
    await claimEach(journal, ['a', 'b'])
    truncateSync(pathOf(1))
    await expect(journal.claim('c', NOW + 60, NOW)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    expect(await journal.claim('a', NOW + 60, NOW)).toBe(false)
  })

  it('fails rather than forget a claim', async () => {
    const journal = open({ most: 10, full: 4 })
    expect(await claimEach(journal, namesOf('a', 10))).toEqual(all(10, true))
    await expect(journal.claim('b', NOW + 60, NOW)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    expect(await journal.claim('a 0', NOW + 60, NOW)).toBe(false)
  })

  it('holds many claims in a table that grows', async () => {
    const journal = open({})
    const names = namesOf('many', 5_000)
    const claimAll = () => Promise.all(names.map((name) => journal.claim(name, NOW + 60, NOW)))
    expect(new Set(await claimAll())).toEqual(new Set([true]))
    expect(new Set(await claimAll())).toEqual(new Set([false]))
    expect(await journal.claim('another', NOW + 60, NOW)).toBe(true)
  })
})
