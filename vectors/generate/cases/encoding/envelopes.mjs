// The envelope: two elements, one header, one payload.

import { casesOf } from '../../case.mjs'
import { encode } from '../../cbor.mjs'
import { text } from '../../container.mjs'
import { alice, bob, sign } from '../../keys.mjs'
import { delegate, invoke, NOW, tokenOf } from '../../token.mjs'

/** Too much, too little, and something else. */
export function envelopes() {
  const { cases, accept, refuse, add } = casesOf('envelope')
  const malformed = (/** @type {string} */ name, /** @type {import('../../token.mjs').Changes} */ changes) =>
    refuse(name, 'MalformedToken', undefined, invoke({ by: alice }, changes))

  accept('two elements, a header and a payload', invoke({ by: alice }))
  malformed('a third element', {
    envelope: (signature, signed) =>
      Buffer.concat([Buffer.from([0x83]), encode(signature), signed, encode(null)]),
  })
  malformed('a second signature', {
    envelope: (signature, signed) =>
      Buffer.concat([Buffer.from([0x83]), encode(signature), signed, encode(signature)]),
  })
  malformed('one element', { envelope: (_, signed) => Buffer.concat([Buffer.from([0x81]), signed]) })
  malformed('the elements the other way round', {
    envelope: (signature, signed) => Buffer.concat([Buffer.from([0x82]), signed, encode(signature)]),
  })
  malformed('no list but its second element', { envelope: (_, signed) => signed })
  malformed('a map of two', { envelope: (signature, signed) => encode({ s: signature, p: signed }) })
  malformed('a signature that is null', {
    envelope: (_, signed) => Buffer.concat([Buffer.from([0x82, 0xf6]), signed]),
  })
  malformed('a signature that is a text', {
    envelope: (signature, signed) =>
      Buffer.concat([Buffer.from([0x82]), encode(Buffer.from(signature).toString('hex')), signed]),
  })
  malformed('an extra key beside the payload', { beside: { x: null } })
  malformed('an extra key that sorts last', { beside: { 'zzzz/zzz@1.0.0-and-more': 1 } })
  malformed('a second tag', { beside: { 'ucan/dlg@1.0.0': delegate({ from: alice, to: bob }).fields } })
  malformed('a second tag of another version', {
    beside: { 'ucan/inv@1.0.0-rc.1': invoke({ by: alice }).fields },
  })
  malformed('no header', { signed: ({ tag, payload }) => encode({ [tag]: payload }) })
  malformed('no payload', { signed: ({ h }) => encode({ h }) })
  malformed('a tag that is none of UCAN', { tag: 'invocation' })
  malformed('a payload that is a list', { signed: ({ h, tag }) => encode({ h, [tag]: [] }) })
  malformed('a payload that is null', { signed: ({ h, tag }) => encode({ h, [tag]: null }) })
  malformed('a payload that is bytes', {
    signed: ({ h, tag, payload }) => encode({ h, [tag]: encode(payload) }),
  })
  malformed('the fields of an invocation under the tag of a delegation', { tag: 'ucan/dlg@1.0.0' })
  malformed('signed bytes within bytes', { envelope: (signature, signed) => encode([signature, signed]) })

  const extended = delegate(
    { from: alice, to: bob },
    {
      envelope: (signature, signed) =>
        Buffer.concat([Buffer.from([0x83]), encode(signature), signed, encode(null)]),
    },
  )
  refuse(
    'a proof with a third element',
    'MalformedToken',
    undefined,
    invoke({ by: bob, sub: alice, proofs: [extended] }),
    [extended],
  )

  const moved = invoke({ by: alice }, { signature: (signed) => sign(alice, encode(signed)) })
  refuse('a signature over the bytes as a value of their own', 'InvalidSignature', moved, moved)
  const whole = invoke({ by: alice }, { signature: () => sign(alice, encode(invoke({ by: alice }).fields)) })
  refuse('a signature over the payload alone', 'InvalidSignature', whole, whole)

  const nothing = tokenOf(Buffer.alloc(0))
  add(
    'validate_invocation',
    'a token without bytes',
    { invocation: text([nothing]), now: NOW },
    {
      valid: false,
      error: { name: 'MalformedToken' },
    },
  )
  return cases
}
