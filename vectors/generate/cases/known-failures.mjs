// What other implementations were found to get wrong: each of these must be refused.

import { casesOf, holding, refusal } from '../case.mjs'
import { encode } from '../cbor.mjs'
import { text } from '../container.mjs'
import { alice, bob, carol, mallory } from '../keys.mjs'
import { delegate, invoke, NOW } from '../token.mjs'

/** One or more cases for each failure. */
export function knownFailures() {
  const { cases, refuse, add } = casesOf('known failure')
  const crypto = delegate({ from: alice, to: bob, cmd: '/crypto' })
  const currency = invoke({ by: bob, sub: alice, cmd: '/cryptocurrency', proofs: [crypto] })
  refuse('commands compared as strings', 'InvalidCommand', currency, currency, [crypto])

  const refuseWith = (
    /** @type {string} */ name,
    /** @type {string} */ error,
    /** @type {unknown[]} */ pol,
    /** @type {object} */ args,
  ) => {
    const root = delegate({ from: alice, to: bob, pol })
    refuse(name, error, root, invoke({ by: bob, sub: alice, args, proofs: [root] }), [root])
  }
  const dropped = 'a part of a selector that is not known dropped'
  refuseWith(dropped, 'MalformedToken', [['==', '.to{name}', 'bob']], { to: 'bob' })
  refuseWith('a wildcard in a selector dropped', 'MalformedToken', [['==', '.list[*]', [1]]], { list: [1] })
  const unknown = [['not', ['matches', '.a', 'x']]]
  refuseWith('not of an unknown operator is true', 'MalformedToken', unknown, { a: 'x' })

  const eight = [['like', '.a', '*a*a*a*a*a*a*a*a*b']]
  refuseWith('eight stars against 60 letters take minutes', 'MatchError', eight, { a: 'a'.repeat(60) })
  const letters = 'a'.repeat(50_000)
  const root = delegate({ from: alice, to: bob, pol: [['like', '.a', `${'*a'.repeat(1000)}*b`]] })
  const use = invoke({ by: bob, sub: alice, args: { a: letters }, proofs: [root] })
  refuse('a thousand stars against 50,000 letters take for ever', 'MatchError', root, use, [root], {
    invocation: text([use, root], 'P'),
  })
  const crossing = [['like', '.a', `${'*ab'.repeat(100)}*c`]]
  refuseWith('a hundred parts that nearly fit take minutes', 'MatchError', crossing, { a: 'ab'.repeat(3000) })

  const named = delegate({ from: alice, to: bob, cmd: '/msg/read' })
  const handed = delegate({ from: alice, to: bob, cmd: '/' })
  const escalated = invoke({ by: bob, sub: alice, proofs: [named] })
  refuse('another token than the CID asked for is taken', 'UnavailableProof', named, escalated, [], {
    proofs: [text([handed])],
  })

  const once = invoke({ by: alice })
  add(
    'validate_batch',
    'the same invocation twice',
    { invocations: [text([once]), text([once])], now: NOW },
    { results: [holding(once, []), refusal('Replayed', once)] },
  )
  refuse(
    'a third element of the envelope',
    'MalformedToken',
    undefined,
    invoke(
      { by: alice },
      {
        envelope: (signature, signed) =>
          Buffer.concat([Buffer.from([0x83]), encode(signature), signed, encode({})]),
      },
    ),
  )
  refuse(
    'an extra key beside the payload, and signed',
    'MalformedToken',
    undefined,
    invoke({ by: alice }, { beside: { extra: true } }),
  )
  const unsigned = delegate(
    { from: alice, to: bob },
    {
      envelope: (signature, signed) =>
        Buffer.concat([Buffer.from([0x83]), encode(signature), signed, encode('unsigned')]),
    },
  )
  refuse(
    'a third element of a proof, which changes its CID',
    'MalformedToken',
    undefined,
    invoke({ by: bob, sub: alice, proofs: [unsigned] }),
    [unsigned],
  )
  const start = invoke({ by: alice, nbf: NOW + 1000 })
  refuse('the start of an invocation, which has none, ignored', 'MalformedToken', start, start)

  const leaf = delegate({ from: bob, to: carol, sub: alice })
  for (const [parent, error, words] of /** @type {const} */ ([
    [delegate({ from: alice, to: bob, signer: mallory }), 'InvalidSignature', 'who signed it'],
    [delegate({ from: alice, to: bob, exp: NOW - 1000 }), 'Expired', 'whether it has expired'],
    [delegate({ from: mallory, to: bob, sub: alice }), 'InvalidSubject', 'whose it is'],
    [delegate({ from: alice, to: bob, pol: [['==', '.never', true]] }), 'MatchError', 'what it allows'],
  ])) {
    refuse(
      `a parent taken without looking at ${words}`,
      error,
      parent,
      invoke({ by: carol, sub: alice, proofs: [parent, leaf] }),
      [parent, leaf],
    )
  }
  const broken = delegate({ from: alice, to: bob, pol: [['==', 'to', 'bob']] })
  refuse(
    'a parent taken without reading it',
    'MalformedToken',
    broken,
    invoke({ by: carol, sub: alice, proofs: [broken, leaf] }),
    [broken, leaf],
  )
  return cases
}
