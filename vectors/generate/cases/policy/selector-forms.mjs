// Selectors that are not understood to the last letter.

import { casesOf } from '../../case.mjs'
import { alice, bob } from '../../keys.mjs'
import { delegate, invoke } from '../../token.mjs'

const MALFORMED = [
  '',
  'a',
  'a.b',
  '[0]',
  '?',
  '..',
  '..a',
  '.a..b',
  '.a.',
  '. a',
  '.a b',
  '.a[',
  '.a[]]',
  '.a[0',
  '.a[*]',
  '.a[?]',
  '.a[x]',
  '.a[1.5]',
  '.a[+1]',
  '.a[--1]',
  '.a[-]',
  '.a[ 1]',
  '.a[1:2:3]',
  '.a[1,2]',
  ".a['b']",
  '.a["b]',
  '.a["b"x]',
  '.a["\\x"]',
  '.a|.b',
  '.a?b',
  '.$a',
  '.a\u0000',
]

/** One case for each: != would hold of all of them if the part were dropped. */
export function malformedSelectors() {
  const { cases, refuse } = casesOf('selector form')
  for (const path of MALFORMED) {
    const root = delegate({ from: alice, to: bob, pol: [['!=', path, 'no such value']] })
    const invocation = invoke({ by: bob, sub: alice, args: { a: { b: 1 } }, proofs: [root] })
    refuse(`${JSON.stringify(path)} is no selector`, 'MalformedToken', root, invocation, [root])
  }
  const nested = delegate({ from: alice, to: bob, pol: [['any', '.a', ['not', ['==', '.b[*]', 1]]]] })
  const invocation = invoke({ by: bob, sub: alice, args: { a: [] }, proofs: [nested] })
  refuse('a selector within a statement that is never come to', 'MalformedToken', nested, invocation, [
    nested,
  ])
  return cases
}
