import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Enclave } from '@keyhole/enclave'
import { describe, expect, it } from 'vitest'
import { Lanes } from './lanes.js'
import { digestOf, digestsIn } from './shown-tokens.js'

const KNOWN = { name: 'known' } as unknown as Enclave
const STRANGERS = { name: 'strangers' } as unknown as Enclave

/** A container of these tokens, as a writer of CBOR makes it. */
function container(tokens: readonly string[]): Buffer {
  const list = Buffer.concat([Buffer.from('a16663746e2d7631', 'hex'), Buffer.from([0x80 + tokens.length])])
  const items = tokens.flatMap((token) => [Buffer.from([0x58, token.length]), Buffer.from(token)])
  return Buffer.concat([list, ...items])
}
const text = (...tokens: string[]) => `C${container(tokens).toString('base64url')}`

/** The CID of a token's bytes, in base32. */
function cidOf(token: string): string {
  const bytes = Buffer.concat([Buffer.from('01711220', 'hex'), createHash('sha256').update(token).digest()])
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const letters = bits.padEnd(Math.ceil(bits.length / 5) * 5, '0').match(/.{5}/g) ?? []
  return `b${letters.map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five, 2)]).join('')}`
}

const authorised = (...proofs: string[]) => ({
  authorised: { chain: proofs.map((proof) => ({ cid: cidOf(proof) })) },
})
const refused = (name: string) => ({ error: { name } })

/** Lanes, and which enclave each request was given to. */
function start() {
  const asked: string[] = []
  const lanes = new Lanes({ known: KNOWN, strangers: STRANGERS })
  const run = (token: string, answer: unknown, address = '192.0.2.1') =>
    lanes.run(token, address, async (enclave) => {
      asked.push((enclave as unknown as { name: string }).name)
      return (await answer) as ReturnType<typeof authorised>
    })
  return { asked, run }
}

/** A promise that is kept from outside. */
function promise() {
  let keep = (_: unknown) => {}
  const served = new Promise((resolve) => {
    keep = resolve
  })
  return { served, keep: (value: unknown = refused('MatchError')) => keep(value) }
}

describe('the tokens in a text', () => {
  it('are told apart in every encoding of a container that is a text', () => {
    const bytes = container(['one', 'two'])
    const digests = ['one', 'two'].map((token) => createHash('sha256').update(token).digest('hex'))
    for (const each of [
      `C${bytes.toString('base64url')}`,
      `B${bytes.toString('base64')}`,
      `P${gzipSync(bytes).toString('base64url')}`,
      `O${gzipSync(bytes).toString('base64')}`,
    ]) {
      expect(digestsIn(each)).toEqual(digests)
    }
    expect(digestOf(cidOf('one'))).toBe(digests[0])
  })

  it.each([
    ['no container', 'gkVhYmM'],
    ['cut', text('one', 'two').slice(0, -4)],
    ['a bomb', `P${gzipSync(Buffer.alloc(1 << 20)).toString('base64url')}`],
    ['no gzip', 'PAAAA'],
    [
      'a list that promises more than there is',
      `C${Buffer.from('a16663746e2d7631bb', 'hex').toString('base64url')}`,
    ],
    ['empty', ''],
  ])('are nobody’s where there is %s', (_, each) => {
    expect(digestsIn(each)).toBeUndefined()
  })
})

describe('a request', () => {
  it('under proofs that were good before is checked apart from strangers', async () => {
    const { asked, run } = start()
    await run(text('proof', 'first'), authorised('proof'))
    await run(text('proof', 'second'), authorised('proof'))
    await run(text('other proof', 'third'), authorised('other proof'))
    await run(text('proof', 'other proof', 'fourth'), authorised('proof', 'other proof'))
    expect(asked).toEqual(['strangers', 'known', 'strangers', 'known'])
  })

  it('is not kept waiting by a stranger’s', async () => {
    const { asked, run } = start()
    await run(text('proof', 'first'), authorised('proof'))
    const dear = promise()
    const stranger = run(text('dear'), dear.served)
    expect(await run(text('proof', 'second'), authorised('proof'))).toEqual(authorised('proof'))
    dear.keep()
    expect(await stranger).toEqual(refused('MatchError'))
    expect(asked).toEqual(['strangers', 'strangers', 'known'])
  })

  it.each([
    ['one that is known and two that are not', text('proof', 'new proof', 'second')],
    ['none', text('second')],
    ['a text that is no container', 'gkVhYmM'],
  ])('with %s is a stranger’s', async (_, token) => {
    const { asked, run } = start()
    await run(text('proof', 'first'), authorised('proof'))
    await run(token, authorised('proof'))
    expect(asked).toEqual(['strangers', 'strangers'])
  })

  it('that is refused makes its proofs a stranger’s again, unless it was a repetition', async () => {
    const { asked, run } = start()
    await run(text('proof', 'first'), authorised('proof'))
    await run(text('proof', 'first'), refused('Replayed'))
    await run(text('proof', 'second'), refused('MatchError'))
    await run(text('proof', 'third'), authorised('proof'))
    await run(text('proof', 'fourth'), authorised('proof'))
    expect(asked).toEqual(['strangers', 'known', 'known', 'strangers', 'known'])
  })
})

describe('strangers', () => {
  it('wait for each other, and those who sent too many are told so, the longest first', async () => {
    const { asked, run } = start()
    const dear = promise()
    const first = run(text('dear'), dear.served)
    const lengths = Array.from({ length: 10 }, (_, at) => 10 + at)
    const waiting = lengths.map((length) => run(text('x'.repeat(length)), refused('MatchError')))
    const outcomes = Promise.allSettled(waiting)
    expect(asked).toEqual(['strangers'])
    dear.keep()
    await first
    const statuses = (await outcomes).map(({ status }) => status)
    expect(statuses).toEqual([...Array(8).fill('fulfilled'), 'rejected', 'rejected'])
    await expect(waiting[9]).rejects.toMatchObject({ status: 503, code: 'Busy' })
  })

  it('are served by turns, however many one sends', async () => {
    const { run } = start()
    const dear = promise()
    const order: string[] = []
    const ask = (who: string, address: string) =>
      run(text(who), refused('MatchError'), address).then(() => order.push(who))
    const first = run(text('dear'), dear.served, '192.0.2.1')
    const all = [
      ask('one', '192.0.2.1'),
      ask('one', '192.0.2.1'),
      ask('another', '192.0.2.2'),
      ask('same network', '2001:db8:0:1::1'),
    ]
    dear.keep()
    await Promise.all([first, ...all])
    expect(order.slice(0, 2).toSorted()).toEqual(['another', 'same network'])
  })

  it('whose check fails are told so, and the next is served', async () => {
    const { run } = start()
    await expect(run(text('dear'), Promise.reject(new Error('hung')))).rejects.toThrow('hung')
    expect(await run(text('next'), refused('MatchError'))).toEqual(refused('MatchError'))
  })
})
