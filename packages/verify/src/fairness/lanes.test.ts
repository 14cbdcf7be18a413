import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { container, delegation, friend, invocation, owner, stranger, type Token } from '../test/calls.ts'
import { Lanes } from './lanes.ts'
import { networkOf } from './network.ts'
import { proofsIn } from './proofs-in.ts'

const grants = [delegation(owner, friend), delegation(owner, friend), delegation(owner, friend)] as const
const call = (...proofs: Token[]) => container([...proofs, invocation(friend, owner, proofs)])
const other = () => container([invocation(stranger, stranger, [])])

const GOOD = (proofs: number) => ({ proofs })
const BAD = { proofs: undefined }

/** Lanes that record which checker got each token. */
function begin() {
  const asked: string[] = []
  let now = 0
  const lanes = new Lanes({ known: 'known', strangers: 'strangers' }, () => now)
  const run = (
    token: string,
    answer: { proofs: number | undefined } | Promise<typeof BAD>,
    address = '192.0.2.1',
  ) =>
    lanes.run(token, address, async (checker) => {
      asked.push(checker)
      return await answer
    })
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return { asked, run, pass, lanes }
}

/** A promise that is settled from outside. */
function later() {
  let keep = () => {}
  const answer = new Promise<typeof BAD>((resolve) => {
    keep = () => resolve(BAD)
  })
  return { answer, keep }
}

describe('the tokens in a text', () => {
  it('are separated', () => {
    const [one, two] = grants
    const text = call(one, two)
    const base64 = `B${Buffer.from(text.slice(1), 'base64url').toString('base64')}`
    for (const each of [text, base64])
      expect(proofsIn(each)).toEqual({
        proofs: [one, two].map(({ bytes }) => bytes.toString('latin1')),
        invocations: 1,
      })
  })

  it('are separated in the calls that our libraries write', () => {
    const file = new URL('../../../../vectors/keyhole/calls.json', import.meta.url)
    const { cases }: { cases: { compressed: boolean; plain: string }[] } = JSON.parse(
      readFileSync(file, 'utf8'),
    )
    const short = cases.filter(({ compressed }) => !compressed)
    expect(short).toHaveLength(3)
    for (const { plain } of short)
      expect(proofsIn(plain)).toMatchObject({ proofs: [expect.any(String)], invocations: 1 })
  })

  it.each([
    ['not a container', 'gkVhYmM'],
    ['cut', call(grants[0]).slice(0, -8)],
    ['compressed', `P${gzipSync(Buffer.alloc(1 << 20)).toString('base64url')}`],
    ['longer than its bytes', `C${Buffer.from('a16663746e2d7631bb', 'hex').toString('base64url')}`],
    ['not base64', 'C~~~'],
    ['empty', ''],
  ])('are unknown for a text that is %s', (_, text) => {
    expect(proofsIn(text)).toBeUndefined()
  })
})

describe('a call', () => {
  it('under proofs that were good before is checked apart from strangers', async () => {
    const { asked, run } = begin()
    const [one, two] = grants
    await run(call(one), GOOD(1))
    await run(call(one), GOOD(1))
    await run(call(two), GOOD(1))
    await run(call(one, two), GOOD(2))
    expect(asked).toEqual(['strangers', 'known', 'strangers', 'known'])
  })

  it("doesn't wait for a stranger's", async () => {
    const { asked, run } = begin()
    await run(call(grants[0]), GOOD(1))
    const costly = later()
    const waiting = run(other(), costly.answer)
    await run(call(grants[0]), GOOD(1))
    costly.keep()
    await waiting
    expect(asked).toEqual(['strangers', 'strangers', 'known'])
  })

  it.each([
    ['a new proof', call(grants[0], grants[1])],
    ['two invocations', container([grants[0], invocation(friend, owner, []), invocation(friend, owner, [])])],
    ['no proof', container([invocation(owner, owner, [])])],
    ['a text that is not a container', 'gkVhYmM'],
  ])("with %s is a stranger's", async (_, token) => {
    const { asked, run } = begin()
    await run(call(grants[0]), GOOD(1))
    await run(token, BAD)
    expect(asked).toEqual(['strangers', 'strangers'])
  })

  it('makes its proofs unknown if it is refused', async () => {
    const { asked, run } = begin()
    await run(call(grants[0]), GOOD(1))
    await run(call(grants[0]), BAD)
    await run(call(grants[0]), GOOD(1))
    await run(call(grants[0]), GOOD(1))
    expect(asked).toEqual(['strangers', 'known', 'strangers', 'known'])
  })
})

describe('strangers', () => {
  it('wait for each other, and the longest of too many from one network is refused', async () => {
    const { asked, run } = begin()
    const costly = later()
    const first = run(other(), costly.answer)
    const waiting = Array.from({ length: 66 }, (_, at) => run('x'.repeat(10 + at), BAD))
    const outcomes = Promise.allSettled(waiting)
    expect(asked).toEqual(['strangers'])
    costly.keep()
    await first
    const statuses = (await outcomes).map(({ status }) => status)
    expect(statuses).toEqual([...Array(64).fill('fulfilled'), 'rejected', 'rejected'])
    await expect(waiting[65]).rejects.toMatchObject({ code: 'BUSY' })
  })

  it('of many networks fill no more than the queue', async () => {
    const { run } = begin()
    const costly = later()
    const first = run(other(), costly.answer)
    const waiting = Array.from({ length: 600 }, (_, at) => run('x', BAD, `10.0.${at >> 8}.${at & 255}`))
    const outcomes = Promise.allSettled(waiting)
    costly.keep()
    await first
    expect((await outcomes).filter(({ status }) => status === 'fulfilled')).toHaveLength(512)
  })

  it('are served in turns, however many one sends', async () => {
    const { run, pass } = begin()
    const costly = later()
    const order: string[] = []
    const add = (who: string, address: string) => run('x', BAD, address).then(() => order.push(who))
    const first = run(other(), costly.answer, '192.0.2.1')
    const all = [
      add('one', '192.0.2.1'),
      add('one', '192.0.2.1'),
      add('another', '192.0.2.2'),
      add('a network', '2001:db8:0:1::1'),
    ]
    pass(100)
    costly.keep()
    await Promise.all([first, ...all])
    expect(order.slice(0, 2).toSorted()).toEqual(['a network', 'another'])
  })

  it('get an error if their check fails, and the next is checked', async () => {
    const { run } = begin()
    await expect(run('x', Promise.reject(new Error('hung')))).rejects.toThrow('hung')
    expect(await run('y', BAD)).toBe(BAD)
  })

  it('that still wait at the end are refused', async () => {
    const { run, lanes } = begin()
    const costly = later()
    const first = run(other(), costly.answer)
    const waiting = run('x', BAD)
    lanes.close()
    await expect(waiting).rejects.toMatchObject({ code: 'CHECK_FAILED' })
    costly.keep()
    await first
  })
})

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:1ff::1', '2001:db8:0:01'],
  ['2001:DB8::1:2', '2001:db8:0:00'],
  ['fe80::1%eth0', 'fe80:0:0:00'],
  ['::1', '0:0:0:00'],
  ['192.0.2.1:50123', '192.0.2.1'],
  ['[2001:db8:1:203::1]:50123', '2001:db8:1:02'],
  ['[2001:db8:1:203::1]', '2001:db8:1:02'],
  ['not:an address', 'not:an address'],
])('counts %s towards %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
