// What is read of a request: no more of it than there is a use for.

/** Characters of a token in the header: a chain of 64 delegations has about half of this. */
export const MOST_TOKEN = 48 * 1024
/** Bytes of all headers together. */
export const MOST_HEADERS = 64 * 1024
/** Bytes of a body: a revocation, and the chain that it is about. */
export const MOST_BODY = 64 * 1024

const BEARER = /^Bearer +([\w+/=.-]+) *$/i

/** A request that is refused before anything is validated. */
export class BadRequest extends Error {
  /**
   * @param {number} status @param {string} code @param {string} message
   * @param {Pick<import('./authority.js').Problem, 'why' | 'expected' | 'found'>} [about]
   */
  constructor(status, code, message, about = {}) {
    super(message)
    this.status = status
    this.code = code
    this.about = about
  }
}

/**
 * The token of `Authorization: Bearer …`.
 *
 * @param {import('node:http').IncomingMessage} request
 * @throws {BadRequest} MissingToken, TooLarge, MalformedHeader
 */
export function bearerToken({ headersDistinct }) {
  const [header, ...more] = headersDistinct.authorization ?? []
  if (header === undefined) {
    throw new BadRequest(401, 'MissingToken', 'Send the invocation as Authorization: Bearer <token>.')
  }
  if (header.length > MOST_TOKEN) {
    const about = { why: 'Token', expected: MOST_TOKEN, found: header.length }
    throw new BadRequest(
      413,
      'TooLarge',
      `The Authorization header is longer than ${MOST_TOKEN} bytes.`,
      about,
    )
  }
  const token = BEARER.exec(header)?.[1]
  if (token === undefined || more.length > 0) {
    throw new BadRequest(400, 'MalformedHeader', 'The Authorization header is not one Bearer <token>.')
  }
  return token
}

/**
 * The body as text.
 *
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<string>}
 * @throws {BadRequest} TooLarge, MalformedBody
 */
export function textBody(request) {
  return new Promise((resolve, reject) => {
    /** @type {Buffer[]} */
    let parts = []
    let length = 0
    request.on('data', (/** @type {Buffer} */ part) => {
      length += part.length
      if (length <= MOST_BODY) {
        parts.push(part)
        return
      }
      // What still comes is let go by, so that the answer is read.
      parts = []
      const about = { why: 'Body', expected: MOST_BODY }
      reject(new BadRequest(413, 'TooLarge', `The body is longer than ${MOST_BODY} bytes.`, about))
    })
    request.on('error', () =>
      reject(new BadRequest(400, 'MalformedBody', 'The body came to no end.', { why: 'CutOff' })),
    )
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8').trim()
      if (text) resolve(text)
      else
        reject(new BadRequest(400, 'MalformedBody', 'Send the token as the body, as text.', { why: 'Empty' }))
    })
  })
}
