// A gate's HTTP interface: MCP for each server behind it. It acts on what is signed, and on nothing else of a request.
import { createMcpHandler, ProtocolError, Server, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { CallRefused } from '../errors.ts'
import type { Gate } from '../gate.ts'
import type { Kind } from '../mcp/commands.ts'
import type { GuardedServer } from '../mcp/guarded-server.ts'
import { GRANTS, INVOCATION, REFUSED } from './wire.ts'

/** Answers a request. */
export type Endpoint = (request: Request) => Promise<Response>

/** Longest request, in bytes: more than a token and as many grants as are looked at. */
const LONGEST_REQUEST = 4_194_304
const ANY = z.looseObject({})

/** The gate's interface, for any server that uses `Request`. */
export function gateEndpoint(gate: Gate, vault: string, owners: readonly string[]): Endpoint {
  const handlers = new Map(
    [...gate.servers].map(([name, server]) => {
      const handler = createMcpHandler(() => signedServer(server), { maxRequestBodySize: LONGEST_REQUEST })
      return [`/mcp/${name}`, handler]
    }),
  )
  const about = { did: gate.did, vault, owners, servers: [...gate.servers.keys()] }

  return async (request) => {
    // No page needs it: one that a person happens to visit must not reach a gate on their machine.
    if (request.headers.has('origin')) return say(403, { error: 'origin_not_allowed' })
    const { pathname } = new URL(request.url)
    if (pathname === '/health') return say(200, { status: 'ok' })
    if (pathname === '/gate') return say(200, about)
    return (await handlers.get(pathname)?.fetch(request)) ?? say(404, { error: 'not_found' })
  }
}

/** An MCP server that takes signed calls. */
async function signedServer(guarded: GuardedServer): Promise<Server> {
  const kinds = await guarded.kinds()
  const capabilities = {
    ...(kinds.includes('tools') && { tools: {} }),
    ...(kinds.includes('resources') && { resources: {} }),
    ...(kinds.includes('prompts') && { prompts: {} }),
  }
  const server = new Server({ name: `keyhole-gate-${guarded.name}`, version: '0.1.0' }, { capabilities })
  const list = (method: string, field: string, kind: Kind) =>
    server.setRequestHandler(method, { params: ANY }, async (_params, { mcpReq }) => ({
      [field]: await guarded.list(kind, textsOf(mcpReq._meta?.[GRANTS])),
    }))
  const act = (method: string) =>
    server.setRequestHandler(
      method,
      { params: ANY },
      async (_params, context) => await call(guarded, context),
    )
  if (kinds.includes('tools')) {
    list('tools/list', 'tools', 'tools')
    act('tools/call')
  }
  if (kinds.includes('resources')) {
    list('resources/list', 'resources', 'resources')
    list('resources/templates/list', 'resourceTemplates', 'templates')
    act('resources/read')
  }
  if (kinds.includes('prompts')) {
    list('prompts/list', 'prompts', 'prompts')
    act('prompts/get')
  }
  return server
}

async function call(guarded: GuardedServer, { mcpReq }: ServerContext): Promise<Record<string, unknown>> {
  const token = mcpReq._meta?.[INVOCATION]
  try {
    if (typeof token !== 'string')
      throw new CallRefused(
        'MissingToken',
        'Sign the call: this gate takes nothing else. See docs/commands.md.',
      )
    return { ...(await guarded.call(token, mcpReq.signal)) }
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
    const { code, message, resolved } = error
    throw new ProtocolError(REFUSED, message, { error: code, ...(resolved && { resolved }) })
  }
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function say(status: number, body: object): Response {
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  return Response.json(body, { status, headers })
}
