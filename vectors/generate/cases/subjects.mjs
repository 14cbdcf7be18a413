// Whose resource it is: one subject along the chain, and it issued the root.

import { casesOf } from '../case.mjs'
import { alice, bob, carol, dave, mallory } from '../keys.mjs'
import { delegate, invoke } from '../token.mjs'

/** Roots and links. */
export function subjects() {
  const { cases, accept, refuse } = casesOf('subject')
  accept('the subject itself needs no proof', invoke({ by: alice }))
  const a = delegate({ from: alice, to: bob })
  const b = delegate({ from: bob, to: carol, sub: alice })
  const c = delegate({ from: carol, to: dave, sub: alice })
  accept('a chain of one', invoke({ by: bob, sub: alice, proofs: [a] }), [a])
  accept('a chain of three', invoke({ by: dave, sub: alice, proofs: [a, b, c] }), [a, b, c])

  const stolen = delegate({ from: mallory, to: bob, sub: alice })
  refuse(
    'a root that another than the subject issued',
    'InvalidSubject',
    stolen,
    invoke({ by: bob, sub: alice, proofs: [stolen] }),
    [stolen],
  )
  refuse('a chain without its root', 'InvalidSubject', b, invoke({ by: carol, sub: alice, proofs: [b] }), [b])
  const about = delegate({ from: bob, to: carol, sub: mallory })
  refuse(
    'a link about another subject',
    'InvalidSubject',
    about,
    invoke({ by: carol, sub: alice, proofs: [a, about] }),
    [a, about],
  )
  const other = invoke({ by: bob, sub: mallory, proofs: [a] })
  refuse('an invocation about another subject than its proof', 'InvalidSubject', other, other, [a])
  const claimed = invoke({ by: carol, sub: dave, proofs: [a, b] })
  refuse('an invocation about another subject than its chain', 'InvalidSubject', claimed, claimed, [a, b])
  const own = delegate({ from: bob, to: carol })
  refuse(
    'a link that is about its own issuer',
    'InvalidSubject',
    own,
    invoke({ by: carol, sub: alice, proofs: [a, own] }),
    [a, own],
  )
  const round = delegate({ from: bob, to: alice, sub: alice })
  accept('back to the subject, which still needs no proof', invoke({ by: alice, proofs: [a, round] }))
  return cases
}
