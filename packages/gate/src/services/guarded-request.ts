// One request on the network: to an address that was checked, with an answer that is bounded.
import type { IncomingMessage } from 'node:http'
import { connectionTo, NoAnswer, whyNot } from './connection.ts'

interface Sent {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
  /** Whether it may go to this machine or its network. */
  readonly isPrivate: boolean
  /** Longest answer, in bytes. */
  readonly longest: number
}

/** Sends one request, to an address that was checked. Follows no redirect. @throws NoAnswer */
export function sendGuarded(
  url: URL,
  { method, headers, body, signal, isPrivate, longest }: Sent,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { start, guards } = connectionTo(url, isPrivate)
    const sent = start(url, { ...guards, method, headers: { ...headers }, signal }, (answer) => {
      try {
        resolve(responseOf(answer, longest))
      } catch (error) {
        sent.destroy()
        reject(error)
      }
    })
    sent.on('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(new NoAnswer('The server changed the protocol.'))
    })
    sent.on('error', (error) => reject(whyNot(error)))
    sent.end(body)
  })
}

function responseOf(answer: IncomingMessage, longest: number): Response {
  const { statusCode: status = 502, headers } = answer
  if (![undefined, 'identity'].includes(headers['content-encoding']?.toLowerCase()))
    throw new NoAnswer('The answer is packed.')
  if (status < 200 || status > 599) throw new NoAnswer('The server answered with a status that is none.')
  const kept = ['content-type', 'mcp-session-id', 'www-authenticate', 'location'].flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  if ([204, 205, 304].includes(status)) {
    answer.destroy()
    return new Response(null, { status, headers: Object.fromEntries(kept) })
  }
  return new Response(bodyOf(answer, longest), { status, headers: Object.fromEntries(kept) })
}

function bodyOf(answer: IncomingMessage, longest: number): ReadableStream<Uint8Array> {
  let length = 0
  let isOver = false
  return new ReadableStream({
    start(controller) {
      const fail = (error: NoAnswer) => {
        if (isOver) return
        isOver = true
        controller.error(error)
        answer.destroy()
      }
      answer.on('data', (part: Buffer) => {
        if (isOver) return
        length += part.length
        if (length > longest) return fail(new NoAnswer('The answer is too long.', true))
        controller.enqueue(part)
      })
      answer.on('error', (error) => fail(whyNot(error)))
      answer.on('close', () => fail(new NoAnswer('The answer is cut off.')))
      answer.on('end', () => {
        if (isOver) return
        isOver = true
        controller.close()
      })
    },
    cancel() {
      isOver = true
      answer.destroy()
    },
  })
}
