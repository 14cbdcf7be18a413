// Each bound at its last second and the one past it, with each skew.

import { casesOf, refusal } from '../case.mjs'
import { text } from '../container.mjs'
import { alice, bob, carol } from '../keys.mjs'
import { delegate, invoke, NOW } from '../token.mjs'

/** The skew, as input, and in seconds. @type {[{ skew?: number }, number, string][]} */
const SKEWS = [
  [{ skew: 0 }, 0, 'without skew'],
  [{}, 60, 'with the default skew'],
  [{ skew: 5 }, 5, 'with a skew of 5'],
]

/** Expiry and start, of invocations and of proofs at each place. */
export function times() {
  const { cases, accept, refuse, add } = casesOf('time')
  const invocation = invoke({ by: alice, exp: NOW })
  const ending = delegate({ from: alice, to: bob, exp: NOW })
  const starting = delegate({ from: alice, to: bob, nbf: NOW })
  const use = (/** @type {import('../token.mjs').Token} */ root) =>
    invoke({ by: bob, sub: alice, exp: null, proofs: [root] })
  for (const [input, skew, words] of SKEWS) {
    for (const [offset, holds] of /** @type {const} */ ([
      [-1, true],
      [0, true],
      [1, false],
    ])) {
      const when =
        offset === 0 ? 'at its last second' : offset < 0 ? 'a second before its end' : 'a second past its end'
      const now = NOW + skew + offset
      if (holds)
        accept(`an invocation ${when}, ${words}`, invocation, [], { now, ...input }, { expires_at: NOW })
      else refuse(`an invocation ${when}, ${words}`, 'Expired', invocation, invocation, [], { now, ...input })
      if (holds) accept(`a proof ${when}, ${words}`, use(ending), [ending], { now, ...input })
      else refuse(`a proof ${when}, ${words}`, 'Expired', ending, use(ending), [ending], { now, ...input })
      const start =
        offset === 0
          ? 'at its first second'
          : offset < 0
            ? 'a second past its start'
            : 'a second before its start'
      const begins = NOW - skew - offset
      if (holds) accept(`a proof ${start}, ${words}`, use(starting), [starting], { now: begins, ...input })
      else
        refuse(`a proof ${start}, ${words}`, 'TooEarly', starting, use(starting), [starting], {
          now: begins,
          ...input,
        })
      const answer = holds
        ? { valid: true, chain: [{ cid: ending.cid, expires_at: NOW }] }
        : refusal('Expired', ending)
      add(
        'verify_token',
        `a delegation ${when}, ${words}, is verified alike`,
        { token: text([ending]), now, ...input },
        answer,
      )
    }
  }

  const [a, b] = [
    delegate({ from: alice, to: bob, exp: NOW + 10 }),
    delegate({ from: bob, to: carol, sub: alice, exp: NOW + 1000 }),
  ]
  const longer = invoke({ by: carol, sub: alice, proofs: [a, b], exp: NOW + 5000 })
  accept('bounds need not nest', longer, [a, b], { skew: 0 }, { expires_at: NOW + 5000 })
  refuse('all bounds hold at the moment of use', 'Expired', a, longer, [a, b], { now: NOW + 11, skew: 0 })
  refuse(
    'a bound in the middle of the chain is asked too',
    'Expired',
    b,
    invoke({ by: carol, sub: alice, proofs: [starting, b], exp: null }),
    [starting, b],
    { now: NOW + 1001, skew: 0 },
  )
  const late = delegate({ from: bob, to: carol, sub: alice, nbf: NOW + 1 })
  refuse(
    'a start in the middle of the chain is asked too',
    'TooEarly',
    late,
    invoke({ by: carol, sub: alice, proofs: [starting, late] }),
    [starting, late],
    { skew: 0 },
  )
  const empty = delegate({ from: alice, to: bob, nbf: NOW + 10, exp: NOW - 10 })
  refuse('a delegation that starts after its end is never good', 'Expired', empty, use(empty), [empty], {
    skew: 0,
  })
  const ancient = invoke({ by: alice, exp: -9_007_199_254_740_991 })
  refuse('an end before 1970', 'Expired', ancient, ancient)
  accept('a moment before 1970', invoke({ by: alice, exp: -5 }), [], { now: -5, skew: 0 }, { expires_at: -5 })
  const last = invoke({ by: alice, exp: 9_007_199_254_740_991 })
  accept('the largest skew at the latest moment', last, [], {
    now: 9_007_199_254_740_991,
    skew: 4_294_967_295,
  })
  return cases
}
