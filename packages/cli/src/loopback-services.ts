// HTTP APIs behind a gate, on a loopback address, for a program that can't sign: each request is signed and sent on. The address has a
// random part, because other users of this machine, and pages in its browsers, can reach the port too.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stringifyJson } from '@keyhole/enclave'
import { HolderError } from '@keyhole/holder'
import { CommandError, FAILED } from './errors.ts'
import { isMediaType, LONGEST_BODY, serviceBody } from './service-body.ts'
import { METHODS, type Outcome, type ServiceCall, type ServiceCaller } from './service-calls.ts'

export interface LoopbackOptions {
  readonly caller: ServiceCaller
  /** Names of the services that are offered. */
  readonly services: readonly string[]
  /** Called with what went wrong inside. It has no secret in it. */
  readonly onError: (error: unknown) => void
}

export interface LoopbackServices {
  /** The base URL of a service: whoever knows it can use the grants. */
  url(service: string): string
  close(): Promise<void>
}

/** From the first byte of a request to its end, in milliseconds. */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 60_000, maxHeaderSize: 16_384 }
/** Headers of an answer that a program gets. Those about the connection and about pages stay out. */
const HEADERS =
  /^(?:content-type|content-language|content-range|etag|last-modified|cache-control|expires|date|retry-after|link|location|(?:x-)?request-id|(?:x-)?ratelimit-[a-z-]+|x-total-count|deprecation|sunset|x-keyhole-answered-by)$/

/** A request that can't be signed as it is. */
class WrongRequest extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Listens on a free port of 127.0.0.1. @throws CommandError LISTEN_FAILED */
export async function openLoopback({
  caller,
  services,
  onError,
}: LoopbackOptions): Promise<LoopbackServices> {
  const secret = randomBytes(24).toString('base64url')
  let host = ''

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const place = placeOf(request, host, secret, services)
    if (!place) {
      say(response, 404, { error: { name: 'NotFound', message: 'There is nothing here.' } })
      return
    }
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    try {
      const call = await callOf(request, place)
      give(response, await caller.call(call, gone.signal), (path) => `${url(place.service)}${path}`)
    } catch (error) {
      if (gone.signal.aborted) return
      const { status, code, message } = problemOf(error)
      if (status >= 500) onError(error)
      say(response, status, { error: { name: code, message } })
    }
  }

  const server = createServer(LIMITS, (request, response) => {
    request.on('error', () => {})
    response.on('error', () => {})
    void answer(request, response).catch((error) => {
      onError(error)
      response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) =>
      reject(new CommandError(FAILED, 'LISTEN_FAILED', `No port of this machine can be used: ${message}`)),
    )
    server.listen(0, '127.0.0.1', resolve)
  })
  server.on('error', onError)
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = (service: string) => `http://${host}/${secret}/${service}`
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Place {
  readonly service: string
  /** Encoded. */
  readonly path: string
  readonly query: string
}

/** What a request is for; undefined if it comes from a page, or does not know the address. */
function placeOf(
  { url = '', headers }: IncomingMessage,
  host: string,
  secret: string,
  services: readonly string[],
): Place | undefined {
  // A browser says so when a page sends a request. Only what a person typed has no origin and no site.
  const isFromPage = headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none'
  // Another name may lead to this machine too.
  if (isFromPage || headers.host !== host) return undefined
  const [, given = '', service = '', path = '', query = ''] =
    /^\/([\w-]+)\/([a-z0-9_-]+)(\/[^?#]*)?(?:\?([^#]*))?$/.exec(url) ?? []
  const isKnown = given.length === secret.length && timingSafeEqual(Buffer.from(given), Buffer.from(secret))
  return isKnown && services.includes(service) ? { service, path: path || '/', query } : undefined
}

async function callOf(request: IncomingMessage, { service, path, query }: Place): Promise<ServiceCall> {
  const method = request.method ?? ''
  if (!METHODS.some((each) => each === method))
    throw new WrongRequest(405, 'MethodNotAllowed', `${METHODS.join(', ')} can be signed.`)
  const body = await bodyOf(request)
  const pairs = queryOf(query)
  return {
    service,
    method,
    path: decodePath(path),
    ...(pairs && { query: pairs }),
    ...body,
  }
}

function decodePath(path: string): string {
  // A slash that is escaped is part of a name, and would become one between names.
  if (/%2f/i.test(path)) throw unclear('A path with an escaped slash')
  return decode(path, 'The path')
}

function queryOf(text: string): Readonly<Record<string, string | readonly string[]>> | undefined {
  const query = new Map<string, string[]>()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
    const read = (part: string) => decode(part.replaceAll('+', ' '), 'The query')
    const values = query.get(read(name))
    if (values) values.push(read(value))
    else query.set(read(name), [read(value)])
  }
  if (query.size === 0) return undefined
  return Object.fromEntries(
    Array.from(query, ([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  )
}

function decode(text: string, what: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw unclear(what)
  }
}

function unclear(what: string): WrongRequest {
  return new WrongRequest(400, 'UnclearPath', `${what} can be read in two ways, so it can't be signed.`)
}

/** What is sent: JSON that is signed if it isn't too long, or bytes beside the call; undefined for nothing. */
async function bodyOf(request: IncomingMessage): Promise<Pick<ServiceCall, 'body' | 'upload'> | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    const bytes = Buffer.from(part)
    length += bytes.length
    if (length > LONGEST_BODY) throw new WrongRequest(413, 'TooLarge', 'The body is longer than 64 MiB.')
    parts.push(bytes)
  }
  if (length === 0) return undefined
  const type = String(request.headers['content-type'] ?? '')
  if (request.headers['content-encoding'] !== undefined || !isMediaType(type))
    throw new WrongRequest(415, 'UnsupportedBody', 'Say the content type of the body, and send it unpacked.')
  const body = await serviceBody(Buffer.concat(parts), type)
  if (!body) throw new WrongRequest(400, 'MalformedCall', "The body isn't JSON.")
  return body
}

/** @param address of a path below the service, as a program reaches it */
function give(response: ServerResponse, outcome: Outcome, address: (path: string) => string): void {
  if ('needed' in outcome) {
    const { code, message, link, shortCode } = outcome.needed
    say(response, 403, { error: { name: code, message }, link, code: shortCode })
    return
  }
  if ('refused' in outcome) {
    const { code, message, status } = outcome.refused
    say(response, status, { error: { name: code, message } })
    return
  }
  const { status, headers, body } = outcome.answered
  for (const [name, value] of headers) {
    if (!HEADERS.test(name)) continue
    // The gate names the place below the service. It is asked for like any other.
    response.setHeader(name, name === 'location' ? address(value) : value)
  }
  response.setHeader('x-content-type-options', 'nosniff')
  response.writeHead(status).end(body)
}

function say(response: ServerResponse, status: number, said: object): void {
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // A body that was not read to its end.
    ...(status === 413 && { connection: 'close' }),
  }
  response.writeHead(status, headers).end(`${stringifyJson(said)}\n`)
}

function problemOf(error: unknown): { status: number; code: string; message: string } {
  if (error instanceof WrongRequest) return error
  if (error instanceof CommandError) return { status: 502, code: error.code, message: error.message }
  if (error instanceof HolderError) return { status: 400, code: error.code, message: error.message }
  return { status: 500, code: 'FAILED', message: "The call couldn't be signed." }
}
