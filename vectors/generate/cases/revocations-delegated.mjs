// Revocations by somebody who was given the authority to revoke this one delegation.

import { casesOf } from '../case.mjs'
import { text } from '../container.mjs'
import { bob, mallory, nist, service } from '../keys.mjs'
import { delegate, NOW } from '../token.mjs'
import { CHAIN, revoke, USE } from './revocations.mjs'

/** @typedef {import('../token.mjs').Token} Token */

/** With a proof, and with one that does not do. */
export function delegatedRevocations() {
  const { cases, accept, refuse } = casesOf('delegated revocation')
  const [, b, c] = CHAIN
  const only = (/** @type {Token} */ target) => [['==', '.revoke', target.link]]
  /** bob lets the service revoke. @param {object} [more] */
  const give = (more = {}) => delegate({ from: bob, to: service, cmd: '/ucan/revoke', pol: only(b), ...more })
  /** What the service says, on the strength of these. @param {Token[]} proofs @param {object} [more] */
  const byService = (proofs, more = {}) => revoke(service, b, { sub: bob, proofs, ...more })
  const input = (/** @type {Token[]} */ ...tokens) => ({ revocations: [text(tokens)] })
  const revoked = (
    /** @type {string} */ name,
    /** @type {Token} */ target,
    /** @type {Token[]} */ ...tokens
  ) => refuse(name, 'Revoked', target, USE, CHAIN, input(...tokens))
  const ignored = (/** @type {string} */ name, /** @type {Token[]} */ ...tokens) =>
    accept(name, USE, CHAIN, input(...tokens))

  revoked('who was allowed to revoke this one does', b, byService([give()]), give())
  const below = give({ pol: only(c) })
  revoked('what is below who allowed it', c, revoke(service, c, { sub: bob, proofs: [below] }), below)
  const past = give({ exp: NOW - 1000 })
  revoked('the time of the proof is not asked: a revocation is for ever', b, byService([past]), past)
  const future = give({ nbf: NOW + 1000 })
  revoked('nor is its start', b, byService([future]), future)
  const asText = give({ pol: [['==', '.revoke', b.cid]] })
  revoked(
    'by a CID as a text, in the policy and the arguments',
    b,
    byService([asText], { args: { revoke: b.cid } }),
    asText,
  )
  const more = give({ pol: [...only(b), ['!=', '.revoke', c.cid]] })
  revoked('a policy that says more than this', b, byService([more]), more)
  const narrower = delegate({ from: service, to: nist, sub: bob, cmd: '/ucan/revoke', pol: [] })
  revoked(
    'who was allowed to passed it on',
    b,
    revoke(nist, b, { sub: bob, proofs: [give(), narrower] }),
    give(),
    narrower,
  )
  const added = delegate({ from: service, to: nist, sub: bob, cmd: '/ucan/revoke', pol: only(b) })
  const open = give({ pol: [] })
  revoked(
    'who passed it on said which one',
    b,
    revoke(nist, b, { sub: bob, proofs: [open, added] }),
    open,
    added,
  )

  ignored('a proof without a policy', byService([open]), open)
  const another = give({ pol: only(c) })
  ignored('a proof for another delegation', byService([another]), another)
  const like = give({ pol: [['!=', '.revoke', c.link]] })
  ignored('a policy that this one only happens to fit', byService([like]), like)
  const within = give({
    pol: [
      [
        'or',
        [
          ['==', '.revoke', b.link],
          ['==', '.revoke', c.link],
        ],
      ],
    ],
  })
  ignored('a policy that leaves a choice', byService([within]), within)
  const contrary = give({ pol: [...only(b), ['==', '.why', 'lost']] })
  ignored('a policy that does not hold on the rest of the arguments', byService([contrary]), contrary)
  const message = give({ cmd: '/msg' })
  ignored('a proof of another command', byService([message]), message)
  const narrow = give({ cmd: '/ucan/revoke/all' })
  ignored('a proof of a command below', byService([narrow]), narrow)
  const forged = give({ signer: mallory })
  ignored('a proof that was not signed', byService([forged]), forged)
  ignored('a proof that is not there', byService([give()]))
  ignored('no proof', byService([]))
  ignored('a proof for somebody else', revoke(mallory, b, { sub: bob, proofs: [give()] }), give())
  const stranger = give({ from: mallory, sub: mallory })
  ignored('a proof from a stranger', revoke(service, b, { sub: mallory, proofs: [stranger] }), stranger)
  const claimed = give({ from: mallory, sub: bob })
  ignored("a proof from a stranger in another's name", byService([claimed]), claimed)
  const upper = give({ pol: only(CHAIN[0] ?? b) })
  ignored(
    'what is above who allowed it',
    revoke(service, CHAIN[0] ?? b, { sub: bob, proofs: [upper] }),
    upper,
  )
  return cases
}
