// Chains of tokens to measure with, by the writer of our test vectors: every key and every signature is another.
import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { text } from '../vectors/generate/container.mjs'
import { didOf } from '../vectors/generate/keys.mjs'
import { delegate, invoke } from '../vectors/generate/token.mjs'

/** @param {string} name */
function keyOf(name) {
  const seed = createHash('sha256').update(`keyhole bench: ${name}`).digest()
  return {
    name,
    type: /** @type {const} */ ('ed25519'),
    seed,
    did: didOf('ed25519', ed25519.getPublicKey(seed)),
  }
}

/**
 * An invocation with `proofs` delegations, as container text, and its signatures one by one.
 *
 * @param {number} proofs
 * @param {{seed: string, exp: number}} options
 */
export function chainOf(proofs, { seed, exp }) {
  const keys = Array.from({ length: proofs + 1 }, (_, at) => keyOf(`${seed} ${at}`))
  const [owner] = keys
  const links = keys
    .slice(1)
    .map((to, at) =>
      delegate({ from: keys[at], to, sub: owner, cmd: '/notes', pol: [['==', '.folder', 'notes']], exp }),
    )
  const by = keys[proofs]
  const request = invoke({
    by,
    sub: owner,
    cmd: '/notes/read',
    args: { folder: 'notes' },
    proofs: links,
    exp,
  })
  const tokens = [...links, request]
  return {
    text: text(tokens, 'C'),
    subject: owner.did,
    /** Each delegation alone, as container text. */
    proofs: links.map((link) => text([link], 'C')),
    /** What each token's key signed. */
    signatures: tokens.map(({ bytes }, at) => ({
      key: ed25519.getPublicKey(keys[Math.min(at, proofs)].seed),
      signature: bytes.subarray(3, 67),
      message: bytes.subarray(67),
    })),
  }
}
