// The fields of a payload: required, optional, of one type, and no others.

import { casesOf } from '../../case.mjs'
import { float, Link, raw } from '../../cbor.mjs'
import { alice, bob } from '../../keys.mjs'
import { delegate, invoke, NOW } from '../../token.mjs'

const multihash = (/** @type {string} */ hex) => new Link(Buffer.from(hex, 'hex'))
const FAR = 9_007_199_254_740_991

const REQUIRED = {
  dlg: ['iss', 'aud', 'sub', 'cmd', 'pol', 'nonce', 'exp'],
  inv: ['iss', 'sub', 'cmd', 'args', 'prf', 'nonce', 'exp'],
}

/** @type {[string, unknown, string][]} */
const BOTH = [
  ['iss', null, 'null'],
  ['iss', 'alice', 'no DID'],
  ['iss', 'did:key:', 'a DID without an identifier'],
  ['iss', 'did:KEY:zAAAA', 'a DID whose method is in capitals'],
  ['iss', Buffer.from('did:key:z'), 'bytes'],
  ['sub', 'did:', 'no DID'],
  ['sub', 1, 'a number'],
  ['nonce', 'abc', 'a text'],
  ['nonce', null, 'null'],
  ['exp', float(1_800_000_000), 'a float'],
  ['exp', '1800000000', 'a text'],
  ['exp', true, 'a boolean'],
  ['exp', FAR + 1, '2^53'],
  ['exp', -FAR - 1, '-2^53'],
  ['meta', null, 'null'],
  ['meta', [], 'a list'],
  ['x', 1, 'unknown'],
  ['proof', [], 'unknown'],
]

/** @type {[string, unknown, string][]} */
const OF_DELEGATIONS = [
  ['aud', null, 'null'],
  ['aud', '', 'empty'],
  ['nbf', null, 'null'],
  ['nbf', float(1), 'a float'],
  ['nbf', FAR + 1, '2^53'],
  ['prf', [], 'of invocations alone'],
  ['args', {}, 'of invocations alone'],
  ['iat', NOW, 'of invocations alone'],
]

/** @type {[string, unknown, string][]} */
const OF_INVOCATIONS = [
  ['sub', null, 'null'],
  ['aud', null, 'null'],
  ['aud', 1, 'a number'],
  ['args', null, 'null'],
  ['args', [], 'a list'],
  ['prf', null, 'null'],
  ['prf', {}, 'a map'],
  ['prf', ['bafyreigyftnzjf4rcu7glp5kfop53vqlopc3zcldauoqdxqlz7t4343gr4'], 'a CID as a text'],
  ['prf', [multihash(`01551220${'00'.repeat(32)}`)], 'a link to raw bytes'],
  ['prf', [multihash(`1220${'00'.repeat(32)}`)], 'a link of version 0'],
  ['prf', [multihash(`01711340${'00'.repeat(64)}`)], 'a link by SHA-512'],
  ['iat', null, 'null'],
  ['iat', float(1), 'a float'],
  ['cause', null, 'null'],
  ['cause', 'bafy', 'a text'],
  ['nbf', 1, 'of delegations alone'],
  ['pol', [], 'of delegations alone'],
]

/** One field changed in a token that is good without. */
export function fields() {
  const { cases, accept, refuse } = casesOf('field')
  const inInvocation = (/** @type {string} */ name, /** @type {object} */ change) => {
    const token = invoke({ by: alice, ...change })
    refuse(name, 'MalformedToken', token, token)
  }
  const inDelegation = (/** @type {string} */ name, /** @type {object} */ change) => {
    const root = delegate({ from: alice, to: bob, ...change })
    refuse(name, 'MalformedToken', root, invoke({ by: bob, sub: alice, proofs: [root] }), [root])
  }
  for (const name of REQUIRED.inv) inInvocation(`an invocation without ${name}`, without(name))
  for (const name of REQUIRED.dlg) inDelegation(`a delegation without ${name}`, without(name))
  for (const [name, value, words] of [...BOTH, ...OF_INVOCATIONS]) {
    inInvocation(`an invocation whose ${name} is ${words}`, { [name]: value })
  }
  for (const [name, value, words] of [...BOTH, ...OF_DELEGATIONS]) {
    inDelegation(`a delegation whose ${name} is ${words}`, { [name]: value })
  }

  const root = delegate({ from: alice, to: bob, nbf: NOW, meta: { note: raw('f6') } })
  accept('every optional field of a delegation', invoke({ by: bob, sub: alice, proofs: [root] }), [root])
  const cause = multihash(`01711220${'22'.repeat(32)}`)
  accept(
    'every optional field of an invocation',
    invoke({ by: alice, aud: bob, iat: NOW, cause, meta: { a: [] } }),
  )
  accept('a nonce without bytes', invoke({ by: alice, nonce: Buffer.alloc(0) }))
  accept('a meta without entries', invoke({ by: alice, meta: {} }))
  accept('an invocation made later than now', invoke({ by: alice, iat: NOW + 10_000 }))
  accept('the latest moment', invoke({ by: alice, exp: FAR }), [], {}, { expires_at: FAR })
  accept('no end', invoke({ by: alice, exp: null }), [], {}, { expires_at: null })
  accept('an audience of another method than key', invoke({ by: alice, aud: 'did:web:service.example' }))
  const first = invoke({ by: alice, args: { to: 'bob' }, nonce: Buffer.from([1]) })
  accept(
    'the answer names what was done to whom',
    first,
    [],
    {},
    {
      command: '/msg/send',
      args: { to: 'bob' },
      subject: alice.did,
      issuer: alice.did,
      expires_at: NOW + 300,
    },
  )
  accept(
    'a receipt is an invocation',
    invoke({
      by: alice,
      cmd: '/ucan/assert',
      exp: null,
      args: { about: cause, facts: { out: { ok: { done: true } }, run: [] } },
    }),
  )
  return cases
}

/** The fields of `to` and `from` are named in full, so that leaving one out leaves the rest. @param {string} name */
const without = (name) => ({ [name]: undefined })
