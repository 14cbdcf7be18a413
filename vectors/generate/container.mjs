// Containers 0.1.0: how tokens travel as text.

import { encode } from './cbor.mjs'
import { gzip } from './gzip.mjs'

/** @typedef {import('./token.mjs').Token} Token */

/** What each header byte says. */
const ENCODINGS = {
  '@': { base: undefined, gzipped: false },
  B: { base: 'base64', gzipped: false },
  C: { base: 'base64url', gzipped: false },
  M: { base: undefined, gzipped: true },
  O: { base: 'base64', gzipped: true },
  P: { base: 'base64url', gzipped: true },
}

/**
 * The CBOR of a container, its tokens in the order given.
 *
 * @param {Token[]} tokens
 */
export const plain = (tokens) => encode({ 'ctn-v1': tokens.map(({ bytes }) => bytes) })

/**
 * As a writer sorts them: by their bytes.
 *
 * @param {Token[]} tokens
 */
export const sorted = (tokens) => [...tokens].sort((a, b) => a.bytes.compare(b.bytes))

/**
 * The file that a header announces: the header, then the bytes or their text.
 *
 * @param {keyof typeof ENCODINGS} header
 * @param {Uint8Array} cbor
 */
export function file(header, cbor) {
  const { base, gzipped } = ENCODINGS[header]
  const bytes = gzipped ? gzip(cbor) : Buffer.from(cbor)
  const body = base === undefined ? bytes : Buffer.from(bytes.toString(/** @type {BufferEncoding} */ (base)))
  return Buffer.concat([Buffer.from(header), body])
}

/**
 * The text of a container in one of the four encodings that are text. Without more words: plain for a token or two, and
 * gzip for more, which is shorter.
 *
 * @param {Token[]} tokens
 * @param {'B' | 'C' | 'O' | 'P'} [header]
 */
export const text = (tokens, header = tokens.length > 2 ? 'P' : 'C') =>
  file(header, plain(sorted(tokens))).toString('latin1')
