// How an invocation travels as text: which are compressed.

import { plain, sorted, text } from './container.mjs'
import { alice, bob } from './keys.mjs'
import { delegate, invoke, NONCE, NOW } from './token.mjs'

/** Most bytes of a container that stays plain. */
const SHORT_CALL = 4_096

const grant = delegate({ from: alice, to: bob, exp: NOW + 1_000 })

/** @param {string} filler */
const made = (filler) => {
  const call = { by: bob, sub: alice, aud: 'did:web:service.example', args: { filler } }
  return sorted([grant, invoke({ ...call, proofs: [grant], iat: NOW })])
}

/** As many letters as make the container so long. @param {number} length */
function fillerFor(length) {
  const without = plain(made('')).length
  // Its own length takes two bytes more once it is longer than 255.
  const filler = 'a'.repeat(length - without - 2)
  const got = plain(made(filler)).length
  return got === length ? filler : 'a'.repeat(filler.length + length - got)
}

/**
 * Each invocation is bob's, under a grant of alice's, signed at the time `now` with `nonce`. `plain` is its text if it isn't
 * compressed.
 *
 * @returns {string}
 */
export function callVectors() {
  const cases = [
    { name: 'a short call is plain', filler: '' },
    { name: 'a short call is plain, also where gzip is shorter', filler: 'a'.repeat(500) },
    { name: 'at the limit it is plain', filler: fillerFor(SHORT_CALL) },
    { name: 'one byte past the limit it is compressed', filler: fillerFor(SHORT_CALL + 1) },
  ].map(({ name, filler }) => {
    const tokens = made(filler)
    const isCompressed = plain(tokens).length > SHORT_CALL
    return { name, args: { filler }, compressed: isCompressed, plain: text(tokens, 'C') }
  })
  const keys = { alice: alice.seed.toString('hex'), bob: bob.seed.toString('hex') }
  const common = {
    command: '/msg/send',
    subject: alice.did,
    audience: 'did:web:service.example',
    grant: text([grant], 'C'),
  }
  const nonce = NONCE.toString('hex')
  return `${JSON.stringify({ keys, now: NOW, nonce, ...common, cases }, null, 1)}\n`
}
