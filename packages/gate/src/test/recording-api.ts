import dns, { type LookupAddress } from 'node:dns'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, connect as connectTo, isIP, Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { encode, head } from '../../../enclave/src/test/naive-cbor.ts'
import { type Person, signBytes, type Token, tokenOf } from '../../../enclave/src/test/naive-tokens.ts'

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
 * Watches every connection that this process tries to make, whatever opens it, and lets none through but those to these origins.
 *
 * @param names what each name leads to. No other name is known
 * @returns the addresses, each with its port, in the order in which they were tried
 */
export function watchConnections(
  origins: readonly string[],
  names: Readonly<Record<string, readonly string[]>> = {},
) {
  const allowed = origins.map((each) => new URL(each).host)
  const tried: string[] = []
  const asked: string[] = []
  const blocked = () => Object.assign(new Error('This connection is not let through.'), { code: 'EBLOCKED' })
  const isLetThrough = (address: string, port: unknown) => {
    const place = `${address.includes(':') ? `[${address}]` : address}:${port}`
    tried.push(place)
    return allowed.includes(place)
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

/** Sends bytes as they are. @returns all that comes back until the other side closes, or says nothing for long */
export async function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return await new Promise((resolve) => {
    let answer = ''
    const socket = connectTo(Number(port), hostname)
    socket.setTimeout(10_000, () => socket.destroy())
    socket.on('data', (part) => {
      answer += part.toString('latin1')
      // MCP's answers leave the connection open.
      if (isWhole(answer)) socket.setTimeout(50)
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
    socket.write(text, 'latin1')
  })
}

function isWhole(answer: string): boolean {
  const [head = '', ...parts] = answer.split('\r\n\r\n')
  const [, length] = /^content-length: *(\d+)/im.exec(head) ?? []
  if (length === undefined) return answer.endsWith('\r\n0\r\n\r\n')
  return parts.join('\r\n\r\n').length >= Number(length)
}

/** A POST, to be written in ways of which two readers may make two things. */
export interface RawPost {
  readonly url: string
  readonly path: string
  /** Besides the host's and the length. */
  readonly headers: readonly string[]
  readonly body: string
  /** Another whole request, that is hidden in this one. */
  readonly hidden: string
  /** Where no request may lead. */
  readonly elsewhere: string
}

/** Ways to write a POST. Of those that are clear, the request is what it says. Of those that are unclear there is none. */
export function writingsOfPost({ url, path, headers, body, hidden, elsewhere }: RawPost) {
  const { host } = new URL(url)
  const other = new URL(elsewhere).host
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  const chunk = (text: string) =>
    text === '' ? '' : `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
  const chunked = `${chunk(body)}0\r\n\r\n`
  const write = (
    change: {
      line?: string
      host?: string
      headers?: readonly string[]
      more?: readonly string[]
      length?: readonly string[]
      body?: string
      end?: string
    } = {},
  ) => {
    const { line = `POST ${path} HTTP/1.1`, more = [], end = '\r\n' } = change
    const all = [line, change.host ?? `Host: ${host}`, ...(change.headers ?? headers), ...more]
    const lines = [...all, ...(change.length ?? [length]), 'Connection: close']
    return `${lines.join(end)}${end}${end}${change.body ?? body}`
  }
  const line = (target: string, method = 'POST', version = 'HTTP/1.1') =>
    write({ line: `${method} ${target} ${version}` })
  const [first = '', ...others] = headers
  const split = first.replace(/: (.{5})/, ': $1\r\n ')
  return {
    clear: {
      plain: write(),
      forwarded: write({
        more: [
          ...['Host', 'Server', 'Proto', 'Port', 'For', 'Prefix', 'Uri', 'Method'].map(
            (each) => `X-Forwarded-${each}: ${other}`,
          ),
          ...[
            `Forwarded: host=${other};proto=https`,
            `X-Original-URL: //${other}/`,
            `X-Rewrite-URL: ${elsewhere}`,
          ],
          ...[`X-Real-IP: 127.0.0.1`, `X-Host: ${other}`, `Via: 1.1 ${other}`, `Referer: ${elsewhere}`],
        ],
      }),
      override: write({
        more: ['-HTTP-Method-Override', '-HTTP-Method', '-Method-Override', '-Original-Method'].map(
          (each) => `X${each}: DELETE`,
        ),
      }),
      query: line(`${path}?_method=DELETE&path=/admin&service=other`),
      otherPort: write({ host: 'Host: localhost:1' }),
      cookies: write({
        more: ['Cookie: a=b', `Authentication: x`, 'X-Key: mine', 'Proxy-Authorization: Basic eDp5'],
      }),
      chunked: write({ length: ['Transfer-Encoding: chunked'], body: chunked }),
      extended: write({ length: ['Transfer-Encoding: chunked'], body: chunked.replace('\r\n', ';a=b\r\n') }),
      expecting: write({ more: ['Expect: 100-continue'] }),
      upgrading: write({ more: ['Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'] }),
      longer: write({ more: [`X-Long: ${'x'.repeat(4_000)}`] }),
    },
    unclear: {
      twoLengths: write({
        length: [length, `Content-Length: ${Buffer.byteLength(body + hidden)}`],
        body: body + hidden,
      }),
      twoLengthsBefore: write({
        length: [`Content-Length: ${Buffer.byteLength(body + hidden)}`, length],
        body: body + hidden,
      }),
      sameLengths: write({ length: [length, length] }),
      listOfLengths: write({ length: [`${length}, ${Buffer.byteLength(body)}`] }),
      signedLength: write({ length: [length.replace(': ', ': +')] }),
      negativeLength: write({ length: ['Content-Length: -1'] }),
      lengthAndChunks: write({ length: [length, 'Transfer-Encoding: chunked'], body: `0\r\n\r\n${hidden}` }),
      chunksAndLength: write({
        length: ['Transfer-Encoding: chunked', `Content-Length: 5`],
        body: `${chunked}${hidden}`,
      }),
      notLastChunked: write({ length: ['Transfer-Encoding: chunked, identity'], body: chunked }),
      spaceBeforeColon: write({ length: [length, 'Transfer-Encoding : chunked'], body: chunked + hidden }),
      tabInCoding: write({ length: [length, 'Transfer-Encoding:\x0bchunked'], body: chunked + hidden }),
      folded: write({ headers: [split, ...others] }),
      foldedLength: write({ length: ['Content-Length:', ` ${Buffer.byteLength(body)}`, ' 0'] }),
      nul: write({ more: ['X-A: a\0b'] }),
      nulInFirst: write({ headers: [`${first}\0`, ...others] }),
      newline: write({ more: [`X-A: a\nContent-Length: 0`] }),
      returned: write({ more: [`X-A: a\rContent-Length: 0`] }),
      spaceInName: write({ more: ['X A: a'] }),
      noName: write({ more: [': a'] }),
      bareNewlines: write({ end: '\n' }),
      bareReturns: write({ end: '\r' }),
      spaceFirst: write({ line: ` POST ${path} HTTP/1.1` }),
      noHost: write({ host: 'X-A: b' }),
      emptyHost: write({ host: 'Host:' }),
      otherHost: write({ host: `Host: evil.example` }),
      hostWithUser: write({ host: `Host: ${host}@evil.example` }),
      hostWithPath: write({ host: `Host: ${host}/../x` }),
      authority: line('evil.example:443', 'CONNECT'),
      slashes: line(`//${other}${path}`),
      slashesElsewhere: line(`//${other}/`),
      backslashes: line(`/\\${other}${path}`),
      userInPath: line(`@${other}${path}`),
      doubled: line(path.replace(/\//g, '//')),
      dotsBehind: line(`${path}/..`),
      dotsAbove: line(`${path}/../x`),
      dotsEscaped: line(`${path}/%2e%2e/${path.split('/').at(-1)}x`),
      escaped: line(path.replace(/.$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)),
      nulInPath: line(`${path}%00`),
      below: line(`${path}/x`),
      capitals: line(path.toUpperCase()),
      otherMethod: line(path, 'PUT'),
      deleting: line(path, 'DELETE'),
      smallMethod: line(path, 'post'),
      longMethod: line(path, 'POSTX'),
      newer: `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${write()}`,
      noVersion: line(path, 'POST', ''),
    },
    /** A reader may take these for what is signed, and for nothing else. */
    either: {
      absolute: line(`http://evil.example${path}`),
      absoluteElsewhere: line(`${elsewhere}${path}`),
      absoluteSecure: line(`https://evil.example${path}`),
      dotsBefore: line(`/x/..${path}`),
      old: line(path, 'POST', 'HTTP/0.9'),
      // The call is in the headers: it may have been made when the body turns out to be wrong.
      unknownCoding: write({ length: ['Transfer-Encoding: xchunked'], body: chunked }),
      wrongChunk: write({ length: ['Transfer-Encoding: chunked'], body: `0x1\r\n${hidden}\r\n0\r\n\r\n` }),
    },
    /** What is hidden is another request, which comes after this one. */
    hiding: {
      after: write({ body: body + hidden }).replace('Connection: close', 'Connection: keep-alive'),
      afterChunks: write({ length: ['Transfer-Encoding: chunked'], body: chunked + hidden }).replace(
        'Connection: close',
        'Connection: keep-alive',
      ),
      twice: write().replace('Connection: close', 'Connection: keep-alive') + write(),
    },
  } as const
}

/** A token in whose bytes one text has the place of another one of the same length, signed again. So a key can stand there twice. */
export function renamed({ bytes }: Token, signer: Person, from: string, to: string): Token {
  // A list of two, and 64 bytes of signature with their head.
  const payload = bytes.subarray(1 + 2 + 64).toString('latin1')
  if (payload.split(from).length !== 2 || from.length !== to.length)
    throw new Error(`${from} doesn't stand there once.`)
  const changed = Buffer.from(payload.replace(from, to), 'latin1')
  return tokenOf(Buffer.concat([head(4, 2), encode(signBytes(signer, changed)), changed]))
}
