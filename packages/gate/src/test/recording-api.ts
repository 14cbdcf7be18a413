import dns, { type LookupAddress } from 'node:dns'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, isIP, Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'

/** A request as it came. */
export interface Recorded {
  readonly method: string
  /** As it was sent, encoded. */
  readonly target: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** How an API answers: status, headers, body. */
export type Answers = (request: Recorded) => readonly [number, Record<string, string>, string | Buffer]

/** An API on this machine that writes down what it is asked. */
export async function recordingApi(
  answers: Answers = () => [200, { 'content-type': 'application/json' }, '{}'],
) {
  const requests: Recorded[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const recorded = { method, target: url, headers, body: await textOf(request) }
    requests.push(recorded)
    const [status, answered, body] = answers(recorded)
    response.writeHead(status, answered).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { requests, url: `http://127.0.0.1:${port}` }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}

const hex = (text: string) => Buffer.from(text).toString('hex')
const eachByte = (text: string, write: (byte: string) => string) =>
  Array.from(Buffer.from(text), (byte) => write(byte.toString(16).padStart(2, '0'))).join('')

/** How an API may write a credential that it gives away. Made without the code that looks for them. */
export const WRITINGS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  capitals: (secret) => secret.toUpperCase(),
  bearer: (secret) => `Bearer ${secret}, and more`,
  json: (secret) => JSON.stringify(secret),
  jsonInJson: (secret) => JSON.stringify(JSON.stringify({ secret })),
  escapes: (secret) => eachByte(secret, (byte) => `\\u00${byte}`),
  percent: encodeURIComponent,
  percentLower: (secret) => encodeURIComponent(secret).replace(/%../g, (each) => each.toLowerCase()),
  percentAll: (secret) => eachByte(secret, (byte) => `%${byte.toUpperCase()}`),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  base64url: (secret) => Buffer.from(`x${secret}`).toString('base64url'),
  base64Inside: (secret) => Buffer.from(`token=${secret};`).toString('base64'),
  hex,
  hexCapitals: (secret) => hex(secret).toUpperCase(),
  backwards: (secret) => [...secret].reverse().join(''),
  half: (secret) => secret.slice(0, 12),
  spaced: (secret) => [...secret].join(' '),
}

/** So many characters of a secret in one piece give it away. */
const PIECE = 8

/** What someone can read a secret out of in these texts. */
export function leaksIn(texts: readonly string[], secret: string): readonly string[] {
  const wanted = secret.toLowerCase()
  const pieces = Array.from({ length: wanted.length - PIECE + 1 }, (_, at) => wanted.slice(at, at + PIECE))
  const squeeze = (text: string) => text.replace(/[^a-z0-9]/g, '')
  return texts.filter((text) =>
    readingsOf(text).some((reading) => {
      const lower = reading.toLowerCase()
      return pieces.some((piece) => lower.includes(piece)) || squeeze(lower).includes(squeeze(wanted))
    }),
  )
}

/** A text as it stands, and decoded in every way that fits, from every place at which it may start. */
function readingsOf(text: string): readonly string[] {
  const byte = (_all: string, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))
  const unescaped = text
    .replace(/\\+u00([\da-f]{2})/gi, byte)
    .replace(/\\+x([\da-f]{2})/gi, byte)
    .replace(/\\+(["\\/])/g, '$1')
  const unquoted = unescaped.replace(/%([\da-f]{2})/gi, byte)
  const decoded = (encoding: 'base64' | 'hex', letters: RegExp, width: number) =>
    Array.from({ length: width }, (_, start) =>
      [...text.matchAll(letters)]
        .map(([run]) => Buffer.from(run.slice(start), encoding).toString('latin1'))
        .join('\n'),
    )
  const once = [
    ...[text, unescaped, unquoted],
    ...decoded('base64', /[\w+/-]{11,}/g, 4),
    ...decoded('hex', /[\da-f]{16,}/gi, 2),
  ]
  return [...once, ...once.map((each) => [...each].reverse().join(''))]
}

/** Everything that is written in a folder, line by line. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found.filter((each) => each.isFile())
  const texts = await Promise.all(files.map((each) => readFile(join(each.parentPath, each.name), 'latin1')))
  return texts.flatMap((text) => text.split('\n'))
}

type Callback = (error: Error | null, found: string | LookupAddress[], family?: number) => void
type Lookup = (host: string, options: object, callback: Callback) => void

/**
 * Watches every connection that this process tries to make, whatever opens it, and lets none through but those to one origin.
 *
 * @param names what each name leads to. No other name is known
 * @returns the addresses, each with its port, in the order in which they were tried
 */
export function watchConnections(origin: string, names: Readonly<Record<string, readonly string[]>> = {}) {
  const allowed = new URL(origin).host
  const tried: string[] = []
  const asked: string[] = []
  const blocked = () => Object.assign(new Error('This connection is not let through.'), { code: 'EBLOCKED' })
  const isLetThrough = (address: string, port: unknown) => {
    const place = `${address.includes(':') ? `[${address}]` : address}:${port}`
    tried.push(place)
    return place === allowed
  }
  const lookup: Lookup = (host, options, callback) => {
    asked.push(host)
    const found = (names[host] ?? []).map((address) => ({ address, family: isIP(address) }))
    const [first] = found
    if (!first) callback(Object.assign(new Error(`There is no ${host}.`), { code: 'ENOTFOUND' }), [])
    else if ('all' in options && options.all) callback(null, found)
    else callback(null, first.address, first.family)
  }
  const lookups = vi.spyOn(dns, 'lookup').mockImplementation(lookup as never)
  syncBuiltinESMExports()
  const connect = Socket.prototype.connect
  const connections = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
    this: Socket,
    ...args: unknown[]
  ): Socket {
    const [given] = args.flat()
    const options = typeof given === 'object' ? Object(given) : { port: given, host: args[1] }
    const { host = 'localhost', port, path } = options
    const refuse = () => {
      process.nextTick(() => this.destroy(blocked()))
      return this
    }
    if (path !== undefined && port === undefined) {
      tried.push(path)
      return refuse()
    }
    if (isIP(host) && !isLetThrough(host, port)) return refuse()
    if (!isIP(host)) {
      const inner: Lookup = options.lookup ?? lookup
      // What a name led to is what is connected to.
      options.lookup = (name: string, how: object, callback: Callback) =>
        inner(name, how, (error, found, family) => {
          if (error) return callback(error, found, family)
          const places = typeof found === 'string' ? [found] : found.map(({ address }) => address)
          const isAllowed = places.map((each) => isLetThrough(each, port)).every(Boolean)
          if (!isAllowed) return callback(blocked(), [])
          callback(null, found, family)
        })
      if (typeof given !== 'object') return connect.call(this, options)
    }
    return Reflect.apply(connect, this, args)
  } as never)
  onTestFinished(() => {
    lookups.mockRestore()
    connections.mockRestore()
    syncBuiltinESMExports()
  })
  return { tried, asked }
}
