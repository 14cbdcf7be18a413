// One encoding of a value, and no second: with a second one a token has a second CID. Each of these is signed as it stands.

import { Entries, Raw, encode, float, head, longHead, raw } from '../cbor.mjs'
import { casesOf } from '../case.mjs'
import { alice, bob } from '../keys.mjs'
import { delegate, invoke, tokenOf } from '../token.mjs'

/** Values that have no place in DAG-CBOR, or another form there. @type {[Raw | Entries, string][]} */
const VALUES = [
  [raw('18 17'), 'an integer in a byte that fits its head'],
  [raw('19 00ff'), 'an integer in two bytes that fits one'],
  [raw('1a 0000ffff'), 'an integer in four bytes that fits two'],
  [raw('1b 00000000ffffffff'), 'an integer in eight bytes that fits four'],
  [raw('38 17'), 'a negative integer in a byte that fits its head'],
  [raw('58 01 61'), 'bytes with a length that is not minimal'],
  [raw('78 01 61'), 'a text with a length that is not minimal'],
  [raw('98 01 01'), 'a list with a length that is not minimal'],
  [raw('b8 01 61 61 01'), 'a map with a length that is not minimal'],
  [raw('9f 01 ff'), 'a list without a length'],
  [raw('bf 61 61 01 ff'), 'a map without a length'],
  [raw('7f 61 61 ff'), 'a text without a length'],
  [raw('5f 41 61 ff'), 'bytes without a length'],
  [raw('ff'), 'a break that ends nothing'],
  [raw('f9 3c00'), 'a float of 16 bits'],
  [raw('fa 3f800000'), 'a float of 32 bits'],
  [raw('fb 7ff8000000000000'), 'a float that is no number'],
  [raw('fb 7ff0000000000000'), 'a float that is infinite'],
  [raw('fb fff0000000000000'), 'a float that is infinite and negative'],
  [raw('f7'), 'undefined'],
  [raw('f0'), 'a simple value without a meaning'],
  [raw('f8 16'), 'null in two bytes'],
  [raw('1c'), 'a head that CBOR keeps for itself'],
  [raw('c1 01'), 'a tag for a date'],
  [raw('c2 41 01'), 'a tag for a large integer'],
  [raw('d9 d9f7 01'), 'a tag that says that this is CBOR'],
  [raw('d8 2a 01'), 'a link that is no bytes'],
  [raw('d8 2a 41 00'), 'a link without a CID'],
  [
    new Raw(
      Buffer.concat([Buffer.from('d82a5824', 'hex'), Buffer.from(`01711220${'00'.repeat(32)}`, 'hex')]),
    ),
    'a link without its zero byte',
  ],
  [raw(`d9 002a 5825 00 01711220 ${'00'.repeat(32)}`), 'a link whose tag is not minimal'],
  [raw('62 c328'), 'a text that is no UTF-8'],
  [raw('63 eda080'), 'a text with half of a surrogate pair'],
  [
    new Entries([
      ['b', 1],
      ['a', 2],
    ]),
    'keys that are not sorted',
  ],
  [
    new Entries([
      ['aa', 1],
      ['b', 2],
    ]),
    'keys sorted by their bytes before their length',
  ],
  [
    new Entries([
      ['a', 1],
      ['a', 2],
    ]),
    'a key twice',
  ],
  [
    new Entries([
      ['a', 1],
      ['a', 1],
    ]),
    'a key twice with the same value',
  ],
  [new Entries([[1, 1]]), 'a key that is a number'],
  [new Entries([[Buffer.from('a'), 1]]), 'a key that is bytes'],
  [raw('a1 78 01 61 01'), 'a key with a length that is not minimal'],
]

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
  for (const [bytes, words] of [
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
  ]) {
    refuse(`an envelope ${words}`, 'MalformedToken', undefined, tokenOf(bytes))
  }
  return cases
}
