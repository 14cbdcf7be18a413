import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { readCopyFile, writeCopyFile } from '../../accounts/copy-file.ts'
import { freshBrowser } from '../../test/browser.ts'
import { FakeDisk } from '../../test/opfs.ts'
import { AccountMirror } from '../mirror/mirror.ts'
import { makeDirectory, writeFile } from '../opfs-files.ts'
import { Journal } from './journal.ts'
import { fileNameOf, parseFileName, readSegment, type SegmentName, segmentParts } from './journal-format.ts'
import { deleteLine, keyOf, keysOf, linesOf, putLine } from './journal-lines.ts'
import { decodeValue, encodeValue } from './journal-value.ts'

freshBrowser()
describe('a value as a line', () => {
  it('reads back the same, whatever a database contains', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withTypedArray: false,
      withNullPrototype: false,
      withObjectString: true,
      key: fc.oneof(fc.string(), fc.constantFrom('$kind', '__proto__', 'value')),
    })
    fc.assert(
      fc.property(anything, (value) => {
        const text = encodeValue(value)
        expect(text).not.toMatch(/[\n\t]/)
        expect(decodeValue(text ?? '')).toStrictEqual(structuredClone(value))
      }),
    )
  })

  it('keeps bytes', () => {
    const value = { a: [Uint8Array.of(0, 255, 7), { $kind: 'bytes' }] }
    expect(decodeValue(encodeValue(value) ?? '')).toStrictEqual(value)
  })

  it('reports what cannot be written', () => {
    const circle: { me?: object } = {}
    circle.me = circle
    for (const value of [new Map(), { a: new Blob() }, circle, Symbol('a')])
      expect(encodeValue(value)).toBeUndefined()
  })
})

const NAME = { journal: 'abc', first: 3, last: 9 }

async function bytesOf(lines: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const parts: BlobPart[] = []
  for await (const part of segmentParts(NAME, lines)) parts.push(part)
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

async function read(bytes: Uint8Array<ArrayBuffer>, name: SegmentName = NAME) {
  const lines: string[] = []
  const health = await readSegment(name, new Blob([bytes]), (block) => void lines.push(...linesOf(block)))
  return { lines, ...health }
}

describe('a segment', () => {
  it('has a name that says what it contains', () => {
    expect(parseFileName(fileNameOf(NAME))).toEqual(NAME)
    for (const other of ['state.json', 'abc.9-3.segment', 'abc.1-2.segment.crswap', '../a.1-2.segment']) {
      expect(parseFileName(other)).toBeUndefined()
    }
  })

  it('reads back line by line, over many blocks', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `+t${index}\t${'ü'.repeat(index % 700)}`)
    expect(await read(await bytesOf(lines))).toEqual({ lines, lost: 0 })
    expect(await read(await bytesOf([]))).toEqual({ lines: [], lost: 0 })
  })

  it('is damaged if any byte changes, and its intact part can be read', async () => {
    const lines = ['+t"a"\t{"id":"a"}', '-t"b"']
    const bytes = await bytesOf(lines)
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.slice()
      changed[at] = (changed[at] ?? 0) ^ 1
      const content = await read(changed)
      expect(content.damage, `byte ${at}`).toBeDefined()
      expect([[], lines]).toContainEqual(content.lines)
    }
  })

  it('is damaged if it is cut off anywhere', async () => {
    const bytes = await bytesOf(['+t"a"\t{"id":"a"}'])
    for (let length = 0; length < bytes.length; length++) {
      expect((await read(bytes.slice(0, length))).damage).toBeDefined()
    }
  })

  it('loses one block to a damaged byte, and counts its lines', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `+t${index}\t${'x'.repeat(50_000)}`)
    const bytes = await bytesOf(lines)
    bytes[700_000] = (bytes[700_000] ?? 0) ^ 1
    const { lines: sound, lost } = await read(bytes)
    expect(sound.length + lost).toBe(40)
    expect(lost).toBeGreaterThan(0)
    expect(lost).toBeLessThan(15)
  })

  it('is read in pieces, however long it is', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `+t${index}\t${'x'.repeat(50_000)}`)
    const file = new Blob([await bytesOf(lines)])
    const slice = vi.spyOn(file, 'slice')
    const sizes: number[] = []
    expect(await readSegment(NAME, file, (block) => void sizes.push(block.length))).toEqual({ lost: 0 })
    expect(Math.max(...sizes)).toBeLessThan(600_000)
    expect(slice.mock.calls.length).toBeGreaterThan(5)
    expect(Math.max(...slice.mock.calls.map(([from = 0, to = 0]) => to - from))).toBeLessThanOrEqual(2 ** 20)
  })

  it('is damaged if a block does not end with a line', async () => {
    const bytes = new TextEncoder().encode('-t"a"\n-t"b"')
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
    const heads = [
      { format: 'keyhole-journal-v1', ...NAME },
      { length: bytes.length, lines: 1, sha256: digest },
    ]
    const text = `${heads.map((head) => JSON.stringify(head)).join('\n')}\n${new TextDecoder().decode(bytes)}`
    const { damage, lines } = await read(new TextEncoder().encode(`${text}{"blocks":1}\n`))
    expect(damage).toBeDefined()
    expect(lines).toEqual([])
    expect([...keysOf(bytes)]).toEqual([['t"a"', false]])
  })

  it('that cannot be read does not count as damaged', async () => {
    const file = new Blob([await bytesOf(['+t"a"\t{}'])])
    vi.spyOn(file, 'slice').mockReturnValue({
      arrayBuffer: () => Promise.reject(new Error('no')),
    } as unknown as Blob)
    await expect(readSegment(NAME, file, () => undefined)).rejects.toThrow('no')
  })

  it('cannot replace another one', async () => {
    expect((await read(await bytesOf([]), { ...NAME, last: 10 })).damage).toBeDefined()
  })
})

