// Chooses which form of a file, and how much of it, a request gets (RFC 9110, sections 12 to 14).
import { ENCODINGS } from './build.js'

/** @typedef {import('./build.js').Form} Form */
/** @typedef {import('./build.js').ServedFile} ServedFile */

/**
 * The smallest form that a client accepts. If it accepts none of them, `identity` is sent.
 * @param {ServedFile} file
 * @param {string} [accepted] the request's Accept-Encoding
 * @returns {{form: Form, encoding?: string}}
 */
export function formFor(file, accepted = '') {
  const refused = new Set()
  const wanted = new Set()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const isRefused = parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter))
    ;(isRefused ? refused : wanted).add(name)
  }
  for (const [encoding] of ENCODINGS) {
    const form = file.encoded.get(encoding)
    if (form && !refused.has(encoding) && (wanted.has(encoding) || wanted.has('*'))) return { form, encoding }
  }
  return { form: file.plain }
}

/**
 * Whether a list of entity tags contains this one.
 * @param {string} list from If-Match or If-None-Match
 * @param {string} etag
 * @param {'weak' | 'strong'} comparison RFC 9110, section 8.8.3.2: If-None-Match compares weakly, If-Match strongly
 */
export function names(list, etag, comparison) {
  if (list.trim() === '*') return true
  return list.split(',').some((each) => {
    const tag = each.trim()
    return tag === etag || (comparison === 'weak' && tag === `W/${etag}`)
  })
}

/**
 * The part of a file that a request asks for. Multiple ranges get the whole file, which is a valid answer.
 * @param {string | undefined} range the request's Range
 * @param {number} length of the file, in bytes
 * @returns {{first: number, last: number} | 'whole' | 'unsatisfiable'} `last` is included
 */
export function rangeOf(range, length) {
  if (range === undefined || !/^\s*bytes\s*=/i.test(range) || range.includes(',')) return 'whole'
  const [, from = '', to = ''] = /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(range) ?? []
  if (from === '' && to === '') return 'unsatisfiable'
  if (from === '') {
    const count = Math.min(Number(to), length)
    return count === 0 ? 'unsatisfiable' : { first: length - count, last: length - 1 }
  }
  const first = Number(from)
  const last = to === '' ? length - 1 : Math.min(Number(to), length - 1)
  return first < length && first <= last ? { first, last } : 'unsatisfiable'
}
