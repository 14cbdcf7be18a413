// What each operator of a policy says, in both its answers.

import { Link, float } from '../cbor.mjs'
import { casesOf } from '../case.mjs'
import { alice, bob, carol } from '../keys.mjs'
import { delegate, invoke } from '../token.mjs'

const bytes = (/** @type {number[]} */ ...items) => Buffer.from(items)
const link = (/** @type {string} */ last) => new Link(Buffer.from(`01711220${'00'.repeat(31)}${last}`, 'hex'))
const HUGE = 18_446_744_073_709_551_615n
const FAR = 9_007_199_254_740_993n

/** Operator, selector, value, the argument `a`; whether it holds; in words. @type {[string, unknown, unknown, boolean, string][]} */
const COMPARED = [
  ['==', 'x', 'x', true, 'equal texts'],
  ['==', 'x', 'X', false, 'texts of another case'],
  ['==', 'é', 'e\u0301', false, 'one letter composed and decomposed'],
  ['==', 1, 1, true, 'equal integers'],
  ['==', 1, 2, false, 'unequal integers'],
  ['==', float(1), 1, true, 'a float and an integer of one value'],
  ['==', 1, float(1), true, 'an integer and a float of one value'],
  ['==', 1, 1.5, false, 'an integer and the float after it'],
  ['==', HUGE, HUGE, true, 'the largest integer'],
  ['==', -18_446_744_073_709_551_616n, -18_446_744_073_709_551_616n, true, 'the smallest integer'],
  ['==', FAR, FAR - 1n, false, 'two integers that are one as floats'],
  ['==', float(2 ** 53), FAR, false, 'a float and the integer that rounds to it'],
  ['==', true, true, true, 'equal booleans'],
  ['==', true, 1, false, 'a boolean and a number'],
  ['==', null, null, true, 'null and null'],
  ['==', null, false, false, 'null and false'],
  ['==', '1', 1, false, 'a text and the number that it reads as'],
  ['==', bytes(1, 2), bytes(1, 2), true, 'equal bytes'],
  ['==', bytes(1, 2), [1, 2], false, 'bytes and a list of the same numbers'],
  ['==', link('01'), link('01'), true, 'equal links'],
  ['==', link('01'), link('02'), false, 'unequal links'],
  ['==', [1, [2]], [1, [2]], true, 'equal lists within lists'],
  ['==', [1, 2], [2, 1], false, 'lists in another order'],
  ['==', [1], [1, 2], false, 'a list and its beginning'],
  ['==', { b: 1, aa: [2] }, { aa: [float(2)], b: 1 }, true, 'equal maps with a number in two forms'],
  ['==', { b: 1 }, { b: 1, c: 2 }, false, 'a map and one with a key more'],
  ['==', { b: null }, {}, false, 'a map with null and an empty one'],
  ['!=', 1, 2, true, 'unequal integers'],
  ['!=', 1, float(1), false, 'an integer and a float of one value'],
  ['!=', 'x', 1, true, 'a text and a number'],
  ['!=', [1, 2], [2, 1], true, 'lists in another order'],
  ['!=', { b: 1 }, { b: 1 }, false, 'equal maps'],
  ['!=', FAR, FAR - 1n, true, 'two integers that are one as floats'],
  ['<', 2, 1, true, 'a smaller integer'],
  ['<', 2, 2, false, 'the same integer'],
  ['<', float(2), 2, false, 'an integer and a float of one value'],
  ['<', 1.5, 1, true, 'an integer below a float'],
  ['<', FAR, float(2 ** 53), true, 'a float below the integer that rounds to it'],
  ['<', float(1e300), HUGE, true, 'the largest integer below a larger float'],
  ['<', -1, -2, true, 'negative integers'],
  ['<', 1, '0', false, 'a text'],
  ['<', 1, null, false, 'null'],
  ['<', 1, false, false, 'a boolean'],
  ['<', 1, bytes(0), false, 'bytes'],
  ['<', 1, [0], false, 'a list'],
  ['<=', 2, 2, true, 'the same integer'],
  ['<=', 2, float(2), true, 'an integer and a float of one value'],
  ['<=', 2, 3, false, 'a larger integer'],
  ['<=', HUGE - 1n, HUGE, false, 'the largest integer and the one before it'],
  ['<=', 2, null, false, 'null'],
  ['>', 1, 2, true, 'a larger integer'],
  ['>', 2, 2, false, 'the same integer'],
  ['>', float(2 ** 53), FAR, true, 'an integer above the float that it rounds to'],
  ['>', 0.5, 0, false, 'zero and a fraction'],
  ['>', 0, '1', false, 'a text'],
  ['>=', 2, 2, true, 'the same integer'],
  ['>=', 2.5, 2, false, 'an integer below a float'],
  ['>=', -18_446_744_073_709_551_616n, -18_446_744_073_709_551_615n, true, 'the smallest integers'],
  ['>=', 0, {}, false, 'a map'],
  ['like', 'x', 'x', true, 'a text without stars'],
  ['like', 'x', 'xy', false, 'a longer text'],
  ['like', 'a*c', 'abbc', true, 'a star in the middle'],
  ['like', 'a*c', 'ac', true, 'a star for nothing'],
  ['like', 'a*c', 'abcd', false, 'a star, and an end that goes on'],
  ['like', '*', '', true, 'the empty text'],
  ['like', '', '', true, 'an empty pattern and an empty text'],
  ['like', '', 'a', false, 'an empty pattern'],
  ['like', '*b*', 'abc', true, 'a star at either end'],
  ['like', '**a**', 'a', true, 'stars side by side'],
  ['like', 'a*b*c', 'a-c-b', false, 'parts in another order'],
  ['like', 'a*ab', 'aab', true, 'a part that starts anew within itself'],
  ['like', 'a*a', 'a', false, 'a letter that cannot stand for both ends'],
  ['like', '\\*', '*', true, 'a literal star'],
  ['like', '\\*', 'x', false, 'a literal star and a letter'],
  ['like', 'a\\b', 'a\\b', true, 'a backslash that escapes nothing'],
  ['like', 'a*c', 'a\nb\nc', true, 'lines'],
  ['like', 'a?c', 'abc', false, 'a question mark that is only itself'],
  ['like', '[ab]', 'a', false, 'brackets that are only themselves'],
  ['like', '.*', 'abc', false, 'a full stop that is only itself'],
  ['like', 'A*', 'abc', false, 'letters of another case'],
  ['like', '*é', 'caf\u00e9', true, 'letters of two bytes'],
  ['like', '*', 1, false, 'a number'],
  ['like', '*', null, false, 'null'],
  ['like', '*', ['a'], false, 'a list'],
  ['like', '*', bytes(97), false, 'bytes'],
]

