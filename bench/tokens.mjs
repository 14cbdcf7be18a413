// Chains of tokens for benchmarks, from the writer of our test vectors: every key and signature is different.
import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
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
 * An invocation with `proofs` delegations, as container text, and its separate signatures.
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

/**
 * A client with grants that never change, which makes any number of invocations under them.
 * @param {string} name
 * @param {{exp: number, proofs?: number}} options how many delegations lead from the owner to the client
 */
export function clientOf(name, { exp, proofs = 1 }) {
  const between = Array.from({ length: proofs - 1 }, (_, at) => keyOf(`${name} ${at}`))
  const [owner, by] = [keyOf(`${name} owner`), keyOf(`${name} client`)]
  const keys = [owner, ...between, by]
  const links = keys
    .slice(1)
    .map((to, at) =>
      delegate({ from: keys[at], to, sub: owner, cmd: '/notes', pol: [['==', '.folder', 'notes']], exp }),
    )
  return {
    subject: owner.did,
    /** @param {number} at makes each one different */
    invoke(at) {
      const nonce = createHash('sha256').update(`nonce ${at}`).digest().subarray(0, 12)
      const args = { folder: 'notes' }
      const request = invoke({ by, sub: owner, cmd: '/notes/read', args, proofs: links, exp, nonce })
      return text([...links, request], 'C')
    },
  }
}

/**
 * The most expensive invocations that fit into a header: 64 different forged P-256 delegations, and a policy that checks many strings at
 * length.
 * @param {number} exp
 */
export function costlyInvocations(exp) {
  const seed = createHash('sha256').update('keyhole bench: nist').digest()
  const nist = { name: 'nist', type: 'p256', seed, did: didOf('p256', p256.getPublicKey(seed)) }
  const forged = (at) => {
    const [r, s] = ['r', 's'].map((part) => createHash('sha256').update(`${part} ${at}`).digest())
    // A low s below the order, so that the signature is checked to the end.
    s[0] = 1
    r[0] = 1
    return Buffer.concat([r, s])
  }
  const signatures = Array.from({ length: 25 }, (_, which) => {
    const links = Array.from({ length: 64 }, (_, at) =>
      delegate(
        { from: nist, to: nist, cmd: '/', exp, nonce: Buffer.from(`${which} ${at}`) },
        { signature: () => forged(`${which} ${at}`) },
      ),
    )
    const stranger = keyOf(`stranger ${which}`)
    return text([...links, invoke({ by: stranger, sub: nist, cmd: '/notes', proofs: links, exp })], 'P')
  })
  const policies = Array.from({ length: 25 }, (_, which) => {
    const [owner, by] = [keyOf(`costly owner ${which}`), keyOf(`costly client ${which}`)]
    const glob = 'a*'.repeat(20_000)
    const link = delegate({ from: owner, to: by, cmd: '/', pol: [['all', '.of', ['like', '.', glob]]], exp })
    const args = { of: Array.from({ length: 1_500 }, () => 'a'.repeat(60)) }
    return text([link, invoke({ by, sub: owner, cmd: '/notes', args, proofs: [link], exp })], 'P')
  })
  return signatures.flatMap((token, at) => [token, policies[at]])
}
