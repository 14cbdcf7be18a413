// One encoding of a value, and no second: with a second one a token has a second CID. Each of these is signed as it stands.

import { casesOf } from '../../case.mjs'
import { Entries, encode, float, head, longHead, raw } from '../../cbor.mjs'
import { alice, bob } from '../../keys.mjs'
import { delegate, invoke, tokenOf } from '../../token.mjs'
import { VALUES } from './malformed-values.mjs'

/** Second encodings of each part. */
export function canonical() {
  const { cases, accept, refuse } = casesOf('canonical form')
  for (const [value, words] of VALUES) {
    const token = invoke({ by: alice, args: { a: value } })
    refuse(`in the arguments: ${words}`, 'MalformedToken', undefined, token)
  }
  for (const [value, words] of VALUES.slice(0, 4)) {
    const root = delegate({ from: alice, to: bob, meta: { a: value } })
    refuse(
      `in a proof: ${words}`,
      'MalformedToken',
      undefined,
      invoke({ by: bob, sub: alice, proofs: [root] }),
      [root],
    )
  }
  accept(
    'every kind of value in its one encoding',
    invoke({
      by: alice,
      args: {
        a: [0, 23, 24, 255, 256, 65_535, 65_536, 4_294_967_296n, -1, -24, -25, 18_446_744_073_709_551_615n],
        b: [1.5, float(1), -2.25, float(1e300)],
        bb: [true, false, null],
        c: Buffer.from([0, 255]),
        é: 'é\u{1f511}',
        '': {},
        aaa: [[]],
      },
    }),
  )
  accept(
    'a link to what is no token in the arguments',
    invoke({ by: alice, args: { raw: raw(`d82a 5825 00 01551220 ${'11'.repeat(32)}`) } }),
  )

  const unsorted = invoke(
    { by: alice },
    {
      signed: ({ h, tag, payload }) =>
        encode(
          new Entries([
            [tag, payload],
            ['h', h],
          ]),
        ),
    },
  )
  refuse('the signed map with its keys the other way round', 'MalformedToken', undefined, unsorted)
  const twice = invoke(
    { by: alice },
    {
      signed: ({ h, tag, payload }) =>
        encode(
          new Entries([
            ['h', h],
            ['h', h],
            [tag, payload],
          ]),
        ),
    },
  )
  refuse('the signed map with its header twice', 'MalformedToken', undefined, twice)
  const doubled = invoke(
    { by: alice },
    {
      signed: ({ h, tag, payload }) =>
        encode(
          new Entries([
            ['h', h],
            [tag, payload],
            [tag, payload],
          ]),
        ),
    },
  )
  refuse('the signed map with its payload twice', 'MalformedToken', undefined, doubled)
  const fields = Object.entries(invoke({ by: alice }).fields).filter(([, value]) => value !== undefined)
  const shuffled = invoke(
    { by: alice },
    { signed: ({ h, tag }) => encode({ h, [tag]: new Entries(fields) }) },
  )
  refuse('the payload with its keys not sorted', 'MalformedToken', undefined, shuffled)

  const good = invoke({ by: alice })
  for (const [bytes, words] of /** @type {[Buffer, string][]} */ ([
    [Buffer.concat([Buffer.from([0x98, 2]), good.bytes.subarray(1)]), 'with a length that is not minimal'],
    [Buffer.concat([Buffer.from([0x9f]), good.bytes.subarray(1), Buffer.from([0xff])]), 'without a length'],
    [
      Buffer.concat([good.bytes.subarray(0, 1), Buffer.from([0x59, 0, 64]), good.bytes.subarray(3)]),
      'with a longer head of its signature',
    ],
    [Buffer.concat([good.bytes, Buffer.from([0])]), 'with a byte after it'],
    [Buffer.concat([good.bytes, good.bytes]), 'with itself after it'],
    [
      Buffer.concat([Buffer.from([0xd9, 0xd9, 0xf7]), good.bytes]),
      'behind the tag that says that this is CBOR',
    ],
    [good.bytes.subarray(0, -1), 'without its last byte'],
    [good.bytes.subarray(0, 70), 'cut off after its signature'],
    [Buffer.concat([good.bytes.subarray(0, 3), Buffer.alloc(64)]), 'that is a signature and nothing else'],
    [
      Buffer.concat([Buffer.from([0x82]), longHead(2, 27, 64), good.bytes.subarray(3)]),
      'with the longest head of its signature',
    ],
    [
      Buffer.concat([Buffer.from([0x82]), head(2, 2n ** 63n), good.bytes.subarray(3)]),
      'with a signature of 2^63 bytes',
    ],
    [
      Buffer.concat([Buffer.from([0x9b]), Buffer.alloc(8, 255), good.bytes.subarray(1)]),
      'that says it has 2^64 elements',
    ],
  ])) {
    refuse(`an envelope ${words}`, 'MalformedToken', undefined, tokenOf(bytes))
  }
  return cases
}
