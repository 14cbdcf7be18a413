// Revocations by who issued a delegation at or above the revoked one, and by nobody else.

import { casesOf, refusal } from '../case.mjs'
import { text } from '../container.mjs'
import { alice, bob, carol, dave, koblitz, mallory } from '../keys.mjs'
import { delegate, invoke, NOW } from '../token.mjs'

/** @typedef {import('../token.mjs').Token} Token */
/** @typedef {import('../keys.mjs').Key} Key */

/**
 * An invocation of `/ucan/revoke`. Without more words: by who owns what it is about, for ever, with a link.
 *
 * @param {Key} by
 * @param {Token} target
 * @param {{ signer?: Key } & Record<string, unknown>} [more]
 */
export const revoke = (by, target, more = {}) =>
  invoke({
    by,
    cmd: '/ucan/revoke',
    args: { revoke: target.link },
    nonce: Buffer.alloc(0),
    exp: null,
    ...more,
  })

const a = delegate({ from: alice, to: bob })
const b = delegate({ from: bob, to: carol, sub: alice })
const c = delegate({ from: carol, to: dave, sub: alice })

/** alice to bob to carol to dave, and what dave does. */
export const CHAIN = [a, b, c]
export const USE = invoke({ by: dave, sub: alice, proofs: CHAIN })

/** Each level, by each of those concerned. */
export function revocations() {
  const { cases, accept, refuse, add } = casesOf('revocation')
  const revoked = (
    /** @type {string} */ name,
    /** @type {Token} */ target,
    /** @type {Token[]} */ ...tokens
  ) => refuse(name, 'Revoked', target, USE, CHAIN, { revocations: tokens.map((token) => text([token])) })
  const ignored = (/** @type {string} */ name, /** @type {Token[]} */ ...tokens) =>
    accept(name, USE, CHAIN, { revocations: tokens.map((token) => text([token])) })

  revoked('the owner revokes the root', a, revoke(alice, a))
  revoked('the owner revokes the middle', b, revoke(alice, b))
  revoked('the owner revokes the leaf', c, revoke(alice, c))
  revoked('who passed it on revokes that', b, revoke(bob, b))
  revoked('who passed it on revokes what is below', c, revoke(bob, c))
  revoked('the last to pass it on revokes that', c, revoke(carol, c))
  ignored('who passed it on does not revoke what is above', revoke(bob, a))
  ignored('the last to pass it on does not revoke the root', revoke(carol, a))
  ignored('the last to pass it on does not revoke the middle', revoke(carol, b))
  ignored('who was delegated to does not revoke that', revoke(dave, c))
  ignored('a stranger revokes nothing', revoke(mallory, a), revoke(mallory, b), revoke(mallory, c))
  ignored("a stranger does not revoke in the owner's name", revoke(alice, a, { signer: mallory }))
  ignored('what is revoked is another delegation', revoke(alice, delegate({ from: alice, to: mallory })))
  ignored('the invocation itself cannot be revoked by who did it', revoke(dave, USE))
  ignored('nothing is revoked', ...[])
  revoked('one of several takes effect', b, revoke(mallory, a), revoke(bob, b), revoke(dave, c))
  revoked('of two that take effect the upper one is named', a, revoke(carol, c), revoke(alice, a))

  revoked('by a CID as a text', b, revoke(bob, b, { args: { revoke: b.cid } }))
  revoked('by a CID as a text in base58', b, revoke(bob, b, { args: { revoke: b.base58 } }))
  revoked(
    'with the path to what is revoked',
    b,
    revoke(bob, b, { args: { revoke: b.link, path: [a.link, b.link] } }),
  )
  revoked('with a nonce', b, revoke(bob, b, { nonce: Buffer.from([1]) }))
  revoked('after the revocation itself has expired', b, revoke(bob, b, { exp: NOW - 100_000 }))
  ignored('an invocation of the command above it revokes nothing', revoke(bob, b, { cmd: '/ucan' }))
  ignored('an invocation of a command below it revokes nothing', revoke(bob, b, { cmd: '/ucan/revoke/all' }))

  const root = delegate({ from: koblitz, to: bob })
  const line = delegate({ from: bob, to: carol, sub: null })
  const use = invoke({ by: carol, sub: koblitz, proofs: [root, line] })
  refuse('an owner with a key of another type revokes', 'Revoked', root, use, [root, line], {
    revocations: [text([revoke(koblitz, root)])],
  })
  refuse('who issued a powerline revokes it', 'Revoked', line, use, [root, line], {
    revocations: [text([revoke(bob, line)])],
  })
  refuse('the owner revokes a powerline below', 'Revoked', line, use, [root, line], {
    revocations: [text([revoke(koblitz, line)])],
  })
  accept(
    'what the subject does itself needs no delegation that could be revoked',
    invoke({ by: alice, proofs: [a] }),
    [],
    { revocations: [text([revoke(alice, a)])], revoked: [a.cid] },
  )

  for (const [at, token] of CHAIN.entries()) {
    refuse(`the caller knows that delegation ${at + 1} of 3 is revoked`, 'Revoked', token, USE, CHAIN, {
      revoked: [token.cid],
    })
  }
  refuse('the caller knows it by a CID in base58', 'Revoked', b, USE, CHAIN, { revoked: [b.base58] })
  const elsewhere = delegate({ from: mallory, to: dave })
  accept('the caller knows of one elsewhere', USE, CHAIN, { revoked: [elsewhere.cid] })

  const verify = { token: text(CHAIN), now: NOW }
  add(
    'verify_token',
    'a chain without its invocation is revoked alike',
    { ...verify, revocations: [text([revoke(bob, c)])] },
    refusal('Revoked', c),
  )
  add(
    'verify_token',
    "a chain without its invocation ignores a stranger's revocation",
    { ...verify, revocations: [text([revoke(mallory, a)])] },
    { valid: true, chain: CHAIN.map(({ cid }) => ({ cid })) },
  )
  add(
    'validate_batch',
    'a revocation counts for each of a batch that it concerns',
    {
      invocations: [text([USE, ...CHAIN]), text([use, root, line])],
      now: NOW,
      revocations: [text([revoke(bob, line)])],
    },
    { results: [{ valid: true, cid: USE.cid }, refusal('Revoked', line)] },
  )

  const given = { invocation: text([USE, ...CHAIN]), now: NOW }
  for (const [name, more] of /** @type {[string, object][]} */ ([
    ['a revocation that cannot be read is a refusal of the call', { revocations: ['no token'] }],
    ['a revoked CID that is none is a refusal of the call', { revoked: ['bafy'] }],
    ['a seen CID that is none is a refusal of the call', { seen: ['bafy'] }],
    ['a field that is not known is a refusal of the call', { revocation: [] }],
  ])) {
    add('validate_invocation', name, { ...given, ...more }, { code: 'OPERATION_FAILED' })
  }
  add(
    'validate_invocation',
    'a missing invocation is a refusal of the call',
    { now: NOW },
    { code: 'OPERATION_FAILED' },
  )
  return cases
}
