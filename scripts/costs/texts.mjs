// Inputs that are expensive before a token is read, or because of how their policy is written: long lists, deep texts, compressed blocks,
// paths with many steps, and keys of many people.
import { ed25519 } from '@noble/curves/ed25519.js'
import { float } from '../../vectors/generate/cbor.mjs'
import { alice, didOf, nist } from '../../vectors/generate/keys.mjs'
import { NOW } from '../../vectors/generate/token.mjs'
import { asked, delegation, invocation, list, MOST_TOKEN, packed, text, underPolicy } from './tokens.mjs'

/** @typedef {import('./tokens.mjs').Shape} Shape */

/** The most bytes of an input, with some room for everything around it. */
const LONGEST = 16_000_000

/** A stream of bits, lowest bit first. */
function bits() {
  /** @type {number[]} */
  const all = []
  return {
    /** @param {number} value @param {number} count */
    put(value, count) {
      for (let at = 0; at < count; at += 1) all.push((value >>> at) & 1)
    },
    /** Eight times as many blocks as one has bits end on a byte boundary. */
    bytes: () =>
      Buffer.from(
        list(all.length / 8, (at) =>
          parseInt(
            all
              .slice(8 * at, 8 * at + 8)
              .reverse()
              .join(''),
            2,
          ),
        ),
      ),
  }
}

/** The order in which a block lists the code lengths of its lengths. */
const LENGTHS = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1]

/**
 * Eight blocks with no letters, or with some each: stored, with fixed codes, or with their own codes.
 * @param {number} kind
 * @param {number} letters
 */
function eightBlocks(kind, letters) {
  if (kind === 0)
    return Buffer.concat(
      list(8, () => Buffer.from([0, letters, 0, 255 - letters, 255, ...list(letters, () => 97)])),
    )
  const stream = bits()
  for (let block = 0; block < 8; block += 1) {
    stream.put(kind << 1, 3)
    if (kind === 1) {
      // A letter has eight bits, and the end of a block seven.
      for (let letter = 0; letter < letters; letter += 1) stream.put(0x0c, 8)
    } else {
      stream.put(0, 10)
      stream.put(LENGTHS.length - 4, 4)
      for (const symbol of LENGTHS) stream.put(symbol === 18 || symbol === 1 ? 1 : 0, 3)
      // 138 and 118 zeros, a code for the end, a distance; then the end.
      for (const zeros of [138, 118]) {
        stream.put(1, 1)
        stream.put(zeros - 11, 7)
      }
      stream.put(0, 3)
    }
    if (kind === 1) stream.put(0, 7)
  }
  return stream.bytes()
}

/** Public keys of very many people, each point the next one. */
const points = /** @type {Buffer[]} */ ([])
function pointOf(/** @type {number} */ at) {
  let last = ed25519.Point.fromBytes(points.at(-1) ?? ed25519.Point.BASE.toBytes())
  while (points.length <= at) {
    last = last.add(ed25519.Point.BASE)
    points.push(Buffer.from(last.toBytes()))
  }
  return points[at] ?? Buffer.alloc(32)
}

/** The parts of a path, by kind. */
const STEPS = ['.a', '[0]', '[]', '[0:]', '[""]', '["a"]?', '[-1]', '[:9]']