/** A statement, the arguments; whether it holds; a sentence. @type {[unknown, object, boolean, string][]} */
const STATEMENTS = [
  [['and', []], {}, true, 'and of nothing holds'],
  [
    [
      'and',
      [
        ['==', '.a', 1],
        ['==', '.b', 2],
      ],
    ],
    { a: 1, b: 2 },
    true,
    'and holds where all of its statements do',
  ],
  [
    [
      'and',
      [
        ['==', '.a', 1],
        ['==', '.b', 2],
      ],
    ],
    { a: 1, b: 3 },
    false,
    'and fails where its last statement does',
  ],
  [['or', []], {}, true, 'or of nothing holds'],
  [
    [
      'or',
      [
        ['==', '.a', 1],
        ['==', '.a', 2],
      ],
    ],
    { a: 2 },
    true,
    'or holds where its last statement does',
  ],
  [
    [
      'or',
      [
        ['==', '.a', 1],
        ['==', '.a', 2],
      ],
    ],
    { a: 3 },
    false,
    'or fails where all of its statements do',
  ],
  [['not', ['==', '.a', 1]], { a: 2 }, true, 'not of what is false holds'],
  [['not', ['==', '.a', 1]], { a: 1 }, false, 'not of what is true fails'],
  [['not', ['not', ['==', '.a', 1]]], { a: 1 }, true, 'not twice changes nothing'],
  [['not', ['and', []]], {}, false, 'not of an empty and fails'],
  [['not', ['or', []]], {}, false, 'not of an empty or fails'],
  [['all', '.a', ['>', '.', 0]], { a: [1, 2] }, true, 'all holds where each item of a list does'],
  [['all', '.a', ['>', '.', 0]], { a: [1, 0] }, false, 'all fails where one item of a list does'],
  [['all', '.a', ['>', '.', 0]], { a: [] }, true, 'all of an empty list holds'],
  [['all', '.a', ['>', '.', 0]], { a: { b: 1, c: 2 } }, true, 'all goes over the values of a map'],
  [['all', '.a', ['>', '.', 0]], { a: { b: 1, c: 0 } }, false, 'all fails where one value of a map does'],
  [['all', '.a', ['and', []]], { a: 'text' }, false, 'all of a text fails'],
  [['all', '.a', ['and', []]], { a: bytes(1) }, false, 'all of bytes fails'],
  [['all', '.a', ['and', []]], {}, false, 'all of what is missing fails'],
  [['any', '.a', ['==', '.', 2]], { a: [1, 2] }, true, 'any holds where one item of a list does'],
  [['any', '.a', ['==', '.', 2]], { a: [1, 3] }, false, 'any fails where no item of a list does'],
  [['any', '.a', ['and', []]], { a: [] }, false, 'any of an empty list fails'],
  [['any', '.a', ['==', '.', 2]], { a: { b: 1, c: 2 } }, true, 'any goes over the values of a map'],
  [['any', '.a', ['and', []]], { a: {} }, false, 'any of an empty map fails'],
  [['any', '.a', ['and', []]], { a: 1 }, false, 'any of a number fails'],
  [['any', '.a', ['and', []]], { a: null }, false, 'any of null fails'],
  [
    ['all', '.a', ['any', '.b', ['like', '.c', 'x*']]],
    { a: [{ b: [{ c: 'y' }, { c: 'xy' }] }, { b: [{ c: 'x' }] }] },
    true,
    'any within all starts from each item',
  ],
  [
    ['all', '.a', ['any', '.b', ['like', '.c', 'x*']]],
    { a: [{ b: [{ c: 'x' }] }, { b: [] }] },
    false,
    'any within all fails with one of them',
  ],
  [['==', '.a', null], {}, true, 'a missing key is null to =='],
  [['!=', '.a', 1], {}, true, 'a missing key is null to !='],
  [['!=', '.a', null], {}, false, 'a missing key is not unlike null'],
  [['<', '.a', 1], {}, false, 'a missing key is no number'],
  [['like', '.a', '*'], {}, false, 'a missing key is no text'],
  [['==', '.a.b', null], {}, false, 'a path past a missing key makes == false'],
  [['!=', '.a.b', 1], {}, false, 'a path past a missing key makes != false too'],
  [['not', ['==', '.a.b', 1]], {}, true, 'not turns over the false of a path that cannot be followed'],
  [['not', ['!=', '.a.b', 1]], {}, true, 'not turns over the false of != on such a path as well'],
  [['any', '.a', ['!=', '.b.c', 1]], { a: [{}] }, false, 'an item without the path makes any false'],
]

