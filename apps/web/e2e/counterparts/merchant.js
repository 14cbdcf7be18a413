// A merchant on another origin: a page with a PaymentRequest and its own policy, and a server that checks the answer. For the browser tests
// and for bench/.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import { createEnclave } from '@keyhole/enclave'
import { makeReceiptKey } from './receipt-key.js'
import { Shop } from './shop.js'

const HERE = join(import.meta.dirname, 'merchant-page')
/** @type {Readonly<Record<string, readonly [name: string, type: string]>>} */
const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/main.js': ['main.js', 'text/javascript; charset=utf-8'],
}

/**
 * @typedef {object} Merchant
 * @property {string} origin
 * @property {string} url of its page, with a trailing slash
 * @property {Shop} shop
 * @property {() => Promise<string>} giveReceipts adds a receipt to each verdict that is paid from now on; returns
 * the DID of the key that signs them
 * @property {() => Promise<void>} close
 */

/**
 * Starts a merchant that takes the payment method of one origin.
 * @param {string} handler that origin
 * @param {{host: string, key: string, cert: string}} [secure] its host name and certificate; default plain HTTP at `localhost`
 * @returns {Promise<Merchant>}
 */
export async function startMerchant(handler, secure) {
  const method = new URL('/payment', handler).href
  const enclave = await createEnclave({ keyless: true })
  /** @type {Shop} */
  let shop
  /** @type {import('./receipt-key.js').ReceiptKey | undefined} */
  let receiptKey
  /** @type {import('node:http').RequestListener} */
  const serve = async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://merchant.invalid')
    if (request.method === 'POST' && pathname === '/collect') {
      const { order, answer } = JSON.parse(await bodyOf(request))
      response.setHeader('Content-Type', 'application/json')
      const verdict = await shop.collect(order, answer)
      const receipt = 'paid' in verdict ? await receiptKey?.confirm(verdict.paid.task) : undefined
      response.end(JSON.stringify({ ...verdict, ...(receipt !== undefined && { receipt }) }))
      return
    }
    const [file, type] = FILES[pathname] ?? []
    if (file === undefined || type === undefined) {
      // Browsers ask for an icon.
      response.statusCode = pathname === '/favicon.ico' ? 204 : 404
      response.end()
      return
    }
    response.setHeader('Content-Type', type)
    // As strict as a shop's policy can be. The manifests and icon that the browser fetches to find the method count as requests of this
    // page.
    response.setHeader(
      'Content-Security-Policy',
      `default-src 'none'; script-src 'self'; connect-src 'self' ${handler}; img-src ${handler}; frame-src http://localhost:*; base-uri 'none'`,
    )
    response.end(readFileSync(join(HERE, file), 'utf8').replaceAll('{{method}}', method))
  }
  const server = secure ? createSecureServer(secure, serve) : createServer(serve)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const origin = secure ? `https://${secure.host}:${port}` : `http://localhost:${port}`
  shop = new Shop({ enclave, origin, method })
  return {
    origin,
    url: `${origin}/`,
    shop,
    giveReceipts: async () => {
      receiptKey ??= await makeReceiptKey()
      return receiptKey.did
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await receiptKey?.close()
      await enclave.close()
    },
  }
}

/** @param {import('node:http').IncomingMessage} request */
async function bodyOf(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
