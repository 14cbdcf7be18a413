// Delegations without a subject: they pass on whatever comes to their issuer, and start nothing.

import { casesOf, refusal } from '../case.mjs'
import { text } from '../container.mjs'
import { alice, bob, carol, dave } from '../keys.mjs'
import { delegate, invoke, NOW } from '../token.mjs'

/** In each place. */
export function powerlines() {
  const { cases, accept, refuse, add } = casesOf('powerline')
  const a = delegate({ from: alice, to: bob })
  const line = delegate({ from: bob, to: carol, sub: null })
  const second = delegate({ from: carol, to: dave, sub: null })
  const c = delegate({ from: carol, to: dave, sub: alice })
  accept(
    'a powerline past the root',
    invoke({ by: carol, sub: alice, proofs: [a, line] }),
    [a, line],
    {},
    {
      chain: [
        { cid: a.cid, subject: alice.did },
        { cid: line.cid, subject: null },
      ],
    },
  )
  accept('a powerline in the middle', invoke({ by: dave, sub: alice, proofs: [a, line, c] }), [a, line, c])
  accept('a powerline after a powerline', invoke({ by: dave, sub: alice, proofs: [a, line, second] }), [
    a,
    line,
    second,
  ])
  refuse('a powerline as the root', 'InvalidClaim', line, invoke({ by: carol, sub: alice, proofs: [line] }), [
    line,
  ])
  refuse(
    'a powerline as the root, for its own issuer',
    'InvalidClaim',
    line,
    invoke({ by: carol, sub: bob, proofs: [line] }),
    [line],
  )
  refuse(
    'a powerline as the root of a chain',
    'InvalidClaim',
    line,
    invoke({ by: dave, sub: alice, proofs: [line, c] }),
    [line, c],
  )
  const other = invoke({ by: carol, sub: dave, proofs: [a, line] })
  refuse('a powerline does not pass on what did not come', 'InvalidSubject', other, other, [a, line])
  const back = delegate({ from: carol, to: dave, sub: bob })
  refuse(
    'after a powerline the subject is still the one',
    'InvalidSubject',
    back,
    invoke({ by: dave, sub: alice, proofs: [a, line, back] }),
    [a, line, back],
  )
  const narrow = delegate({ from: bob, to: carol, sub: null, cmd: '/msg/send', pol: [['==', '.to', 'bob']] })
  refuse(
    'a powerline has a command too',
    'InvalidCommand',
    invoke({ by: carol, sub: alice, cmd: '/msg', proofs: [a, narrow] }),
    invoke({ by: carol, sub: alice, cmd: '/msg', proofs: [a, narrow] }),
    [a, narrow],
  )
  refuse(
    'a powerline has a policy too',
    'MatchError',
    narrow,
    invoke({ by: carol, sub: alice, proofs: [a, narrow] }),
    [a, narrow],
  )
  add(
    'verify_token',
    'a powerline alone verifies as no chain',
    { token: text([line]), now: NOW },
    refusal('InvalidClaim', line),
  )
  return cases
}
