// A gate's HTTP interface: MCP for each server behind it, and signed calls of each service. It acts on what is signed, and on nothing else of a request.
import { randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  isJsonContentType,
  type McpHttpHandler,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { CallRefused } from '../errors.ts'
import type { Gate } from '../gate.ts'
import { COMMAND_OF, type Kind } from '../mcp/commands.ts'
import { type GateServer, signedArgs } from '../mcp/gate-server.ts'
import type { GrantNeeded } from '../mcp/grant-needed.ts'
import type { GuardedServer } from '../mcp/guarded-server.ts'
import { joinServers } from '../mcp/joined-servers.ts'
import { canOpenLinks, linkData, linkMessage, openLink } from '../mcp/link-clients.ts'
import type { Item } from '../mcp/upstream.ts'
import { answerService } from '../services/service-endpoint.ts'
import { readMcpBody } from './mcp-body.ts'
import { ASKS, DESCRIBED, GRANTS, INVOCATION, REFUSED, SERVICE } from './wire.ts'

/** Answers a request. @param address IP address of the client, if it is known */
export type Endpoint = (request: Request, address?: string) => Promise<Response>

const ANY = z.looseObject({})
/** The protocol that has links in errors. A client says what it can when it connects, and this server remembers nothing of that. */
const LINKS_BY_ERROR = '2025-11-25'

/** The gate's interface, for any server that uses `Request`. */
export function gateEndpoint(gate: Gate, vault: string, owners: readonly string[]): Endpoint {
  const handlers = new Map(
    [...gate.servers].map(([name, server]) => [`/mcp/${name}`, handlerOf(server, () => server)]),
  )
  const [first, ...more] = gate.servers.values()
  if (first) {
    const joined = joinServers(first, ...more)
    handlers.set(
      '/mcp',
      handlerOf(joinedLists(joined), (called) => joined.pick(called)?.server),
    )
  }
  const about = {
    did: gate.did,
    vault,
    owners,
    servers: [...gate.servers.keys()],
    services: servicesOf(gate),
  }

  return async (request, address) => {
    // No page needs it: one that a person happens to visit must not reach a gate on their machine.
    if (request.headers.has('origin')) return say(403, { error: 'origin_not_allowed' })
    const { pathname } = new URL(request.url)
    if (pathname === '/health') return say(200, { status: 'ok' })
    if (pathname === '/healthz') return await readiness(gate)
    if (pathname === '/gate') return say(200, about)
    const [, service] = /^\/http\/([a-z0-9_-]+)$/.exec(pathname) ?? []
    const guarded = service === undefined ? undefined : gate.services.get(service)
    if (guarded) return await answerService(guarded, request, { audience: gate.did, vault }, address)
    const handler = handlers.get(pathname)
    return handler ? await answerMcp(handler, request, address) : say(404, { error: 'not_found' })
  }
}

/** What a gate's operator asks it. */
export function metricsEndpoint(gate: Gate): Endpoint {
  return async (request) => {
    if (request.headers.has('origin')) return say(403, { error: 'origin_not_allowed' })
    const { pathname } = new URL(request.url)
    if (pathname === '/healthz') return await readiness(gate)
    if (pathname !== '/metrics') return say(404, { error: 'not_found' })
    const headers = {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    }
    return new Response(await gate.metrics(), { headers })
  }
}

/** Whether calls can be decided, for a load balancer. */
async function readiness(gate: Gate): Promise<Response> {
  const isReady = await gate.isReady()
  return say(isReady ? 200 : 503, { status: isReady ? 'ok' : 'unavailable' })
}

/** The services, and which methods each takes. */
function servicesOf({ services }: Gate): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries([...services].map(([name, { methods }]) => [name, methods]))
}

/** What is listed for all servers together: a resource's URI doesn't say to its reader whose it is, and the invocation has to. */
function joinedLists(joined: GateServer): GateServer {
  const kinds = async () => (await joined.kinds()).filter((kind) => kind === 'tools' || kind === 'prompts')
  return { ...joined, kinds }
}

/** Lets the SDK parse no body: what a stranger sends is bounded first. */
async function answerMcp(
  handler: McpHttpHandler,
  request: Request,
  address: string | undefined,
): Promise<Response> {
  if (request.method !== 'POST' || !isJsonContentType(request.headers.get('content-type')))
    return await handler.fetch(request, fromAddress(address))
  const body = await readMcpBody(request)
  if ('refusal' in body) return body.refusal
  return await handler.fetch(request, { ...fromAddress(address), parsedBody: body.json })
}

