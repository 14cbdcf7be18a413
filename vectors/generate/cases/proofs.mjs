// Proofs: named by CID, root first, and found by what they hash to.

import { casesOf } from '../case.mjs'
import { text } from '../container.mjs'
import { alice, bob, carol, dave, mallory } from '../keys.mjs'
import { delegate, invoke, tokenOf } from '../token.mjs'

/** Found, not found, and found wanting. */
export function proofs() {
  const { cases, accept, refuse } = casesOf('proof')
  const a = delegate({ from: alice, to: bob })
  const b = delegate({ from: bob, to: carol, sub: alice })
  const one = invoke({ by: bob, sub: alice, proofs: [a] })
  const two = invoke({ by: carol, sub: alice, proofs: [a, b] })
  accept('a proof beside the invocation', one, [a])
  accept('a proof in a text of its own', one, [a], { invocation: text([one]), proofs: [text([a])] })
  accept('a proof as a bare token', one, [a], {
    invocation: text([one]),
    proofs: [a.bytes.toString('base64url')],
  })
  accept('proofs in two texts', two, [a, b], { invocation: text([two]), proofs: [text([b]), text([a])] })
  accept('one proof beside the invocation and one in a text', two, [a, b], {
    invocation: text([two, b]),
    proofs: [text([a])],
  })
  accept('a proof that is there twice', two, [a, b], {
    invocation: text([two, a, b]),
    proofs: [text([a, b])],
  })

  const none = invoke({ by: bob, sub: alice })
  refuse('no proof', 'InvalidClaim', none, none)
  refuse('a proof that is there and not named', 'InvalidClaim', none, none, [a])
  refuse('a proof that is not there', 'UnavailableProof', a, one)
  refuse('the first of two proofs is not there', 'UnavailableProof', a, two, [b])
  refuse('the second of two proofs is not there', 'UnavailableProof', b, two, [a])
  const again = delegate({ from: alice, to: bob, nonce: Buffer.from([1]) })
  refuse('another delegation that would do in the place of the one named', 'UnavailableProof', a, one, [
    again,
  ])
  const changed = Buffer.from(a.bytes)
  changed[10] ^= 1
  refuse('the proof with one bit of its signature changed', 'UnavailableProof', a, one, [tokenOf(changed)])
  refuse('the proof with one bit changed in a text of its own', 'UnavailableProof', a, one, [], {
    proofs: [text([tokenOf(changed)])],
  })

  const reversed = invoke({ by: carol, sub: alice, proofs: [b, a] })
  refuse('proofs in the order of the leaf first', 'InvalidSubject', b, reversed, [b, a])
  const twice = invoke({ by: bob, sub: alice, proofs: [a, a] })
  refuse('a proof named twice', 'InvalidAudience', a, twice, [a])
  const c = delegate({ from: carol, to: dave, sub: alice })
  refuse(
    'a chain with a link left out',
    'InvalidAudience',
    c,
    invoke({ by: dave, sub: alice, proofs: [a, c] }),
    [a, c],
  )
  const last = invoke({ by: carol, sub: alice, proofs: [a] })
  refuse('a chain with its last link left out', 'InvalidAudience', last, last, [a])

  const forged = delegate({ from: alice, to: bob, signer: mallory })
  refuse(
    'a root that its issuer did not sign',
    'InvalidSignature',
    forged,
    invoke({ by: bob, sub: alice, proofs: [forged] }),
    [forged],
  )
  const forgedLink = delegate({ from: bob, to: carol, sub: alice, signer: mallory })
  refuse(
    'a link that its issuer did not sign',
    'InvalidSignature',
    forgedLink,
    invoke({ by: carol, sub: alice, proofs: [a, forgedLink] }),
    [a, forgedLink],
  )

  const spent = delegate({ from: bob, to: dave, sub: alice, exp: 0 })
  accept('a delegation beside that is not named and would not hold', one, [a], {
    invocation: text([one, a, spent, forged]),
  })
  const own = invoke({ by: alice, proofs: [a, b] })
  accept('the subject itself needs none of the proofs that it names', own)
  refuse('a text with two invocations', 'MalformedToken', undefined, one, [], {
    invocation: text([one, two, a, b]),
  })
  refuse('a text without an invocation', 'MalformedToken', undefined, one, [], { invocation: text([a]) })
  refuse('a text with nothing in it', 'MalformedToken', undefined, one, [], { invocation: text([]) })
  refuse('an invocation that cannot be read', 'MalformedToken', undefined, one, [], {
    invocation: 'no token',
  })
  refuse('a proof that cannot be read', 'MalformedToken', undefined, one, [a], { proofs: ['no token'] })
  return cases
}