/** @type {Record<string, Shape>} */
export const TEXTS = {
  blocks: {
    genes: { kind: [0, 2], letters: [0, 30], bytes: [1, 4_000_000], call: [0, 1] },
    costly: { kind: 1, letters: 0, bytes: 500_000, call: 0 },
    make: ({ kind, letters, bytes, call }) => {
      const eight = eightBlocks(kind, letters)
      const deflated = Buffer.concat(list(Math.max(1, bytes / eight.length), () => eight))
      const token = packed(deflated, Buffer.alloc(100))
      return call
        ? { call: 'validate_batch', input: { invocations: [token, token, token], now: NOW } }
        : { call: 'verify_token', input: { token, now: NOW } }
    },
  },
  lists: {
    genes: { items: [1, 5_300_000], kind: [0, 3], field: [0, 5] },
    costly: { items: 5_300_000, kind: 0, field: 0 },
    make: ({ items, kind, field }) => {
      const item = ['', 'a', '\u0001', '\u{1f600}'][kind] ?? ''
      const each = Buffer.byteLength(JSON.stringify(item)) + 1
      const many = list(Math.min(items, LONGEST / each), () => item)
      const one = text([invocation({ sub: alice.did })])
      const names = ['seen', 'revoked', 'proofs', 'revocations']
      if (field === 4) return { call: 'validate_batch', input: { invocations: many, now: NOW } }
      if (field === 5) return { call: 'verify_token', input: { token: one, revoked: many } }
      return { call: 'validate_invocation', input: asked(one, { [names[field] ?? 'seen']: many }) }
    },
  },
  trialTexts: {
    genes: { kind: [0, 6], length: [1, LONGEST], links: [1, 64] },
    costly: { kind: 0, length: 8_000_000, links: 1 },
    make: ({ kind, length, links }) => {
      const most = length / links
      const command = `/${['ü'.repeat(most / 2), 'a/'.repeat(most / 2)][kind] ?? ''}a`
      const policy = [
        [],
        [],
        list(Math.min(most / 2, 2_000_000), () => 0),
        [['==', '.a', '\u0001'.repeat(most / 6)]],
        [['like', '.a', '*a'.repeat(most / 2)]],
        list(Math.min(most / 16, 500_000), () => ['not', ['or', []]]),
      ][kind]
      const args =
        kind === 6 ? { a: list(Math.min(length / 20, 500_000), (at) => 1e300 / (at + 1)) } : { a: 'a' }
      return {
        call: 'evaluate_policy',
        input: {
          links: list(links, () => ({ command, policy: policy ?? [] })),
          call: { command: '/a', args },
        },
      }
    },
  },
  paths: {
    genes: { steps: [1, 1_023], kind: [0, 7], other: [0, 7], statements: [1, 4_000], links: [1, 8] },
    costly: { steps: 1_023, kind: 0, other: 0, statements: 200, links: 1 },
    make: ({ steps, kind, other, statements, links }) => {
      const path = `.${list(steps, (at) => STEPS[at % 2 ? kind : other]).join('')}`.replace('..', '.')
      const fitting = Math.max(1, Math.min(statements, MOST_TOKEN / (path.length + 8)))
      return underPolicy(
        list(fitting, () => ['not', ['==', path, 1]]),
        { a: { a: [[[1, 2, 3]]] } },
        links,
      )
    },
  },
  entries: {
    genes: { entries: [1, 60_000], key: [1, 400], statements: [1, 400], kind: [0, 3], links: [1, 6] },
    make: ({ entries, key, statements, kind, links }) => {
      const name = (/** @type {number} */ at) => `${'k'.repeat(((at * 7) % key) + 1)}${at}`
      const many = list(Math.min(entries, MOST_TOKEN / (key / 2 + 8)), (at) => [name(at), at])
      const last = name(many.length - 1)
      const statement = [
        ['!=', `.["${last}"]`, null],
        ['!=', '.[][0]', null],
        ['all', '.', ['!=', '.', null]],
        ['==', '.', Object.fromEntries(many.slice(0, 2_000))],
      ][kind]
      const args = Object.fromEntries(kind === 3 ? many.slice(0, 2_000) : many)
      return underPolicy(
        list(kind === 3 ? Math.min(statements, 60) : statements, () => statement),
        args,
        links,
      )
    },
  },
  numbers: {
    genes: { items: [1, 20_000], statements: [1, 2_000], kind: [0, 3], links: [1, 6] },
    make: ({ items, statements, kind, links }) => {
      const number = [2 ** 53 - 1, float(1e308), 0.1, 18446744073709551615n][kind]
      const than = [0.5, 2 ** 53 - 1, 18446744073709551615n, float(1e19)][kind]
      return underPolicy(
        [
          [
            'all',
            '.of',
            ['and', list(statements, (at) => [at % 2 ? '!=' : '<', '.', at % 2 ? than : float(1.7e308)])],
          ],
        ],
        { of: list(items, () => number) },
        links,
      )
    },
  },
  people: {
    genes: { people: [1, 2_000], signature: [0, 1], call: [0, 1] },
    costly: { people: 1_000, signature: 1, call: 1 },
    make: ({ people, signature, call }) => {
      const key = (/** @type {number} */ at) => ({ ...alice, did: didOf('ed25519', pointOf(at)) })
      const name = (/** @type {number} */ at) => (signature ? `other ${at}` : `${at}`)
      if (call) {
        const texts = list(people, (at) =>
          text([invocation({ key: key(at), sub: key(at).did, name: name(at), isSigned: false })]),
        )
        return { call: 'validate_batch', input: { invocations: texts, now: NOW } }
      }
      const many = list(people, (at) =>
        delegation({ key: key(at), aud: nist.did, sub: key(at).did, name: name(at), isSigned: false }),
      )
      return { call: 'inspect_token', input: { token: text(many) } }
    },
  },
}
