// The production server: the request handler behind limits for whoever is slow, sends what is no HTTP, or never ends.
import { createServer, STATUS_CODES } from 'node:http'
import { createApp, refuse } from './app.js'
import { headersFor } from './headers.js'

/** What a connection may take. Times in milliseconds. */
const LIMITS = {
  /** Bytes of a request's line and headers. */
  maxHeaderSize: 16_384,
  /** From the first byte of a request to the last of its headers, and of all of it. */
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 5_000,
}
/** How long a connection may lie still, also while an answer is on its way. */
const STILL = 30_000
/** How long an answer may take on its way, however slowly it is read: 1 KB/s suffice for the largest file. */
const LONGEST_ANSWER = 10 * 60_000
/** How long whoever was refused has to read it. */
const FAREWELL = 2_000
const MAX_CONNECTIONS = 10_000
/**
 * Answers that may be under way on one connection. Node reads what was sent ahead in one go, a thousand requests from 64 KB, and keeps all
 * of them until the first answers are taken: a few hundred connections that take none would be more than there is memory for.
 */
const MOST_AT_ONCE = 32

/** @type {Readonly<Record<string, number>>} */
const STATUS_OF = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** @param {number} status @param {string} text */
function rawAnswer(status, text) {
  const headers = {
    ...headersFor(''),
    Connection: 'close',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n')
}

/**
 * A server of a built client, not yet listening. No request and no change of the files ends it.
 * @param {string} folder The client's folder, as `vite build` leaves it.
 * @param {{relay?: import('./relay.js').MountedRelay | undefined}} [options] a relay on the same origin; default: none
 * @throws {Error} where the folder holds no built client.
 */
export function createClientServer(folder, { relay } = {}) {
  const app = createApp(folder)
  // A missing Host is refused by the handler, under the headers of every answer.
  const server = createServer({ ...LIMITS, requireHostHeader: false })
  server.maxConnections = MAX_CONNECTIONS
  server.setTimeout(STILL)
  // Whoever has sent all that it will (`nc`, say) still has an answer to get. Node knows this by no option.
  Reflect.set(server, 'httpAllowHalfOpen', true)

  /** Answers under way on each connection, and how long the first of them may be. @type {WeakMap<import('node:stream').Duplex, {open: number, longest: NodeJS.Timeout | undefined}>} */
  const connections = new WeakMap()
  /** @type {WeakSet<import('node:stream').Duplex>} */
  const refused = new WeakSet()

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  const answer = (request, response) => {
    const { socket } = request
    // The rest of what was sent ahead comes here as well.
    if (socket.destroyed) return
    let connection = connections.get(socket)
    if (!connection) {
      const made = { open: 0, /** @type {NodeJS.Timeout | undefined} */ longest: undefined }
      // Answers that wait behind another one are not told that the connection has closed.
      socket.once('close', () => clearTimeout(made.longest))
      connections.set(socket, made)
      connection = made
    }
    const { open } = connection
    if (open === MOST_AT_ONCE) {
      socket.destroy()
      return
    }
    const begin = () => {
      clearTimeout(connection.longest)
      connection.longest = setTimeout(() => socket.destroy(), LONGEST_ANSWER).unref()
    }
    if (open === 0) begin()
    connection.open = open + 1
    response.once('close', () => {
      connection.open -= 1
      if (connection.open > 0 && !socket.destroyed) begin()
      else clearTimeout(connection.longest)
    })
    if (relay?.takes(request)) relay.handle(request, response)
    else app(request, response)
  }
  /** @param {import('node:stream').Duplex} socket @param {number} status @param {string} text */
  const refuseSocket = (socket, status, text) => {
    // More of what was refused is on its way: an answer to each part would tear off the one being read.
    if (refused.has(socket)) return
    refused.add(socket)
    socket.on('error', () => socket.destroy())
    // In the middle of an answer nothing else can be said.
    if (!socket.writable || (connections.get(socket)?.open ?? 0) > 0) {
      socket.destroy()
      return
    }
    socket.end(rawAnswer(status, text))
    setTimeout(() => socket.destroy(), FAREWELL).unref()
  }

  server.on('request', answer)
  // No one is told to send a body, except to the relay: no other is read.
  server.on('checkContinue', (request, response) => {
    if (relay?.takes(request)) response.writeContinue()
    answer(request, response)
  })
  server.on('checkExpectation', (_request, response) => {
    for (const [name, value] of Object.entries(headersFor(''))) response.setHeader(name, value)
    response.setHeader('Connection', 'close')
    refuse(response, 417, 'Nothing is expected to be done here.')
  })
  server.on('connect', (_request, socket) =>
    refuseSocket(socket, 405, 'Only GET and HEAD are answered here.\n'),
  )
  server.on('clientError', (error, socket) => {
    const code = 'code' in error ? String(error.code) : ''
    if (code === 'ECONNRESET') socket.destroy()
    else refuseSocket(socket, STATUS_OF[code] ?? 400, 'That is no request that can be read.\n')
  })
  return server
}
