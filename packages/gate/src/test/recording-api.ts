import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as it came. */
export interface Recorded {
  readonly method: string
  /** As it was sent, encoded. */
  readonly target: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** How an API answers: status, headers, body. */
export type Answers = (request: Recorded) => readonly [number, Record<string, string>, string | Buffer]

/** An API on this machine that writes down what it is asked. */
export async function recordingApi(
  answers: Answers = () => [200, { 'content-type': 'application/json' }, '{}'],
) {
  const requests: Recorded[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const recorded = { method, target: url, headers, body: await textOf(request) }
    requests.push(recorded)
    const [status, answered, body] = answers(recorded)
    response.writeHead(status, answered).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { requests, url: `http://127.0.0.1:${port}` }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}
