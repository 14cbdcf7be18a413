// The production server's request handler: serves the build from memory with our headers, and the shell for the routes.
import { CurrentBuild } from './build.js'
import { headersFor } from './headers.js'
import { formFor, names, rangeOf } from './negotiation.js'
import { CONNECT, DEMO_APP, pageFor, ROUTES } from './pages.js'

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */
/** @typedef {import('./build.js').ServedFile} ServedFile */

const DOCUMENTS = [...ROUTES, CONNECT, DEMO_APP]

/**
 * @param {string} target from the request line: a path, or a whole address as proxies receive it
 * @returns {string | undefined} the decoded path, or undefined if the target has none
 */
function pathOf(target) {
  const [, path] = /^(?:https?:\/\/[^/?#]*)?(\/[^?#]*)/i.exec(target) ?? []
  if (path === undefined) return undefined
  try {
    const decoded = decodeURIComponent(path)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
    return /[\u0000-\u001f\u007f\\]/.test(decoded) ? undefined : decoded
  } catch {
    return undefined
  }
}

/** @param {Request} request */
function hasBody({ headers }) {
  return headers['transfer-encoding'] !== undefined || !['0', undefined].includes(headers['content-length'])
}

/**
 * @param {Response} response
 * @param {number} status
 * @param {string} text a sentence for the person or program that asked
 */
export function refuse(response, status, text) {
  response.statusCode = status
  // What is missing now may exist after the next deploy.
  response.setHeader('Cache-Control', 'no-cache')
  response.setHeader('Content-Type', 'text/plain; charset=utf-8')
  response.end(`${text}\n`)
}

/**
 * Answers with a file, or a part of it, or "not modified".
 * @param {Request} request
 * @param {Response} response
 * @param {ServedFile} file
 */
function sendFile({ headers, method }, response, file) {
  const { form, encoding } = formFor(file, String(headers['accept-encoding'] ?? ''))
  response.setHeader('ETag', form.etag)
  response.setHeader('Accept-Ranges', 'bytes')
  if (headers['if-match'] !== undefined && !names(headers['if-match'], form.etag, 'strong'))
    return refuse(response, 412, 'This file has changed.')
  if (headers['if-none-match'] !== undefined && names(headers['if-none-match'], form.etag, 'weak')) {
    response.statusCode = 304
    return response.end()
  }
  const { length } = form.body
  const isCut = method === 'GET' && [undefined, form.etag].includes(headers['if-range']?.toString())
  const range = rangeOf(isCut ? headers.range : undefined, length)
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${length}`)
    return refuse(response, 416, 'This file has no such part.')
  }
  response.setHeader('Content-Type', file.type)
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding)
  if (range === 'whole') return sendBytes(response, form.body)
  response.statusCode = 206
  response.setHeader('Content-Range', `bytes ${range.first}-${range.last}/${length}`)
  return sendBytes(response, form.body.subarray(range.first, range.last + 1))
}

/** @param {Response} response @param {Buffer} bytes */
function sendBytes(response, bytes) {
  response.setHeader('Content-Length', bytes.length)
  response.end(bytes)
}

/**
 * A handler for `node:http` that serves a built client. A new build in the same folder is served once it is complete. Until then it keeps
 * serving what it read before, whatever happens to the files.
 * @param {string} folder The client's folder, as `vite build` leaves it.
 * @throws {Error} if the folder has no built client.
 */
export function createApp(folder) {
  const build = new CurrentBuild(folder)

  /** @param {Request} request @param {Response} response */
  async function answer(request, response) {
    const pathname = pathOf(request.url ?? '/')
    const isDocument = pathname !== undefined && DOCUMENTS.includes(pathname)
    // Every visit starts with one of these, so a page and its scripts always come from the same build.
    if (isDocument || pathname === '/sw.js') await build.refresh()
    const setHeaders = () => {
      for (const [name, value] of Object.entries(headersFor(pathname ?? '', build.policy)))
        response.setHeader(name, value)
    }
    setHeaders()
    // Nothing here reads a body.
    if (hasBody(request)) response.setHeader('Connection', 'close')
    if (pathname === undefined) return refuse(response, 400, 'That address cannot be read.')
    if (request.httpVersion === '1.1' && request.headers.host === undefined)
      return refuse(response, 400, 'The request names no host.')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD')
      return refuse(response, 405, 'Only GET and HEAD are answered here.')
    }
    const page = () =>
      build.find(pageFor(pathname, request.headers['accept-language'], !request.url?.includes('?')))
    if (isDocument) {
      const found = page()
      if (!found) return refuse(response, 404, 'Not found.')
      response.setHeader('Vary', 'Accept-Encoding, Accept-Language')
      return sendFile(request, response, found)
    }
    let file = build.find(pathname)
    if (!file) {
      await build.refresh()
      setHeaders()
      file = build.find(pathname)
    }
    if (file) {
      if (file.encoded.size > 0) response.setHeader('Vary', 'Accept-Encoding')
      return sendFile(request, response, file)
    }
    const navigates = (request.headers.accept ?? '').includes('text/html') && !/\.\w+$/.test(pathname)
    const frame = navigates ? page() : undefined
    if (!frame) return refuse(response, 404, 'Not found.')
    // The page tells people that the address doesn't exist; the status tells programs. It is always sent whole: a part, or "not modified",
    // would show a blank page with this status.
    const { form, encoding } = formFor(frame, String(request.headers['accept-encoding'] ?? ''))
    response.statusCode = 404
    response.setHeader('Vary', 'Accept-Encoding, Accept-Language')
    response.setHeader('Content-Type', frame.type)
    if (encoding !== undefined) response.setHeader('Content-Encoding', encoding)
    sendBytes(response, form.body)
  }

  /** @param {Request} request @param {Response} response */
  return (request, response) => {
    // A client may disconnect in the meantime. That must not stop the server for everyone else.
    request.on('error', () => undefined)
    response.on('error', () => undefined)
    answer(request, response).catch((error) => {
      console.error('A request could not be answered:', error)
      if (response.headersSent) response.destroy()
      else refuse(response, 503, 'This could not be answered. Try again.')
    })
  }
}
