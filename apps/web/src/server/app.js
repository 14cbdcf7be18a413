// The production server's request handler: static files by sirv, our headers, the shell for the routes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sirv from 'sirv'
import { CONNECT, DEMO_APP, headersFor, inlineHashes, PAGES, pageFor, ROUTES } from './headers.js'

/**
 * @param {import('node:http').IncomingMessage} request
 * @returns {string | undefined} The path that is asked for, or undefined for a target that is none.
 */
function pathOf(request) {
  try {
    return decodeURIComponent(new URL(request.url ?? '/', 'http://keyhole.invalid').pathname)
  } catch {
    return undefined
  }
}

/**
 * A handler for `node:http` that serves a built client.
 * @param {string} folder The client's folder, as `vite build` leaves it.
 * @throws {Error} where the folder holds no built client.
 */
export function createApp(folder) {
  const hashes = inlineHashes(readFileSync(join(folder, PAGES.landing), 'utf8'))
  const files = sirv(folder, {
    etag: true,
    brotli: true,
    gzip: true,
    setHeaders: (response, path) => {
      // Which page it is depends on the language that was asked for.
      if (path.endsWith('.html')) response.setHeader('Vary', 'Accept-Encoding, Accept-Language')
    },
  })

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   */
  return (request, response) => {
    const pathname = pathOf(request)
    for (const [name, value] of Object.entries(headersFor(pathname ?? '', hashes)))
      response.setHeader(name, value)
    /** @param {number} status @param {string} text */
    const refuse = (status, text) => {
      response.statusCode = status
      // What is not there today may be there after the next deploy.
      response.setHeader('Cache-Control', 'no-cache')
      response.setHeader('Content-Type', 'text/plain; charset=utf-8')
      response.end(text)
    }
    if (pathname === undefined) return refuse(400, 'That address cannot be read.\n')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD')
      return refuse(405, 'Only GET and HEAD are answered here.\n')
    }
    const shell = () => {
      request.url = pageFor(pathname, request.headers['accept-language'])
      files(request, response, () => refuse(404, 'Not found.\n'))
    }
    if ([...ROUTES, CONNECT, DEMO_APP].includes(pathname)) return shell()
    files(request, response, () => {
      const navigates = (request.headers.accept ?? '').includes('text/html') && !/\.\w+$/.test(pathname)
      if (!navigates) return refuse(404, 'Not found.\n')
      // The client says in words that there is no such page; the status says it to programs. It goes with the whole page:
      // a part of it, or "not modified", would be a blank one under this status.
      delete request.headers.range
      delete request.headers['if-none-match']
      const { writeHead } = response
      response.writeHead = (/** @type {number} */ _status, /** @type {never[]} */ ...rest) =>
        Reflect.apply(writeHead, response, [404, ...rest])
      shell()
    })
  }
}
