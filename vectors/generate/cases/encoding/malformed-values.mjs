// Values in an encoding that DAG-CBOR has not.

import { Entries, Raw, raw } from '../../cbor.mjs'

/**
 * The value as it stands, and in words.
 *
 * @type {[Raw | Entries, string][]}
 */
export const VALUES = [
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
