// A relay, or a server of the same events that checks and stores nothing: `node server.mjs relay <folder>`, `node server.mjs bare`. It
// prints its port.
import { createServer } from 'node:http'
import { createRelay } from '@keyhole/relay'
import { embeddedStore } from '@keyhole/relay/embedded'
import { relayListener } from '@keyhole/relay/node'

const [kind, folder = ''] = process.argv.slice(2)

/** Every listener hears everything that is posted. */
function bare() {
  /** @type {Set<import('node:http').ServerResponse>} */
  const listeners = new Set()
  setInterval(() => {
    for (const listener of listeners) listener.write('event: alive\ndata: {}\n\n')
  }, 10_000)
  /** @type {import('node:http').RequestListener} */
  return (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('retry: 1000\n\n')
      listeners.add(response)
      request.on('close', () => listeners.delete(response))
      return
    }
    let body = ''
    request.on('data', (data) => {
      body += data
    })
    request.on('end', () => {
      for (const listener of listeners) listener.write(`event: revocation\ndata: ${body}\n\n`)
      response.writeHead(201).end()
    })
  }
}

async function relay() {
  return relayListener(await createRelay({ store: embeddedStore(folder) }))
}

const server = createServer(kind === 'bare' ? bare() : await relay())
// Ten thousand connections that arrive at once wait here.
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  const address = server.address()
  if (address && typeof address !== 'string') console.log(address.port)
})
