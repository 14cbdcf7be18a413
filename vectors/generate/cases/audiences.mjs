// To whom: each link to the next issuer, and the invocation to the verifier.

import { casesOf } from '../case.mjs'
import { alice, bob, carol, dave, mallory, nist, service } from '../keys.mjs'
import { delegate, invoke } from '../token.mjs'

/** Links, and the verifier. */
export function audiences() {
  const { cases, accept, refuse } = casesOf('audience')
  const a = delegate({ from: alice, to: bob })
  const b = delegate({ from: carol, to: dave, sub: alice })
  refuse(
    'a link by another than it was delegated to',
    'InvalidAudience',
    b,
    invoke({ by: dave, sub: alice, proofs: [a, b] }),
    [a, b],
  )
  const taken = invoke({ by: mallory, sub: alice, proofs: [a] })
  refuse('an invocation by another than it was delegated to', 'InvalidAudience', taken, taken, [a])
  const web = delegate({ from: alice, to: 'did:web:bob.example' })
  const byBob = invoke({ by: bob, sub: alice, proofs: [web] })
  refuse('an invocation by a key, where a name was delegated to', 'InvalidAudience', byBob, byBob, [web])

  const toService = invoke({ by: bob, sub: alice, aud: service, proofs: [a] })
  const toSubject = invoke({ by: bob, sub: alice, proofs: [a] })
  accept('the verifier is the audience', toService, [a], { audience: service.did })
  accept('without a verifier any audience will do', toService, [a])
  refuse('the verifier is another than the audience', 'InvalidAudience', toService, toService, [a], {
    audience: dave.did,
  })
  refuse('the subject is not the audience where one is named', 'InvalidAudience', toService, toService, [a], {
    audience: alice.did,
  })
  accept('the subject is the audience where none is named', toSubject, [a], { audience: alice.did })
  refuse('the issuer is not the audience', 'InvalidAudience', toSubject, toSubject, [a], {
    audience: bob.did,
  })
  const self = invoke({ by: alice })
  accept('of what the subject does itself, it is the audience', self, [], { audience: alice.did })
  refuse('of what the subject does itself, another is not the audience', 'InvalidAudience', self, self, [], {
    audience: service.did,
  })
  const named = invoke({ by: bob, sub: alice, aud: 'did:web:service.example', proofs: [a] })
  accept('the verifier is a name', named, [a], { audience: 'did:web:service.example' })
  refuse('the verifier is a longer name', 'InvalidAudience', named, named, [a], {
    audience: 'did:web:service.example.com',
  })
  const other = invoke({ by: alice, aud: nist })
  accept('the verifier has a key of another type', other, [], { audience: nist.did })
  return cases
}
