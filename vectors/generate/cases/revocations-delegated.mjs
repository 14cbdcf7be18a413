// Revocations by somebody who was given the authority to revoke this one delegation.

import { casesOf, refusal } from '../case.mjs'
import { text } from '../container.mjs'
import { alice, bob, carol, mallory, nist, service } from '../keys.mjs'
import { delegate, invoke, NOW } from '../token.mjs'
import { CHAIN, revoke, USE } from './revocations.mjs'

/** @typedef {import('../token.mjs').Token} Token */

/** With a proof, and with one that does not do. */
export function delegatedRevocations() {
  const { cases, accept, refuse, add } = casesOf('delegated revocation')
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
  const everything = give({ cmd: '/', pol: [] })
  const byHolder = (/** @type {Token} */ root) => revoke(nist, b, { sub: bob, proofs: [root, added] })
  revoked('who passed it on said again which one', b, byHolder(give()), give(), added)
  ignored('only who passed it on said which one', byHolder(open), open, added)
  ignored(
    'only who passed on permission for everything said which one',
    byHolder(everything),
    everything,
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

  // Nobody is asked for this one's document here.
  const web = { ...service, did: 'did:web:service.example' }
  const unknown = (
    /** @type {string} */ name,
    /** @type {Token} */ target,
    /** @type {Token[]} */ ...tokens
  ) => refuse(name, 'RevocationUnknown', target, USE, CHAIN, input(...tokens))
  const byWeb = (/** @type {Token[]} */ proofs, more = {}) => revoke(web, b, { sub: bob, proofs, ...more })
  const toWeb = give({ to: web })
  unknown('by who was allowed to and cannot be looked up', b, byWeb([toWeb]), toWeb)
  const fromWeb = delegate({ from: web, to: nist, sub: bob, cmd: '/ucan/revoke', pol: [] })
  unknown(
    'by who was allowed to by somebody who cannot be looked up',
    b,
    revoke(nist, b, { sub: bob, proofs: [toWeb, fromWeb] }),
    toWeb,
    fromWeb,
  )
  unknown('by an issuer of the chain, without its proof', b, revoke(bob, b, { sub: alice, proofs: [toWeb] }))
  unknown(
    'by an issuer of the chain for somebody else, without its proof',
    b,
    revoke(bob, b, { sub: service, proofs: [toWeb] }),
  )
  refuse('one that cannot be told beside one that can', 'Revoked', b, USE, CHAIN, {
    revocations: [text([byWeb([toWeb]), toWeb]), text([revoke(bob, b)])],
  })
  refuse(
    'one that cannot be told about the middle beside one about the leaf',
    'RevocationUnknown',
    b,
    USE,
    CHAIN,
    {
      revocations: [text([revoke(carol, c)]), text([byWeb([toWeb]), toWeb])],
    },
  )
  ignored('nobody allowed it to who cannot be looked up', byWeb([]))
  ignored('who cannot be looked up names a proof that is not there', byWeb([toWeb]))
  const forgedToWeb = give({ to: web, signer: mallory })
  ignored('a forged proof for who cannot be looked up', byWeb([forgedToWeb]), forgedToWeb)
  const openToWeb = give({ to: web, pol: [] })
  ignored('a proof without a policy for who cannot be looked up', byWeb([openToWeb]), openToWeb)
  const strangersWeb = give({ from: mallory, sub: mallory, to: web })
  ignored(
    'a proof from a stranger for who cannot be looked up',
    byWeb([strangersWeb], { sub: mallory }),
    strangersWeb,
  )
  const contraryWeb = give({ to: web, pol: [...only(b), ['==', '.why', 'lost']] })
  ignored('a policy that does not hold, for who cannot be looked up', byWeb([contraryWeb]), contraryWeb)
  const stray = { ...mallory, did: 'did:web:stray.example' }
  ignored('a stranger who cannot be looked up revokes nothing', revoke(stray, b))
  ignored(
    'a stranger who cannot be looked up, in the name of an issuer',
    revoke(stray, b, { sub: bob, proofs: [toWeb] }),
    toWeb,
  )
  ignored(
    'what an issuer of the chain did not sign, without its proof',
    revoke(bob, b, { sub: alice, proofs: [toWeb], signer: mallory }),
  )
  const elsewhere = delegate({ from: bob, to: mallory, sub: alice })
  const forElsewhere = give({ to: web, pol: only(elsewhere) })
  ignored(
    'by who cannot be looked up, of another delegation',
    revoke(web, elsewhere, { sub: bob, proofs: [forElsewhere] }),
    forElsewhere,
  )
  add(
    'verify_token',
    'a chain of which it cannot be told is refused',
    { token: text(CHAIN), now: NOW, ...input(byWeb([toWeb]), toWeb) },
    refusal('RevocationUnknown', b),
  )
  add(
    'validate_batch',
    'one that cannot be told refuses those that it concerns',
    {
      invocations: [text([USE, ...CHAIN]), text([invoke({ by: alice })])],
      now: NOW,
      ...input(byWeb([toWeb]), toWeb),
    },
    { results: [refusal('RevocationUnknown', b), { valid: true }] },
  )
  return cases
}
