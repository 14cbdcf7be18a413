// The production server: the request handler, with limits against clients that are slow, send something other than HTTP, or never finish.
import { createServer, STATUS_CODES } from 'node:http'
import { createApp, refuse } from './app.js'
import { headersFor } from './headers.js'

/** Limits per connection. Times are in milliseconds. */
const LIMITS = {
  /** Bytes of a request's line and headers. */
  maxHeaderSize: 16_384,
  /** From the first byte of a request to the end of its headers, and to the end of the request. */
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 5_000,
}
/** How long a connection may be idle, even during an answer. */
const STILL = 30_000
/** How long an answer may take, however slowly it is read. 1 KB/s is enough for the largest file. */
const LONGEST_ANSWER = 10 * 60_000
/** How long a refused client has to read the answer. */
const FAREWELL = 2_000
const MAX_CONNECTIONS = 10_000
/**
 * The most answers in progress on one connection. Node reads pipelined requests in one go, a thousand in 64 KB, and keeps them all until
 * the first answers are read. A few hundred connections that read nothing would use up the memory.
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
 * A server for a built client, not listening yet. No request and no change of the files stops it.
 * @param {string} folder The client's folder, as `vite build` leaves it.
 * @param {{relay?: import('./relay.js').MountedRelay | undefined}} [options] a relay on the same origin; default: none
 * @throws {Error} if the folder has no built client.
 */
export function createClientServer(folder, { relay } = {}) {
  const app = createApp(folder)
  // The handler refuses a missing Host, so that the refusal has our headers.
  const server = createServer({ ...LIMITS, requireHostHeader: false })
  server.maxConnections = MAX_CONNECTIONS
  server.setTimeout(STILL)
  // A client that has finished sending (`nc`, for example) still needs its answer. Node has no option for this.
  Reflect.set(server, 'httpAllowHalfOpen', true)

  /**
   * For each connection, the answers in progress and the timer for the first one.
   * @type {WeakMap<import('node:stream').Duplex, {open: number, longest: NodeJS.Timeout | undefined}>}
   */
  const connections = new WeakMap()
  /** @type {WeakSet<import('node:stream').Duplex>} */
  const refused = new WeakSet()

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  const answer = (request, response) => {
    const { socket } = request
    // The rest of a pipelined batch arrives here too.
    if (socket.destroyed) return
    let connection = connections.get(socket)
    if (!connection) {
      const made = { open: 0, /** @type {NodeJS.Timeout | undefined} */ longest: undefined }
      // Answers queued behind another one aren't told that the connection has closed.
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
    // This tells a page that there is a relay, and with which store. Without it, asking would log an error in the browser each time.
    if (relay)
      response.setHeader(
        'Keyhole-Relay',
        relay.store === undefined ? '/relay' : `/relay; store=${relay.store}`,
      )
    if (relay?.takes(request)) relay.handle(request, response)
    else app(request, response)
  }
  /** @param {import('node:stream').Duplex} socket @param {number} status @param {string} text */
  const refuseSocket = (socket, status, text) => {
    // More of the refused request may still arrive. Answering each part would cut off the answer being read.
    if (refused.has(socket)) return
    refused.add(socket)
    socket.on('error', () => socket.destroy())
    // In the middle of an answer nothing else can be sent.
    if (!socket.writable || (connections.get(socket)?.open ?? 0) > 0) {
      socket.destroy()
      return
    }
    socket.end(rawAnswer(status, text))
    setTimeout(() => socket.destroy(), FAREWELL).unref()
  }

  server.on('request', answer)
  // Only the relay reads bodies, so other clients aren't told to send one.
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
    else refuseSocket(socket, STATUS_OF[code] ?? 400, "That request can't be read.\n")
  })
  return server
}
