import { createServer, type IncomingMessage } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { limitPipelining } from '@keyhole/verify/node'
import { validateHostHeader } from '@modelcontextprotocol/server'
import { GateError } from '../errors.ts'
import type { Gate } from '../gate.ts'
import { type Endpoint, gateEndpoint, metricsEndpoint } from './endpoint.ts'
import { LargeBodies } from './large-bodies.ts'
import { hostOf } from './request-host.ts'

/** Where a gate listens. */
export interface Place {
  /** Default: 127.0.0.1. */
  readonly host?: string
  /** 0 for a free one. */
  readonly port: number
  /** Host names that clients use, besides loopback's: against pages that make a name lead to this machine. */
  readonly hosts?: readonly string[]
}

export interface ListenOptions extends Place {
  readonly gate: Gate
  /** URL of the owner's vault, and the owners, as the gate tells callers. */
  readonly vault: string
  readonly owners: readonly string[]
  /** IP address of the client. Default: that of the connection. Set it behind a proxy: otherwise all of its clients count as one network. */
  readonly address?: (request: IncomingMessage) => string | undefined
}

export interface GateListener {
  /** Its base URL. */
  readonly url: string
  /** Takes no more calls, and waits for those that are running. */
  close(): Promise<void>
}

/** An invocation is in a header, and has at most 48 KiB. Who sends its headers slowly, or nothing for long, loses the connection: milliseconds. */
const LIMITS = {
  maxHeaderSize: 65_536,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 5_000,
}
/** How long a request may take to arrive, in milliseconds. */
const REQUEST_TIMEOUT = 30_000
const MAX_CONNECTIONS = 10_000
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Serves a gate by HTTP. For others than this machine, put TLS before it. @throws GateError LISTEN_FAILED */
export async function listen(options: ListenOptions): Promise<GateListener> {
  const { gate, vault, owners, address, ...place } = options
  return await serve(gateEndpoint(gate, vault, owners), place, requestTimeout(gate), address)
}

/** How long a request to a gate may take to arrive, in milliseconds: as long as a service waits for a body beside a call, if there is one. */
export function requestTimeout({ services }: Pick<Gate, 'services'>): number {
  return REQUEST_TIMEOUT + Math.max(0, ...[...services.values()].map(({ patience }) => patience * 1_000))
}

/** Serves a gate's figures, at `/metrics`, and `/healthz`: for its operator, not for callers. @throws GateError LISTEN_FAILED */
export async function listenForMetrics(gate: Gate, place: Place): Promise<GateListener> {
  return await serve(metricsEndpoint(gate), place, REQUEST_TIMEOUT)
}

async function serve(
  endpoint: Endpoint,
  place: Place,
  timeout: number,
  address = ({ socket }: IncomingMessage) => socket.remoteAddress,
): Promise<GateListener> {
  const { host = '127.0.0.1', port, hosts = [] } = place
  const listener = getRequestListener(
    async (request, { incoming }) => await endpoint(request, address(incoming as IncomingMessage)),
    { overrideGlobalObjects: false },
  )
  const bodies = new LargeBodies()
  const handle = limitPipelining((request, response) => {
    const refuse = (status: number, error: string, headers = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ error }))
    const named = hostOf(request)
    if (named === undefined) return void refuse(400, 'host_unclear')
    if (!validateHostHeader(named, [...LOOPBACK, ...hosts]).ok) return void refuse(403, 'host_not_allowed')
    // The connection stays: closing it with bytes unread would keep a client that is still sending from the answer.
    if (!bodies.admit(request, response, address(request)))
      return void refuse(503, 'busy', { 'retry-after': '1' })
    void listener(request, response)
  })
  const server = createServer({ ...LIMITS, requestTimeout: timeout }, handle)
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new GateError('LISTEN_FAILED', `The gate can't listen on ${host}:${port}: ${cause.message}`))
    })
    server.listen(port, host, resolve)
  })
  const bound = server.address()
  const used = typeof bound === 'object' && bound ? bound.port : port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${used}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}
