// Whose call or list it is: one network of strangers can't keep others waiting only if the verifier is told where each comes from.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { hostileServer, open, owner, VAULT } from '../test/parts.ts'
import { type ListenOptions, listen } from './listen.ts'

const ANY = z.looseObject({})

/** Serves a gate that answers with the address a call or a list comes from. */
async function serve(options: Partial<ListenOptions> = {}) {
  const services = { api: { url: 'http://127.0.0.1:1', private: true } }
  const { gate } = await open({ bad: hostileServer() }, undefined, { services })
  const [server, service] = [gate.servers.get('bad'), gate.services.get('api')]
  if (!server || !service) throw new Error('There is none.')
  const telling = {
    ...gate,
    servers: new Map([
      [
        'bad',
        {
          ...server,
          call: async (...[, , , , address]: Parameters<typeof server.call>) => ({ content: [], address }),
          list: async (...[, , address]: Parameters<typeof server.list>) => [
            { name: `${address}`, inputSchema: { type: 'object' } },
          ],
        },
      ],
    ]),
    services: new Map([
      [
        'api',
        {
          ...service,
          call: async (...[, , , address]: Parameters<typeof service.call>) => ({
            ...{ status: 200, headers: {} },
            body: new TextEncoder().encode(`${address}`),
          }),
        },
      ],
    ]),
  }
  const listener = await listen({ gate: telling, vault: VAULT, owners: [owner.did], port: 0, ...options })
  onTestFinished(() => listener.close())
  return listener.url
}

const HEADERS = { 'x-forwarded-for': '192.0.2.99, 192.0.2.1' }

async function overHttp(url: string): Promise<unknown> {
  const headers = { ...HEADERS, authorization: 'Bearer CtokenX' }
  return await (await fetch(`${url}/http/api`, { method: 'POST', headers })).text()
}

async function overMcp(
  url: string,
  path: string,
  mode: 'legacy' | { readonly pin: '2026-07-28' },
): Promise<unknown> {
  const client = new Client({ name: 'x', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}${path}`), { requestInit: { headers: HEADERS } }),
  )
  onTestFinished(() => client.close())
  const params = { name: 'bad__echo', _meta: { 'keyhole/invocation': 'token' } }
  const { address } = await client.request({ method: 'tools/call', params }, ANY)
  const [listed] = (await client.listTools()).tools
  expect(listed?.name.replace(/^bad__/, '')).toBe(`${address}`)
  return address
}

const WAYS: readonly [string, (url: string) => Promise<unknown>][] = [
  ['HTTP', overHttp],
  ['MCP of 2025', (url) => overMcp(url, '/mcp/bad', 'legacy')],
  ['MCP of 2026', (url) => overMcp(url, '/mcp/bad', { pin: '2026-07-28' })],
  ['MCP of all servers', (url) => overMcp(url, '/mcp', 'legacy')],
]

/** Where calls come from, by each way. */
async function seen(url: string) {
  const found: Record<string, unknown> = {}
  for (const [name, addressOf] of WAYS) found[name] = await addressOf(url)
  return found
}

const each = (address: unknown) => Object.fromEntries(WAYS.map(([name]) => [name, address]))

it('a call and a list come from the address of their connection', async () => {
  expect(await seen(await serve())).toEqual(each('127.0.0.1'))
})

it('a call and a list come from where the proxy says', async () => {
  const address: ListenOptions['address'] = ({ headers }) =>
    String(headers['x-forwarded-for']).split(', ').at(-1)
  expect(await seen(await serve({ address }))).toEqual(each('192.0.2.1'))
})

it('a call and a list may come from where no one knows', async () => {
  expect(await seen(await serve({ address: () => undefined }))).toEqual({
    ...each(undefined),
    HTTP: 'undefined',
  })
})
