// What each operator of a policy says, in both its answers.

import { casesOf } from '../../case.mjs'
import { alice, bob, carol } from '../../keys.mjs'
import { delegate, invoke } from '../../token.mjs'
import { COMPARED } from './comparisons.mjs'

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
  [['all', '.a', ['and', []]], { a: Buffer.from([1]) }, false, 'all of bytes fails'],
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
