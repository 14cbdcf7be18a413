// Policies that do not parse: the whole token is malformed, and nothing of it is ignored.

import { casesOf } from '../../case.mjs'
import { alice, bob } from '../../keys.mjs'
import { delegate, invoke } from '../../token.mjs'

/** @type {[unknown, string][]} */
const MALFORMED = [
  [[['=', '.a', 1]], 'an operator that there is not'],
  [[['===', '.a', 1]], 'an operator with a letter too many'],
  [[['AND', []]], 'an operator in capitals'],
  [[['', '.a', 1]], 'an operator without letters'],
  [[[1, '.a', 1]], 'an operator that is a number'],
  [[[]], 'a statement of nothing'],
  [['=='], 'a statement that is a text'],
  [[{ '==': ['.a', 1] }], 'a statement that is a map'],
  [{}, 'a policy that is a map'],
  [null, 'a policy that is null'],
  [['==', '.a', 1], 'a statement that stands for its policy'],
  [[['==', '.a']], '== without a value'],
  [[['==', '.a', 1, 2]], '== with a value too many'],
  [[['==', 1, 1]], '== with a number for a selector'],
  [[['<', '.a', '1']], '< with a text'],
  [[['>=', '.a', null]], '>= with null'],
  [[['like', '.a', 1]], 'like with a number'],
  [[['like', '.a']], 'like without a pattern'],
  [[['and', ['==', '.a', 1]]], 'and of a statement that stands for its list'],
  [[['and', [], []]], 'and of two lists'],
  [[['or']], 'or without a list'],
  [[['not', [['==', '.a', 1]]]], 'not of a list of statements'],
  [[['not', ['==', '.a', 1], ['==', '.b', 1]]], 'not of two statements'],
  [[['all', '.a']], 'all without a statement'],
  [[['any', '.a', []]], 'any of a statement of nothing'],
  [[['not', ['unknown', '.a', 1]]], 'not of an operator that there is not'],
  [
    [
      [
        'or',
        [
          ['and', []],
          ['unknown', '.a', 1],
        ],
      ],
    ],
    'or that would not come to the operator that there is not',
  ],
  [[['any', '.a', ['unknown', '.', 1]]], 'any of an operator that there is not over an empty list'],
]

/** One case for each. */
export function malformedPolicies() {
  const { cases, refuse } = casesOf('policy form')
  for (const [pol, words] of MALFORMED) {
    const root = delegate({ from: alice, to: bob, pol })
    const invocation = invoke({ by: bob, sub: alice, args: { a: [] }, proofs: [root] })
    refuse(`malformed: ${words}`, 'MalformedToken', root, invocation, [root])
  }
  return cases
}
