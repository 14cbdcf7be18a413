// Several invocations in one call: each is answered as it would be alone, in their order.

import { casesOf, holding, refusal } from '../case.mjs'
import { text } from '../container.mjs'
import { alice, bob, carol, koblitz, mallory, nist, service } from '../keys.mjs'
import { delegate, invoke, NOW } from '../token.mjs'

/** @typedef {import('../token.mjs').Token} Token */

/** Order, replay within a batch, and common checks. */
export function batches() {
  const { cases, add } = casesOf('batch')
  const root = delegate({ from: alice, to: bob })
  const own = (/** @type {number} */ n) => invoke({ by: alice, args: { n } })
  const batch = (
    /** @type {string} */ name,
    /** @type {string[]} */ invocations,
    /** @type {object[]} */ results,
    /** @type {object} */ input = {},
  ) => add('validate_batch', name, { invocations, now: NOW, ...input }, { results })
  const given = (/** @type {Token[]} */ ...tokens) => text(tokens)

  batch('no invocation', [], [])
  batch('one invocation', [given(own(1))], [holding(own(1), [])])
  const many = Array.from({ length: 9 }, (_, n) => own(n))
  batch(
    'nine by one key',
    many.map((token) => given(token)),
    many.map((token) => holding(token, [])),
  )
  const forged = invoke({ by: alice, args: { n: 4 }, signer: mallory })
  const mixed = many.with(4, forged)
  batch(
    'one of nine is forged, and the others are not',
    mixed.map((token) => given(token)),
    mixed.map((token) => (token === forged ? refusal('InvalidSignature', forged) : holding(token, []))),
  )
  const kinds = [invoke({ by: nist }), own(1), invoke({ by: koblitz }), own(2)]
  batch(
    'three algorithms',
    kinds.map((token) => given(token)),
    kinds.map((token) => holding(token, [])),
  )

  batch(
    'the second of two alike is a replay',
    [given(own(1)), given(own(2)), given(own(1))],
    [holding(own(1), []), holding(own(2), []), refusal('Replayed', own(1))],
  )
  const use = invoke({ by: bob, sub: alice, proofs: [root] })
  batch(
    'the second of two alike in other encodings is a replay',
    [given(use, root), text([use], 'B')],
    [holding(use, [root]), refusal('Replayed', use)],
    { proofs: [given(root)] },
  )
  const late = invoke({ by: alice, exp: NOW - 1000 })
  batch(
    'the second of two that do not hold is no replay',
    [given(late), given(late)],
    [refusal('Expired', late), refusal('Expired', late)],
  )
  batch(
    'what was seen before counts for each',
    [given(own(1)), given(own(2))],
    [refusal('Replayed', own(1)), holding(own(2), [])],
    { seen: [own(1).cid] },
  )

  const link = delegate({ from: bob, to: carol, sub: alice })
  const below = invoke({ by: carol, sub: alice, proofs: [root, link] })
  batch(
    'proofs count for each',
    [given(use), given(below)],
    [holding(use, [root]), holding(below, [root, link])],
    { proofs: [given(root, link)] },
  )
  batch(
    'what is revoked counts for each',
    [given(use, root), given(own(1)), given(below, root, link)],
    [holding(use, [root]), holding(own(1), []), refusal('Revoked', link)],
    { revoked: [link.cid] },
  )
  const toService = invoke({ by: bob, sub: alice, aud: service, proofs: [root] })
  batch(
    'the audience counts for each',
    [given(use, root), given(toService, root)],
    [refusal('InvalidAudience', use), holding(toService, [root])],
    { audience: service.did },
  )
  batch(
    'one that cannot be read spoils no other',
    [given(own(1)), 'no token', given(own(2))],
    [holding(own(1), []), refusal('MalformedToken'), holding(own(2), [])],
  )
  const old = invoke({ by: alice }, { tag: 'ucan/inv@1.0.0-rc.1' })
  batch(
    'one of another version spoils no other',
    [given(old), given(own(1))],
    [refusal('UnsupportedVersion', old), holding(own(1), [])],
  )
  batch(
    "another's proofs are not at hand",
    [given(use, root), given(invoke({ by: bob, sub: alice, proofs: [root], nonce: Buffer.from([1]) }))],
    [holding(use, [root]), refusal('UnavailableProof', root)],
  )
  return cases
}