/** Where a request comes from, as the SDK passes it on: this is all that it tells the server that it makes for the request. */
function fromAddress(address: string | undefined) {
  return address === undefined ? {} : { authInfo: { token: '', clientId: address, scopes: [] } }
}

/** The server that a request's name belongs to. */
type Pick = (called: string) => GuardedServer | undefined

function handlerOf(listing: GateServer, pick: Pick) {
  return createMcpHandler((context) => signedServer(listing, pick, context))
}

/** An MCP server that takes signed calls. @param guarded lists what there is */
async function signedServer(
  guarded: GateServer,
  pick: Pick,
  { requestInfo, authInfo }: McpRequestContext,
): Promise<Server> {
  const kinds = await guarded.kinds()
  const capabilities = {
    ...(kinds.includes('tools') && { tools: {} }),
    ...(kinds.includes('resources') && { resources: {} }),
    ...(kinds.includes('prompts') && { prompts: {} }),
  }
  const server = new Server({ name: `keyhole-gate-${guarded.name}`, version: '0.1.0' }, { capabilities })
  const list = (method: string, field: string, kind: Kind) =>
    server.setRequestHandler(method, { params: ANY }, async (_params, { mcpReq: { _meta } }) => {
      const grants = textsOf(_meta?.[GRANTS])
      const items = await guarded.list(kind, grants, authInfo?.clientId)
      const name = _meta?.[DESCRIBED]
      if (typeof name !== 'string') return { [field]: items }
      return { [field]: await described(guarded, COMMAND_OF[kind], items, name, grants) }
    })
  const act = (method: string) =>
    server.setRequestHandler(
      method,
      { params: ANY },
      async ({ name }, context) =>
        await call(pick(String(name)), server, context, requestInfo, authInfo?.clientId),
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

/** The tool or prompt of this name, with its description for requests. Only of those that the caller's grants reach: what else there is, is not told. */
async function described(
  guarded: GateServer,
  command: string,
  items: readonly Item[],
  name: string,
  grants: readonly string[],
): Promise<readonly Item[]> {
  const item = items.find((each) => each.name === name)
  if (!item) return []
  const args = await signedArgs(guarded, command, { name }, async () => grants)
  const service = await guarded.describe?.(command, args, grants)
  return [service === undefined ? item : { ...item, _meta: { [SERVICE]: service } }]
}

async function call(
  guarded: GuardedServer | undefined,
  server: Server,
  context: ServerContext,
  request: Request | undefined,
  address: string | undefined,
): Promise<Record<string, unknown>> {
  const { mcpReq } = context
  const token = mcpReq._meta?.[INVOCATION]
  try {
    if (typeof token !== 'string')
      throw new CallRefused(
        'MissingToken',
        'Sign the call: this gate takes nothing else. See docs/commands.md.',
      )
    if (!guarded) throw new CallRefused('UnknownServer', 'Name the tool with its server, as it is listed.')
    return { ...(await guarded.call(token, mcpReq.signal, undefined, undefined, address)) }
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
    const isAsking = typeof token === 'string' && mcpReq._meta?.[ASKS] !== true
    const needed = isAsking ? await guarded?.requestFor(token, error, address) : undefined
    // A client that was asked already has declined, or has got no grant.
    if (needed && !mcpReq.inputResponses && canOpenLinks(server, context)) return { ...openLink(needed) }
    const { code, message, resolved, once } = error
    const data = {
      error: code,
      ...(resolved && { resolved }),
      ...(once !== undefined && { once }),
      ...(needed && linkData(needed)),
    }
    if (needed && request?.headers.get('mcp-protocol-version') === LINKS_BY_ERROR)
      throw new ProtocolError(ProtocolErrorCode.UrlElicitationRequired, needed.message, {
        ...data,
        elicitations: [elicitationOf(needed)],
      })
    throw new ProtocolError(REFUSED, needed?.message ?? message, data)
  }
}

/** The link, as a client of 2025-11-25 takes it. */
function elicitationOf(needed: GrantNeeded) {
  return { mode: 'url', elicitationId: randomUUID(), url: needed.link, message: linkMessage(needed) }
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function say(status: number, body: object): Response {
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  return Response.json(body, { status, headers })
}
