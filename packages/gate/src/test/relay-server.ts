// A real relay on a real socket.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { makeRelay } from '../../../relay/src/test/relay.ts'

export async function startRelay() {
  let answer = async (_request: Request): Promise<Response> => new Response(null, { status: 503 })
  const server = createServer(
    getRequestListener((request) => answer(request), { overrideGlobalObjects: false }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  const { relay } = await makeRelay({ hosts: [host], clock: Date.now })
  let isOut = false
  answer = async (request) =>
    isOut ? new Response(null, { status: 503 }) : await relay.fetch(request, { address: '127.0.0.1' })
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await relay.close()
  }
  return {
    url: `http://${host}/relay`,
    audience: `did:web:${encodeURIComponent(host)}`,
    /** Whether it answers nothing but 503. */
    setOut(out: boolean) {
      isOut = out
    },
    close,
  }
}