describe('a journal', () => {
  const journal = 'abc'

  async function fresh() {
    const disk = new FakeDisk()
    disk.install()
    return { disk, log: new Journal(await makeDirectory('kh1a')) }
  }

  it('of thousands of changes is a few files, and gives the final result', async () => {
    const { disk, log } = await fresh()
    const expected = new Map<string, string>()
    for (let seq = 0; seq < 2000; seq++) {
      const key = keyOf('tokens', `t${seq % 701}`)
      if (seq % 5 === 4) {
        expected.delete(key)
        await log.write({ journal, first: seq, last: seq }, [deleteLine(key)])
      } else {
        expected.set(key, `{"id":"t${seq % 701}","n":${seq}}`)
        await log.write({ journal, first: seq, last: seq }, [
          putLine(key, { id: `t${seq % 701}`, n: seq }) ?? '',
        ])
      }
      if (seq % 16 === 0) await log.merge()
    }
    expect(disk.files().size).toBeLessThan(30)
    const listing = await log.list()
    expect(listing).toMatchObject({ journal, last: 1999, gaps: 0, mixed: false })
    const { entries, damaged, unreadable } = await log.read(listing)
    expect({ damaged, unreadable }).toEqual({ damaged: [], unreadable: 0 })
    const live = [...entries].filter(([, text]) => text !== undefined)
    expect(new Map(live)).toEqual(expected)
    expect(await log.readKeys(listing)).toEqual({
      keys: new Set(expected.keys()),
      damaged: [],
      unreadable: 0,
    })
  })

  it('writes about as much per change whether it is long or short', async () => {
    const { disk, log } = await fresh()
    let written = 0
    const cost = async (from: number, to: number) => {
      written = 0
      disk.before = (step) => {
        if (step.startsWith('close')) written += 1
      }
      for (let seq = from; seq < to; seq++) {
        await log.write({ journal, first: seq, last: seq }, [`+t${seq}\t{}`])
      }
      return written
    }
    const short = await cost(0, 20)
    for (let seq = 20; seq < 1020; seq++) {
      await log.write({ journal, first: seq, last: seq }, [`+t${seq}\t{}`])
      if (seq % 16 === 0) await log.merge()
    }
    expect(await cost(1020, 1040)).toBe(short)
  })

  it('knows what is missing', async () => {
    const { disk, log } = await fresh()
    for (const seq of [0, 1, 2, 4]) await log.write({ journal, first: seq, last: seq }, [`+t${seq}\t{}`])
    expect(await log.list()).toMatchObject({ last: 4, gaps: 1 })
    await log.merge()
    disk.delete('keyhole/kh1a/abc.0-0.segment')
    expect(await log.list()).toMatchObject({ last: 4, gaps: 2 })
  })

  it('reads the files of an earlier journal in order, without those that another one covers', async () => {
    new FakeDisk().install()
    const journal = new Journal(await makeDirectory('kh1a'))
    const line = (value: string) => [`+m"c"\t{"id":"c","v":"${value}"}`]
    await journal.write({ journal: 'old', first: 10, last: 10 }, line('new'))
    await journal.write({ journal: 'old', first: 8, last: 9 }, line('older'))
    await journal.write({ journal: 'old', first: 8, last: 8 }, line('oldest'))
    await journal.write({ journal: 'new', first: 0, last: 0 }, ['+m"d"\t1'])
    const { entries } = await journal.read(await journal.list())
    expect(entries.get('m"c"')).toContain('"new"')
  })

  it('ignores an empty file from an unfinished write', async () => {
    const { disk, log } = await fresh()
    await log.write({ journal, first: 0, last: 0 }, ['+t0\t{}'])
    disk.damage('keyhole/kh1a/abc.0-0.segment', () => new Uint8Array())
    expect(await log.list()).toMatchObject({ last: -1, segments: [] })
  })

  it('does not merge damaged files', async () => {
    const { disk, log } = await fresh()
    for (let seq = 0; seq < 20; seq++) await log.write({ journal, first: seq, last: seq }, [`+t${seq}\t{}`])
    const path = 'keyhole/kh1a/abc.7-7.segment'
    disk.damage(path, (bytes) => bytes.map((byte, at) => (at === bytes.length - 20 ? byte ^ 1 : byte)))
    const before = [...disk.files().keys()]
    await log.merge()
    expect([...disk.files().keys()]).toEqual(before)
    const { damaged, entries } = await log.read(await log.list())
    expect(damaged).toEqual([{ name: 'abc.7-7.segment', reason: expect.any(String) }])
    expect(entries.size).toBeGreaterThanOrEqual(19)
  })

  it('is unchanged after a merge killed at any step', async () => {
    for (let at = 0; ; at++) {
      const { disk, log } = await fresh()
      for (let seq = 0; seq < 18; seq++) {
        const key = keyOf('tokens', `t${seq % 7}`)
        await log.write({ journal, first: seq, last: seq }, [seq % 4 ? `+${key}\t{"n":${seq}}` : `-${key}`])
      }
      const read = async () => {
        const { entries } = await new Journal(await makeDirectory('kh1a')).read(await log2().list())
        return new Map([...entries].filter(([, text]) => text !== undefined))
      }
      let directory = await makeDirectory('kh1a')
      const log2 = () => new Journal(directory)
      const before = await read()
      const died = vi.fn()
      disk.killAt(at, died)
      await log.merge().catch(() => undefined)
      disk.reboot()
      directory = await makeDirectory('kh1a')
      expect(await read(), `killed at step ${at}`).toEqual(before)
      await log2().merge()
      expect(await read()).toEqual(before)
      if (died.mock.calls.length === 0) {
        expect(at).toBeGreaterThan(20)
        return
      }
    }
  })
})

