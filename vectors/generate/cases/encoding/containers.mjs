// Containers, and bare tokens, as text; and as files.

import { casesOf } from '../../case.mjs'
import { encode, head, Raw, raw } from '../../cbor.mjs'
import { file, plain, sorted, text } from '../../container.mjs'
import { gzip, gzipBomb } from '../../gzip.mjs'
import { alice, bob, carol } from '../../keys.mjs'
import { delegate, NOW, tokenOf } from '../../token.mjs'

const a = delegate({ from: alice, to: bob })
const b = delegate({ from: bob, to: carol, sub: alice })
const BOTH = sorted([a, b])
const CBOR = plain(BOTH)
const listed = (/** @type {import('../../token.mjs').Token[]} */ tokens) => ({
  tokens: tokens.map(({ cid }) => ({ cid })),
})
const REFUSED = { code: 'OPERATION_FAILED', name: 'MalformedToken' }
const url = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString('base64url')

/** The four encodings that are text, and everything that is no container. */
export function containers() {
  const { cases, add } = casesOf('container')
  const shows = (
    /** @type {string} */ name,
    /** @type {string} */ token,
    /** @type {import('../../token.mjs').Token[]} */ tokens = BOTH,
  ) => add('inspect_token', name, { token }, listed(tokens))
  const refuses = (/** @type {string} */ name, /** @type {string} */ token) =>
    add('inspect_token', name, { token }, REFUSED)
  const fails = (/** @type {string} */ name, /** @type {string} */ token) =>
    add('verify_token', name, { token, now: NOW }, { valid: false, error: { name: 'MalformedToken' } })

  for (const [header, words] of /** @type {const} */ ([
    ['B', 'base64'],
    ['C', 'base64url'],
    ['O', 'gzip in base64'],
    ['P', 'gzip in base64url'],
  ])) {
    shows(`a container in ${words}`, text(BOTH, header))
    add(
      'verify_token',
      `a chain in ${words}`,
      { token: text(BOTH, header), now: NOW },
      { valid: true, chain: [{ cid: a.cid }, { cid: b.cid }] },
    )
  }
  const reversed = [...BOTH].reverse()
  shows('a container that is not sorted', `C${url(plain(reversed))}`, reversed)
  shows('a token twice is one', `C${url(plain([...BOTH, ...BOTH]))}`)
  shows('an empty container', `C${url(plain([]))}`, [])
  const named = Buffer.concat([
    Buffer.from('1f8b08080000000000ff', 'hex'),
    Buffer.from('tokens\0'),
    gzip(CBOR).subarray(10),
  ])
  shows('gzip with a file name', `P${url(named)}`)
  shows('a bare token in base64', a.bytes.toString('base64'), [a])
  shows('a bare token in base64url', url(a.bytes), [a])
  shows('a bare token in hexadecimal', a.bytes.toString('hex'), [a])
  shows('white space around a text', `\n ${text(BOTH)}\t`)

  const spoiled = tokenOf(Buffer.from([0x82]))
  refuses('one token that cannot be read spoils the container', text([a, spoiled]))
  for (const [name, value] of /** @type {[string, unknown][]} */ ([
    ['under another key', { 'ctn-v2': [a.bytes] }],
    ['with a second key', { 'ctn-v1': [a.bytes], 'ctn-v2': [] }],
    ['without a key', {}],
    ['of a map', { 'ctn-v1': { a: a.bytes } }],
    ['with a text in it', { 'ctn-v1': [a.bytes.toString('hex')] }],
    ['with a token that is not in bytes', { 'ctn-v1': [new Raw(a.bytes)] }],
    ['that is a list', [a.bytes]],
    ['whose list has no length', { 'ctn-v1': raw('9f ff') }],
    ['that says it has 2^64 tokens', { 'ctn-v1': raw('9b ffffffffffffffff') }],
    ['whose token says it has 2^63 bytes', { 'ctn-v1': [new Raw(head(2, 2n ** 63n))] }],
  ])) {
    refuses(`a container ${name}`, `C${url(encode(value))}`)
  }
  refuses('a container with a byte after it', `C${url(Buffer.concat([CBOR, Buffer.from([0])]))}`)
  refuses('a container without its last byte', `C${url(CBOR.subarray(0, -1))}`)
  const packed = gzip(CBOR)
  refuses('gzip without its last byte', `P${url(packed.subarray(0, -1))}`)
  const wrong = Buffer.from(packed)
  wrong[wrong.length - 6] ^= 1
  refuses('gzip with another checksum', `P${url(wrong)}`)
  refuses('gzip behind the header of a plain container', `C${url(packed)}`)
  refuses('a plain container behind the header of gzip', `P${url(CBOR)}`)
  refuses('base64 behind the header of base64url', `C${CBOR.toString('base64')}`)
  fails('no chain in half of a container', `C${url(CBOR.subarray(0, -1))}`)
  fails('no chain in words', 'Can you send me the token?')
  refuses('a header alone', 'C')
  refuses('nothing', '')
  refuses('words', 'Can you send me the token?')
  refuses('a header that is none', `Q${url(CBOR)}`)

  const size = 16 * 1024 * 1024
  const start = Buffer.concat([
    Buffer.from('a166', 'hex'),
    Buffer.from('ctn-v1'),
    Buffer.from([0x81]),
    head(2, size),
  ])
  refuses(
    'a gzip bomb of 16 MiB that is a container of one token',
    `P${url(gzipBomb(start, start.length + size))}`,
  )
  return cases
}

/**
 * All six encodings as files, in hexadecimal: JSON cannot hold the two that are no text.
 *
 * @returns {{ name: string, bytes: string, tokens: string[] }[]}
 */
export function files() {
  const cids = BOTH.map(({ cid }) => cid)
  return /** @type {const} */ (['@', 'B', 'C', 'M', 'O', 'P']).map((header) => ({
    name: `a file that starts with ${header}`,
    bytes: file(header, CBOR).toString('hex'),
    tokens: cids,
  }))
}
