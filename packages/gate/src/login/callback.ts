// Where a browser comes back to after a login: a page on this machine (RFC 8252, section 7.3).
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { GateError } from '../errors.ts'

/** What the issuer answered. */
export interface Callback {
  readonly code: string
  readonly iss: string | undefined
}

export interface CallbackListener {
  readonly url: string
  /** Waits for the answer to the request with this state. @throws GateError LOGIN_FAILED; the signal's reason */
  receive(state: string, signal: AbortSignal): Promise<Callback>
  close(): void
}

const PAGE = (text: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Keyhole</title><p>${text}`
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
}

/** Listens on 127.0.0.1. @param port 0 for any @throws GateError LISTEN_FAILED */
export async function listenForCallback(port: number): Promise<CallbackListener> {
  let answer: (query: URLSearchParams) => boolean = () => false
  const server = createServer((request, response) => {
    const end = (status: number, text: string) => response.writeHead(status, HEADERS).end(PAGE(text))
    // Another host name means that a page pointed its own name here (DNS rebinding).
    const own = `127.0.0.1:${portOf()}`
    const { url: path = '' } = request
    const url = URL.canParse(path, `http://${own}`) ? new URL(path, `http://${own}`) : undefined
    const isOwn = request.headers.host === own && url?.host === own
    if (!isOwn || url.pathname !== '/callback') return void end(404, 'Not found.')
    if (request.method !== 'GET') return void end(405, 'Not allowed.')
    if (!answer(url.searchParams))
      return void end(400, 'This is not the answer to a login that is waiting. Start it again.')
    end(200, 'Done. You can close this window.')
  })
  server.maxConnections = 16
  server.requestTimeout = 30_000
  const portOf = () => {
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', () =>
      reject(new GateError('LISTEN_FAILED', `Port ${port} of this machine can't be used.`)),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${portOf()}/callback`,
    receive(state, signal) {
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        answer = (query) => {
          if (!isSame(query.get('state') ?? '', state)) return false
          const error = query.get('error')
          const code = query.get('code')
          // Only the codes of the specification: the text is a stranger's.
          const why = /^[a-z_]{1,40}$/.test(error ?? '') ? ` (${error})` : ''
          if (code !== null && error === null) resolve({ code, iss: query.get('iss') ?? undefined })
          else reject(new GateError('LOGIN_FAILED', `The login was refused${why}. Nothing was changed.`))
          return true
        }
      })
    },
    close() {
      server.close()
      // Let the last response finish first.
      setTimeout(() => server.closeAllConnections(), 500).unref()
    },
  }
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
