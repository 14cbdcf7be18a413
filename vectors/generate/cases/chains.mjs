// Chains without an invocation: what verify_token finds among delegations in any order.

import { casesOf, refusal } from '../case.mjs'
import { text } from '../container.mjs'
import { alice, bob, carol, dave, mallory } from '../keys.mjs'
import { delegate, invoke, NOW } from '../token.mjs'

/** @typedef {import('../token.mjs').Token} Token */

/** Leaves, paths, and what really holds. */
export function chains() {
  const { cases, add } = casesOf('chain')
  const verify = (
    /** @type {string} */ name,
    /** @type {Token[]} */ tokens,
    /** @type {object} */ expect,
    /** @type {object} */ input = {},
  ) => add('verify_token', name, { token: text(tokens), now: NOW, ...input }, expect)
  const holds = (/** @type {Token[]} */ ...tokens) => ({
    valid: true,
    chain: tokens.map(({ cid }) => ({ cid })),
  })

  const a = delegate({ from: alice, to: bob, pol: [['<', '.amount', 100]], exp: NOW + 500, nbf: NOW - 10 })
  const b = delegate({ from: bob, to: carol, sub: alice, cmd: '/msg/send', exp: NOW + 100, nbf: NOW - 30 })
  const c = delegate({
    from: carol,
    to: dave,
    sub: alice,
    cmd: '/msg/send',
    pol: [
      ['==', '.to', 'x'],
      ['<', '.amount', 100],
    ],
  })
  verify('the chain is found, root first', [a, b, c], holds(a, b, c))
  verify('what holds is every limit along it', [a, b, c], {
    valid: true,
    effective: {
      command: '/msg/send',
      policy: [
        ['<', '.amount', 100],
        ['==', '.to', 'x'],
      ],
      not_before: NOW - 10,
      expires_at: NOW + 100,
    },
  })
  verify('the leaf may be one of the middle', [a, b, c], holds(a, b), { leaf: b.cid })
  verify('the leaf may be named in base58', [a, b, c], holds(a), { leaf: a.base58 })
  const absent = delegate({ from: mallory, to: dave })
  verify('a leaf that is not there', [a, b], refusal('UnavailableProof', absent), { leaf: absent.cid })

  const right = delegate({ from: bob, to: dave, sub: alice })
  verify('two leaves are ambiguous', [a, b, right], refusal('MalformedToken'))
  verify('two leaves are not ambiguous where one is named', [a, b, right], holds(a, right), {
    leaf: right.cid,
  })
  const double = delegate({ from: alice, to: bob })
  verify('two paths to one leaf are ambiguous', [a, double, b], refusal('MalformedToken'))
  verify(
    'two paths to one leaf are ambiguous though the leaf is named',
    [a, double, b],
    refusal('MalformedToken'),
    { leaf: b.cid },
  )
  const spent = delegate({ from: alice, to: bob, exp: NOW - 1000 })
  verify('a second path that has expired does no harm', [a, spent, b], holds(a, b))
  const forged = delegate({ from: alice, to: bob, signer: mallory })
  verify('a second path that is forged does no harm', [a, forged, b], holds(a, b))
  const [x, y] = [
    delegate({ from: bob, to: carol, sub: alice }),
    delegate({ from: carol, to: bob, sub: alice }),
  ]
  verify('a circle has no leaf', [x, y], refusal('MalformedToken'))

  const gap = delegate({ from: carol, to: dave, sub: alice })
  verify('a chain without its root', [b], refusal('InvalidSubject', b))
  verify('a link that hangs in the air', [a, gap], refusal('InvalidAudience', gap))
  const wide = delegate({ from: bob, to: carol, sub: alice, cmd: '/' })
  verify('a link that escalates', [a, wide], refusal('InvalidCommand', wide))
  const other = delegate({ from: bob, to: carol, sub: mallory })
  verify('a link about another subject', [a, other], refusal('InvalidSubject', other))
  const invocation = invoke({ by: alice })
  verify('an invocation is no chain', [invocation], refusal('MalformedToken', invocation))
  verify(
    'an invocation in a chain is refused, whatever it is',
    [a, invocation],
    refusal('MalformedToken', invocation),
  )
  verify('no delegation', [], refusal('MalformedToken'))
  verify('a revoked link', [a, b, c], refusal('Revoked', b), { revoked: [b.cid] })
  return cases
}
