// An app on another origin: a page that asks a vault through @keyhole/connect, the key that the token is issued to, and the service that
// accepts it. For the browser tests and for bench/.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { answerOf, createEnclave, isRefusal } from '@keyhole/enclave'
import { createService } from './service.js'

const PAGE = join(import.meta.dirname, 'app-page')
const LIBRARY = join(import.meta.dirname, '../../../../packages/connect/dist')

/**
 * @typedef {object} App
 * @property {string} origin
 * @property {string} did of its key
 * @property {(subject: string) => Promise<void>} guard starts the service for what `subject` owns
 * @property {(token: string, call: {command: string, args: Readonly<Record<string, unknown>>}) => Promise<{status: number, name?: string}>} use calls the service
 * @property {(token: string) => Promise<{command: string, policy: unknown[], expiresIn: number}>} read what a token says
 * @property {(mandate: string, subject: string, args: Readonly<Record<string, unknown>>) => Promise<string>} pay what to send a vault for a payment under this mandate
 * @property {(request: {command: string, policy?: unknown[], expiresIn?: number, reason?: string} | {invocation: string}) => Promise<string>} link a request without
 * a window
 * @property {(revocation: string) => Promise<number>} deliver tells the service about a revocation; returns the status
 * @property {() => Promise<void>} close
 */

/** @param {import('node:http').Server} server @param {string} host */
async function listen(server, host) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return `http://${host}:${typeof address === 'object' && address ? address.port : 0}`
}

/**
 * Starts an app that knows one vault.
 * @param {string} vault the vault's origin
 * @param {{openerPolicy?: string}} [options] the app's own Cross-Origin-Opener-Policy; default none
 * @returns {Promise<App>}
 */
export async function startApp(vault, { openerPolicy } = {}) {
  const enclave = await createEnclave()
  answerOf(await enclave.call('create_vault', { passphrase: 'four words that nobody guesses' }))
  const made = answerOf(await enclave.call('get_issuer_did'))
  const did = made.issuer_did
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://app.invalid')
    const script = /^\/(page|connect)\/([\w-]+\.js)$/.exec(pathname)
    if (pathname !== '/' && !script) {
      // Browsers ask for an icon.
      response.statusCode = pathname === '/favicon.ico' ? 204 : 404
      return response.end()
    }
    if (openerPolicy !== undefined) response.setHeader('Cross-Origin-Opener-Policy', openerPolicy)
    response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html; charset=utf-8')
    const [, folder, name = ''] = script ?? []
    const file = script ? join(folder === 'page' ? PAGE : LIBRARY, name) : join(PAGE, 'index.html')
    return response.end(
      readFileSync(file, 'utf8').replaceAll('{{vault}}', vault).replaceAll('{{audience}}', did),
    )
  })
  const origin = await listen(server, 'localhost')
  /** @type {import('node:http').Server | undefined} */
  let service
  let guarded = ''
  let url = ''
  return {
    origin,
    did,
    guard: async (subject) => {
      guarded = subject
      service = await createService(subject)
      url = await listen(service, '127.0.0.1')
    },
    use: async (token, { command, args }) => {
      const invocation = await enclave.call('invoke', {
        command,
        args,
        subject_did: guarded,
        proof_token: token,
      })
      if (isRefusal(invocation)) return { status: 0, name: invocation.error }
      const headers = { Authorization: `Bearer ${invocation.token}` }
      const response = await fetch(url + command, { method: 'POST', headers })
      const { error } = await response.json()
      return { status: response.status, ...(error && { name: error.name }) }
    },
    read: async (token) => {
      const inspected = await enclave.call('inspect_token', { token })
      const [first] = isRefusal(inspected) ? [] : inspected.tokens
      if (!first) throw new Error('The text holds no token')
      const { cmd: command, pol: policy, exp } = first.payload
      return { command: String(command), policy: Object(policy), expiresIn: Number(exp) - Date.now() / 1000 }
    },
    pay: async (mandate, subject, args) => {
      const invocation = answerOf(
        await enclave.call('invoke', {
          ...{ command: '/payment/request', args, subject_did: subject, proof_token: mandate },
        }),
      )
      return invocation.token
    },
    link: async (request) => {
      const { requestLink } = await import(join(LIBRARY, 'index.js'))
      return requestLink(vault, { audience: did, ...request })
    },
    deliver: async (revocation) => {
      const response = await fetch(`${url}/revocations`, { method: 'POST', body: revocation })
      return response.status
    },
    close: async () => {
      for (const each of [server, service]) {
        each?.closeAllConnections()
        each?.close()
      }
      await enclave.close()
    },
  }
}