describe('the released formats', () => {
  const vector = JSON.parse(
    readFileSync(new URL('../../../../../vectors/keyhole/mirror-v1.json', import.meta.url), 'utf8'),
  )

  it('can always be read', async () => {
    const disk = new FakeDisk()
    disk.install()
    const directory = await makeDirectory(vector.address)
    for (const [name, text] of Object.entries<string>(vector.files)) await writeFile(directory, name, [text])
    const mirror = await AccountMirror.find(vector.address)
    expect(await mirror?.readState()).toEqual(vector.state)
    const listing = await mirror?.journal.list()
    if (!mirror || !listing) throw new Error('the vector is not there')
    expect(listing).toMatchObject({ journal: vector.journal, last: vector.last, gaps: 0 })
    const { entries, unreadable } = await mirror.journal.read(listing)
    expect(unreadable).toBe(0)
    const live = [...entries].filter(([, text]) => text !== undefined)
    expect(live).toEqual(vector.records)
    expect(decodeValue(entries.get('t"b"') ?? '')).toEqual({
      id: 'b',
      policy: [['==', '.n', 2n ** 60n]],
      at: new Date(5),
      bytes: Uint8Array.of(1, 255),
      nothing: undefined,
      number: Number.NaN,
      $kind: 'own',
    })
  })

  /** The vector's copy with its state, and the lines that its journal will have. */
  async function begun() {
    const disk = new FakeDisk()
    disk.install()
    const mirror = await AccountMirror.make(vector.address)
    await mirror.writeState(vector.state)
    const { journal, records } = vector
    const lines = records.map(([key, text]: [string, string]) => `+${key}\t${text}`)
    return { disk, mirror, journal, records, lines }
  }

  it('include a copy saved as a file, which is written the same and can always be read', async () => {
    const { mirror, journal, records, lines } = await begun()
    await mirror.journal.write({ journal, first: 0, last: 0 }, lines)
    const saved = await writeCopyFile(vector.address, vector.state.savedAt)
    expect(saved.filename).toBe(vector.copy.filename)
    expect(await saved.file.text()).toBe(vector.copy.text)
    const { state, entries, unreadable } = await readCopyFile(new Blob([vector.copy.text]))
    expect(state).toEqual(vector.state)
    expect([...entries]).toEqual(records)
    expect(unreadable).toBe(0)
  })

  it('are written the same', async () => {
    const { disk, mirror, journal, lines } = await begun()
    await mirror.journal.write({ journal, first: 0, last: 3 }, lines)
    await mirror.journal.write({ journal, first: 4, last: 4 }, [deleteLine(keyOf('sessions', 's'))])
    for (const [path, name] of [...disk.files().keys()].map((path) => [path, path.split('/').at(-1) ?? ''])) {
      expect(disk.text(path ?? '')).toBe(vector.files[name ?? ''])
    }
  })
})