/** Every operator, both answers. */
export function policies() {
  const { cases, accept, refuse } = casesOf('policy')
  const check = (
    /** @type {string} */ name,
    /** @type {unknown[]} */ pol,
    /** @type {object} */ args,
    /** @type {boolean} */ holds,
  ) => {
    const root = delegate({ from: alice, to: bob, pol })
    const invocation = invoke({ by: bob, sub: alice, args, proofs: [root] })
    if (holds) accept(name, invocation, [root])
    else refuse(name, 'MatchError', root, invocation, [root])
  }
  for (const [operator, value, a, holds, words] of COMPARED) {
    check(`${operator} ${holds ? 'holds' : 'fails'}: ${words}`, [[operator, '.a', value]], { a }, holds)
  }
  for (const [statement, args, holds, name] of STATEMENTS) check(name, [statement], args, holds)
  check('an empty policy lets everything through', [], { a: 1 }, true)
  check(
    'every statement of a policy must hold',
    [
      ['==', '.a', 1],
      ['==', '.b', 2],
    ],
    { a: 1 },
    false,
  )

  const upper = delegate({ from: alice, to: bob, pol: [['<', '.amount', 100]] })
  const wide = delegate({ from: bob, to: carol, sub: alice, pol: [['<', '.amount', 1000]] })
  const pay = (/** @type {number} */ amount) =>
    invoke({ by: carol, sub: alice, args: { amount }, proofs: [upper, wide] })
  accept('policies add up along a chain', pay(99), [upper, wide])
  refuse('a wider policy below does not widen the one above', 'MatchError', upper, pay(500), [upper, wide])
  refuse('of two policies that fail the upper one is named', 'MatchError', upper, pay(5000), [upper, wide])
  return cases
}
