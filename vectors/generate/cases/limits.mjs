// The limits, at them and one past them: 64 proofs, 1 MiB of token, 128 lists and maps within each other.

import { casesOf } from '../case.mjs'
import { raw } from '../cbor.mjs'
import { text } from '../container.mjs'
import { alice, bob, carol } from '../keys.mjs'
import { delegate, invoke, tokenOf } from '../token.mjs'

const MEBIBYTE = 1024 * 1024

/** alice to bob to carol to bob, and so on. @param {number} length */
function chainOf(length) {
  return Array.from({ length }, (_, at) => {
    const [from, to] = at === 0 ? [alice, bob] : at % 2 === 1 ? [bob, carol] : [carol, bob]
    return delegate({ from, to, sub: alice, nonce: Buffer.from([at]) })
  })
}

/** Lists within each other. @param {number} depth */
const nested = (depth) => raw(`${'81'.repeat(depth)}f6`)

/** Each limit. */
export function limits() {
  const { cases, accept, refuse } = casesOf('limit')
  for (const length of [64, 65]) {
    const chain = chainOf(length)
    const use = invoke({ by: length % 2 === 1 ? bob : carol, sub: alice, proofs: chain })
    const input = { invocation: text([use, ...chain], 'P') }
    if (length === 64) accept('64 proofs', use, chain, input)
    else refuse('65 proofs', 'MalformedToken', use, use, chain, input)
  }
  const [first] = chainOf(1)
  const many = Array.from({ length: 65 }, () => first)
  const unfounded = invoke({ by: bob, sub: alice, proofs: /** @type {any} */ (many), signer: carol })
  refuse('65 proofs, before any signature is checked', 'MalformedToken', unfounded, unfounded, [], {
    invocation: text([unfounded], 'P'),
  })
  const own = invoke({ by: alice, proofs: /** @type {any} */ (many) })
  refuse('65 proofs of the subject itself, which needs none', 'MalformedToken', own, own, [], {
    invocation: text([own], 'P'),
  })

  // The envelope, the signed map, the payload and the arguments are four of them.
  accept('128 lists and maps within each other', invoke({ by: alice, args: { deep: nested(124) } }))
  refuse(
    '129 lists and maps within each other',
    'MalformedToken',
    undefined,
    invoke({ by: alice, args: { deep: nested(125) } }),
  )
  // The policy is the fourth; then each not, and the statement within.
  const nots = (/** @type {number} */ count) => {
    let statement = ['==', '.a', 1]
    for (let at = 0; at < count; at += 1) statement = /** @type {any} */ (['not', statement])
    return delegate({ from: alice, to: bob, pol: [statement] })
  }
  const [deepest, deeper] = [nots(123), nots(124)]
  accept(
    'a policy as deep as a token may be',
    invoke({ by: bob, sub: alice, args: { a: 2 }, proofs: [deepest] }),
    [deepest],
  )
  refuse(
    'a policy that is one deeper',
    'MalformedToken',
    undefined,
    invoke({ by: bob, sub: alice, args: { a: 1 }, proofs: [deeper] }),
    [deeper],
  )

  const padded = (/** @type {number} */ length) => invoke({ by: alice, args: { pad: Buffer.alloc(length) } })
  const overhead = padded(MEBIBYTE / 2).bytes.length - MEBIBYTE / 2
  for (const [length, words] of /** @type {const} */ ([
    [MEBIBYTE, 'of 1 MiB'],
    [MEBIBYTE + 1, 'of a byte more than 1 MiB'],
  ])) {
    const token = padded(length - overhead)
    if (token.bytes.length !== length) throw new Error('the padding is not what it should be')
    const input = { invocation: text([token], 'P') }
    if (length === MEBIBYTE) accept(`a token ${words}`, token, [], input)
    else refuse(`a token ${words}`, 'MalformedToken', undefined, token, [], input)
  }

  const bottomless = tokenOf(Buffer.alloc(MEBIBYTE, 0x82))
  refuse('1 MiB of the beginnings of lists of two', 'MalformedToken', undefined, bottomless, [], {
    invocation: text([bottomless], 'P'),
  })
  const promised = (/** @type {string} */ hex) => invoke({ by: alice, args: { a: raw(hex) } })
  for (const [hex, words] of /** @type {const} */ ([
    ['9b ffffffffffffffff', 'a list of 2^64'],
    ['bb ffffffffffffffff', 'a map of 2^64'],
    ['5b ffffffffffffffff', 'bytes of 2^64'],
    ['7b 7fffffffffffffff', 'a text of 2^63'],
    ['9a 00ffffff', 'a list of 2^24'],
  ])) {
    refuse(`the beginning of ${words}`, 'MalformedToken', undefined, promised(hex))
  }
  return cases
}
