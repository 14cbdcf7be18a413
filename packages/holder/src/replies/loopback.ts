// Brings an answer back to a program on this machine (RFC 8252, section 7.3): after the person grants, the vault's
// window goes to an address on 127.0.0.1 with the answer after the `#`, and the page there passes it to the program
// (docs/requests.md, "By loopback"). For Node, Bun and Deno.
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { answersRequest } from '../asking/answer.ts'
import type { ReplyWay } from '../asking/reply.ts'
import { toBase64url } from '../codec/text.ts'
import { HolderError } from '../errors.ts'
import { randomBytes } from '../identity/holder-key.ts'

export interface LoopbackOptions {
  /** How long to wait for an answer, in milliseconds. Default: ten minutes. */
  readonly timeout?: number
}

const TEN_MINUTES = 600_000
/** Maximum length of an answer, in bytes. */
const LONGEST_ANSWER = 128 * 1_024
/** Maximum number of connections: one browser needs two. */
const CONNECTIONS = 16

// Removes the part after the `#` from the address, to keep it out of the history, and sends it.
const SCRIPT = `const answer = location.hash.slice(1)
history.replaceState(null, '', location.pathname)
fetch(location.pathname, { method: 'POST', body: answer })
  .then(({ ok }) => { document.getElementById(ok ? 'done' : 'failed').hidden = false })
  .catch(() => { document.getElementById('failed').hidden = false })`
const STYLE =
  'body { font: 1.25rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1rem }'
const PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>Keyhole</title><style>${STYLE}</style>
<p id="done" hidden>Done. You can close this window.</p>
<p id="failed" hidden>The answer did not reach the program that asked. Go back to it and ask again.</p>
<script>${SCRIPT}</script>`
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src ${hash(SCRIPT)}; style-src ${hash(STYLE)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
}

/**
 * Brings an answer back to this program from a browser on the same machine. Only listens on 127.0.0.1, at a random
 * path.
 */
export function loopback({ timeout = TEN_MINUTES }: LoopbackOptions = {}): ReplyWay {
  return async (signal) => {
    const path = `/${toBase64url(randomBytes(16))}`
    let digest: Uint8Array | undefined
    let settle = (_answer: string) => {}
    const answered = new Promise<string>((resolve) => {
      settle = resolve
    })

    const server = createServer((request, response) => {
      serve(request, response).catch(() => response.destroy())
    })

    async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const own = `127.0.0.1:${portOf(server)}`
      const end = (status: number) => response.writeHead(status, { connection: 'close' }).end()
      // Another host name means that a page pointed its own name here (DNS rebinding).
      if (request.headers.host !== own || !isSame(request.url ?? '', path)) return void end(404)
      if (request.method === 'GET') return void response.writeHead(200, HEADERS).end(PAGE)
      if (request.method !== 'POST') return void end(405)
      if (request.headers.origin !== `http://${own}`) return void end(403)
      const text = await bodyOf(request)
      if (text === undefined) return void end(413)
      if (!digest || !answersRequest(text, digest)) return void end(400)
      response.writeHead(204, { connection: 'close' }).end(() => settle(text))
    }

    await listen(server, signal)
    signal.addEventListener('abort', () => {
      server.close()
      // Let the last response finish first.
      setTimeout(() => server.closeAllConnections(), 500).unref()
    })
    return {
      reply: { loopback: `http://127.0.0.1:${portOf(server)}${path}` },
      receive(of) {
        digest = of
        return new Promise((resolve, reject) => {
          const late = setTimeout(() => {
            reject(new HolderError('RequestExpired', 'No one answered in time.'))
          }, timeout)
          signal.addEventListener('abort', () => clearTimeout(late))
          void answered.then((text) => {
            clearTimeout(late)
            resolve(text)
          })
        })
      },
    }
  }
}

function listen(server: Server, signal: AbortSignal): Promise<void> {
  server.maxConnections = CONNECTIONS
  server.headersTimeout = 10_000
  server.requestTimeout = 30_000
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** Compares in constant time. */
function isSame(url: string, path: string): boolean {
  const [a, b] = [url, path].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

/** The text sent; undefined if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    length += part.length
    if (length > LONGEST_ANSWER) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
