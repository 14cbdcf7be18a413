// What Traefik's ForwardAuth and Headers middleware do, as their documentation has it: for tests where there is no Traefik.
// Arguments: the port, and the example of the README.
import { createServer, request } from 'node:http'

const [port = '', example = ''] = process.argv.slice(2)
const [, address = ''] = /address: (\S+)/.exec(example) ?? []
const [, copied = ''] = /authResponseHeaders: \[(.*)\]/.exec(example) ?? []
const [, removed = ''] = /customRequestHeaders: \{ (\S+): "" \}/.exec(example) ?? []
const [, service = ''] = /servers: \[\{ url: (\S+) \}\]/.exec(example) ?? []
const HOP = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'content-length']

const without = (headers, names) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

/** Asks, or passes on. @returns the answer, with its body */
function send(to, { method, path, headers }) {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(to), { method, path, headers, agent: false }, async (response) => {
      const parts = []
      for await (const part of response) parts.push(part)
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) })
    })
    sent.once('error', reject)
    sent.end()
  })
}

createServer({ maxHeaderSize: 1 << 20 }, async ({ url = '', method, headers, socket }, response) => {
  // Of a whole address, only the path goes on.
  const path = url.replace(/^https?:\/\/[^/]*/i, '')
  const asked = {
    ...without(headers, HOP),
    // Without `trustForwardHeader`, what the client says of these doesn't count.
    'x-forwarded-for': socket.remoteAddress,
    'x-forwarded-method': method,
    'x-forwarded-proto': 'http',
    'x-forwarded-host': headers.host,
    'x-forwarded-uri': path,
  }
  const at = new URL(address)
  try {
    const decided = await send(address, {
      method: 'GET',
      path: at.pathname,
      headers: { ...asked, host: at.host },
    })
    if (decided.status < 200 || decided.status > 299) {
      response.writeHead(decided.status, without(decided.headers, HOP)).end(decided.body)
      return
    }
    const given = copied.split(', ').map((name) => name.toLowerCase())
    const set = given.flatMap((name) => (name in decided.headers ? [[name, decided.headers[name]]] : []))
    const passed = { ...without(headers, [...HOP, ...given]), ...Object.fromEntries(set) }
    const answer = await send(service, { method, path, headers: without(passed, [removed.toLowerCase()]) })
    response.writeHead(answer.status, without(answer.headers, HOP)).end(answer.body)
  } catch {
    response.writeHead(500).end()
  }
}).listen(Number(port), '127.0.0.1')
