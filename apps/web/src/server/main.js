// Serves the built client, and the relay at /relay. PORT and HOST choose the address; without PORT it takes the first free port from 4173.
// KEYHOLE_RELAY and others configure the relay (`relay.js`).
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createClientServer } from './client-server.js'

const FIRST_PORT = 4173
const TRIES = 20

const folder = join(import.meta.dirname, '../../dist')
if (!existsSync(join(folder, 'index.html'))) {
  console.error('The client is not built yet. Run `npm run build` first, or `npm start`, which does both.')
  process.exit(1)
}

const host = process.env.HOST ?? '127.0.0.1'
const chosen = process.env.PORT
if (chosen !== undefined && !(/^\d+$/.test(chosen) && Number(chosen) <= 65_535)) {
  console.error(`PORT is “${chosen}”, which isn't a port. A port is a number from 0 to 65535.`)
  process.exit(1)
}
const opening = import('./relay.js').then(({ openRelay }) => openRelay(process.env))
const relay = await opening.catch((/** @type {unknown} */ error) => {
  // The client works without a relay: people pass on answers and revocations themselves.
  console.error('The relay could not start, so Keyhole runs without it. Check KEYHOLE_RELAY.', error)
  return undefined
})
const server = createClientServer(folder, { relay })

/** @param {number} port @param {number} triesLeft */
function listen(port, triesLeft) {
  server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code === 'EADDRINUSE' && chosen === undefined && triesLeft > 0)
      return listen(port + 1, triesLeft - 1)
    console.error(
      error.code === 'EADDRINUSE'
        ? `Port ${port} is taken. Set PORT to another.`
        : `The server could not start: ${error.message}`,
    )
    process.exit(1)
  })
  server.listen(port, host)
}

server.on('listening', () => {
  server.removeAllListeners('error')
  // For example, too many open files: one connection fails, and the server keeps running.
  server.on('error', (error) => console.error(`A connection could not be taken: ${error.message}`))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : FIRST_PORT
  // Browsers allow Workers, WebCrypto and service workers on localhost without TLS.
  console.log(`Keyhole is at http://${host === '127.0.0.1' ? 'localhost' : host}:${port}/`)
  if (relay?.store !== undefined)
    console.log(
      `Its relay stores mailboxes and revocations in ${relay.place}. KEYHOLE_RELAY=off turns it off.`,
    )
})
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server.close()
    server.closeAllConnections()
    void relay?.close()
  })
}
listen(chosen === undefined ? FIRST_PORT : Number(chosen), TRIES)
