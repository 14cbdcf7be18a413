// Answers as HTTP has them: a status, and the same in words or as JSON, whichever is asked for.
import { stringifyJson } from '@keyhole/enclave'

/** @typedef {import('./authority.js').Problem} Problem */

/** Nothing can be made of the token. */
const MALFORMED = ['MalformedToken', 'UnsupportedVersion', 'NotARevocation']
/** It does not, or not any more, prove who is asking; a new one might. Every other rule: that one may not. */
const UNPROVEN = ['MissingToken', 'InvalidSignature', 'Expired', 'TooEarly', 'Replayed']

/** @param {string} name */
function statusOf(name) {
  if (MALFORMED.includes(name)) return 400
  if (UNPROVEN.includes(name)) return 401
  return name === 'Full' ? 503 : 403
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {unknown} body JSON, of which integers keep every digit
 * @param {string} words
 */
export function answer(request, response, status, body, words) {
  const { accept = '' } = request.headers
  const plain = accept.includes('text/plain') && !accept.includes('application/json')
  response.statusCode = status
  response.setHeader('Content-Type', plain ? 'text/plain; charset=utf-8' : 'application/json')
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.end(plain ? `${words}\n` : stringifyJson(body))
}

/**
 * Refuses, with the status that fits the broken rule unless another is given.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {Problem} error
 * @param {number} [status]
 */
export function refuse(request, response, error, status = statusOf(error.name)) {
  if (status === 401) {
    const cause = error.name === 'MissingToken' ? '' : ' error="invalid_token"'
    response.setHeader('WWW-Authenticate', `Bearer${cause}`)
  }
  answer(request, response, status, { error: told(error) }, `${error.name}: ${error.message}`)
}

/**
 * A refusal as it is told: for programs the broken rule, its reason and what it compared, as far as there are any, and a sentence for
 * whoever reads their logs. All that it repeats is of the request, and of what this service says of itself.
 *
 * @param {Problem} error
 * @returns {Problem}
 */
export function told({ name, why, expected, found, message, cid }) {
  return {
    name,
    ...(why !== undefined && { why }),
    ...(expected !== undefined && { expected }),
    ...(found !== undefined && { found }),
    ...{ message, cid },
  }
}
