// The HTTP service. `POST /` with an invocation, `POST /revocations` with a revocation.
import { createServer } from 'node:http'
import { createEnclave } from '@keyhole/enclave'
import { answer, refuse, told } from './answer.js'
import { Authority } from './authority.js'
import { Lanes } from './lanes.js'
import { MemoryReplayStore } from './replay-store.js'
import { BadRequest, bearerToken, MOST_HEADERS, textBody } from './request.js'
import { MemoryRevocationStore } from './revocation-store.js'

/** Milliseconds after which a check is given up: no token takes as long. */
const PATIENCE = 5_000

/** @typedef {{authority: Authority, lanes: Lanes}} Service */

const inSeconds = () => Math.floor(Date.now() / 1000)

/**
 * Makes the service; call `listen` on what it gives. Closing it closes the enclave.
 *
 * @param {object} options
 * @param {string} options.did whose resources these are
 * @param {import('./replay-store.js').ReplayStore} [options.replays] default: in memory
 * @param {import('./revocation-store.js').RevocationStore} [options.revocations] default: in memory
 * @param {import('@keyhole/enclave').Enclave} [options.enclave] for all; default: two keyless ones, of which one is for strangers
 * @param {() => number} [options.now] the time, in whole seconds since 1970
 * @param {number} [options.longest] seconds that an invocation may still be good for; default 3,600
 * @throws {import('@keyhole/enclave').EnclaveError} where the enclave cannot be started
 */
export async function createService({ now = inSeconds, ...options }) {
  const start = () => options.enclave ?? createEnclave({ keyless: true, timeout: PATIENCE })
  const [enclave, strangers] = await Promise.all([start(), start()])
  const authority = new Authority({
    replays: new MemoryReplayStore(now),
    revocations: new MemoryRevocationStore(now),
    ...{ ...options, enclave, now },
  })
  const service = { authority, lanes: new Lanes({ known: enclave, strangers }) }
  const server = createServer(
    { maxHeaderSize: MOST_HEADERS, headersTimeout: 10_000, requestTimeout: 30_000 },
    (request, response) => void respond(service, request, response),
  )
  server.on('clientError', refuseUnread)
  server.on('close', () => void Promise.all([enclave.close(), strangers.close()]))
  return server
}

/** @type {Record<string, typeof invoked>} */
const ROUTES = { '/': invoked, '/revocations': revoked }

/**
 * @param {Service} service
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function respond(service, request, response) {
  try {
    const [path = '/'] = (request.url ?? '/').split('?')
    const route = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined
    if (!route) throw new BadRequest(404, 'NotFound', 'There is / for invocations, and /revocations.')
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST')
      throw new BadRequest(405, 'MethodNotAllowed', 'Only POST is answered here.')
    }
    await route(service, request, response)
  } catch (error) {
    // The rest of the request is not waited for.
    if (!request.complete) response.setHeader('Connection', 'close')
    if (error instanceof BadRequest) {
      if (error.status === 503) response.setHeader('Retry-After', '1')
      const { code: name, message, status, about } = error
      return refuse(request, response, { name, message, cid: null, ...about }, status)
    }
    console.error(error)
    const message = 'This could not be decided, so nothing was authorised. Try again later.'
    refuse(request, response, { name: 'Unavailable', message, cid: null }, 503)
  }
}

/** @param {Service} service @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function invoked({ authority, lanes }, request, response) {
  const token = bearerToken(request)
  const { remoteAddress } = request.socket
  const decided = await lanes.run(token, remoteAddress, (enclave) => authority.authorise(token, enclave))
  if ('error' in decided) return refuse(request, response, decided.error)
  // Here a real server does what was asked for.
  const { authorised } = decided
  const { command, issuer, subject } = authorised
  answer(request, response, 200, { authorised }, `${issuer} may ${command} at ${subject}.`)
}

/** @param {Service} service @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function revoked({ authority, lanes }, request, response) {
  const token = await textBody(request)
  const { remoteAddress } = request.socket
  const taken = await lanes.run(token, remoteAddress, (enclave) => authority.takeRevocation(token, enclave))
  if ('error' in taken) return refuse(request, response, taken.error)
  const { revokes, by } = taken.accepted
  answer(request, response, 202, taken, `That ${by} revokes ${revokes} is known here.`)
}

/**
 * What is no HTTP, or too much of it, never becomes a request.
 * @param {NodeJS.ErrnoException} error @param {import('node:stream').Duplex} socket
 */
function refuseUnread(error, socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const tooLarge = {
    ...{ name: 'TooLarge', why: 'Headers', expected: MOST_HEADERS, cid: null },
    message: `The headers are longer than ${MOST_HEADERS} bytes.`,
  }
  const noHttp = { name: 'MalformedRequest', message: 'This is not HTTP.', cid: null }
  const [status, problem] =
    error.code === 'HPE_HEADER_OVERFLOW' ? ['413 Payload Too Large', tooLarge] : ['400 Bad Request', noHttp]
  const body = JSON.stringify({ error: told(problem) })
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`)
}
