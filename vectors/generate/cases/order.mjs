// Where two rules are broken, the one that comes first is named.

import { casesOf } from '../case.mjs'
import { alice, bob, carol, dave, mallory, service } from '../keys.mjs'
import { delegate, invoke, NOW } from '../token.mjs'

/** Pairs of neighbours in the order of validation. */
export function orders() {
  const { cases, refuse } = casesOf('order')
  const a = delegate({ from: alice, to: bob })
  const past = NOW - 1000
  const wrong = { audience: service.did }

  const forged = invoke({ by: bob, sub: alice, exp: past, proofs: [a], signer: mallory })
  refuse('the signature before the expiry', 'InvalidSignature', forged, forged, [a])
  const malformed = invoke({ by: bob, sub: alice, cmd: 'msg', signer: mallory })
  refuse('the structure before the signature', 'MalformedToken', malformed, malformed, [a])
  const expired = invoke({ by: bob, sub: alice, exp: past, proofs: [a] })
  refuse('the expiry before the audience', 'Expired', expired, expired, [a], wrong)
  const self = invoke({ by: alice, exp: past })
  refuse('the expiry of what the subject does itself before the replay', 'Expired', self, self, [], {
    seen: [self.cid],
  })
  const none = invoke({ by: bob, sub: alice })
  refuse('the audience before the lack of proofs', 'InvalidAudience', none, none, [], wrong)
  const bad = delegate({ from: bob, to: carol, sub: alice, signer: mallory })
  const missing = invoke({ by: carol, sub: alice, proofs: [bad, a] })
  refuse('a proof that is not there before the signature of one that is', 'UnavailableProof', a, missing, [
    bad,
  ])

  const all = delegate({ from: alice, to: bob, exp: past, nbf: NOW + 1000, signer: mallory })
  refuse(
    "a proof's signature before its time",
    'InvalidSignature',
    all,
    invoke({ by: bob, sub: alice, proofs: [all] }),
    [all],
  )
  const never = delegate({ from: alice, to: bob, exp: past, nbf: NOW + 1000 })
  refuse(
    "a proof's end before its start",
    'Expired',
    never,
    invoke({ by: bob, sub: alice, proofs: [never] }),
    [never],
  )
  const early = delegate({ from: alice, to: bob, nbf: NOW + 1000 })
  refuse(
    "a proof's start before its revocation",
    'TooEarly',
    early,
    invoke({ by: bob, sub: alice, proofs: [early] }),
    [early],
    { revoked: [early.cid] },
  )
  refuse(
    'the first proof in all respects before the second in any',
    'Revoked',
    a,
    invoke({ by: carol, sub: alice, proofs: [a, bad] }),
    [a, bad],
    { revoked: [a.cid] },
  )
  const late = delegate({ from: bob, to: carol, sub: alice, exp: past })
  refuse(
    'the first proof that has a fault of its own',
    'Expired',
    late,
    invoke({ by: dave, sub: alice, proofs: [a, late, bad] }),
    [a, late, bad],
  )

  const line = delegate({ from: alice, to: bob, sub: null })
  refuse(
    "a later proof's time before the root's lack of a subject",
    'Expired',
    late,
    invoke({ by: carol, sub: alice, proofs: [line, late] }),
    [line, late],
  )
  const stolen = delegate({ from: mallory, to: bob, sub: alice })
  const gap = delegate({ from: carol, to: dave, sub: alice })
  refuse(
    "the root's subject before the links",
    'InvalidSubject',
    stolen,
    invoke({ by: dave, sub: alice, proofs: [stolen, gap] }),
    [stolen, gap],
  )
  const astray = delegate({ from: carol, to: dave, sub: mallory, cmd: '/' })
  refuse(
    "a link's audience before its subject and command",
    'InvalidAudience',
    astray,
    invoke({ by: dave, sub: alice, proofs: [a, astray] }),
    [a, astray],
  )
  const wide = delegate({ from: bob, to: carol, sub: mallory, cmd: '/' })
  refuse(
    "a link's subject before its command",
    'InvalidSubject',
    wide,
    invoke({ by: carol, sub: alice, proofs: [a, wide] }),
    [a, wide],
  )
  const wider = delegate({ from: bob, to: carol, sub: alice, cmd: '/' })
  const after = delegate({ from: bob, to: dave, sub: alice })
  refuse(
    'an upper link in all respects before a lower one in any',
    'InvalidCommand',
    wider,
    invoke({ by: dave, sub: alice, proofs: [a, wider, after] }),
    [a, wider, after],
  )
  const strict = delegate({ from: alice, to: bob, pol: [['==', '.a', 1]] })
  const other = invoke({ by: bob, sub: alice, cmd: '/other', proofs: [strict] })
  refuse('every command before any policy', 'InvalidCommand', other, other, [strict])
  const refused = invoke({ by: bob, sub: alice, proofs: [strict] })
  refuse('the policies before the replay', 'MatchError', strict, refused, [strict], { seen: [refused.cid] })
  return cases
}
