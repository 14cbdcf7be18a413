// A gate elsewhere, as the agent's side sees it.
import { setTimeout as pause } from 'node:timers/promises'
import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { isRecord } from '../calls/arguments.ts'
import { CallRefused, GateError } from '../errors.ts'
import { CALL_TOOL, COMMAND_OF, describedBy, GET_PROMPT, type Kind, READ_RESOURCE } from '../mcp/commands.ts'
import type { GateServer, Said } from '../mcp/gate-server.ts'
import type { Item } from '../mcp/upstream.ts'
import { ASKS, DESCRIBED, GRANTS, INVOCATION, REFUSED, SERVICE } from './wire.ts'

/** What a gate says about itself. */
const About = z.object({
  did: z.string().startsWith('did:key:'),
  vault: z.url({ protocol: /^https?$/ }),
  owners: z.array(z.string().startsWith('did:')).min(1),
  servers: z.array(z.string()),
  services: z.record(z.string(), z.array(z.string())).default({}),
})
export type RemoteGate = z.output<typeof About>

/** A server behind a gate elsewhere. */
export interface RemoteServer extends GateServer {
  close(): Promise<void>
}

/** A call may take as long as the gate lets it, in milliseconds. */
const PATIENCE = 3_660_000
const LISTS = {
  tools: ['tools/list', 'tools'],
  resources: ['resources/list', 'resources'],
  templates: ['resources/templates/list', 'resourceTemplates'],
  prompts: ['prompts/list', 'prompts'],
} as const
const ANY = z.looseObject({})
/** Longest pause before a busy gate is asked again, in milliseconds. */
const LONGEST_PAUSE = 1_000

/** Asks a gate about itself. @throws GateError SERVER_FAILED, INVALID_CONFIG for a URL that isn't https or of this machine */
export async function readRemoteGate(url: string): Promise<RemoteGate> {
  const base = baseOf(url)
  try {
    const response = await fetch(`${base}/gate`, { redirect: 'error', signal: AbortSignal.timeout(30_000) })
    return About.parse(await response.json())
  } catch (cause) {
    throw new GateError('SERVER_FAILED', `The gate at ${base} can't be reached, or isn't one.`, { cause })
  }
}

/** Connects to a server behind a gate. @throws GateError SERVER_FAILED */
export async function openRemoteServer(url: string, about: RemoteGate, name: string): Promise<RemoteServer> {
  const target = new URL(`${baseOf(url)}/mcp/${name}`)
  const client = new Client(
    { name: 'keyhole', version: '0.1.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, listMaxPages: 64 },
  )
  try {
    await client.connect(
      new StreamableHTTPClientTransport(target, {
        requestInit: { redirect: 'error' },
        fetch: fetchPatiently,
      }),
    )
  } catch (cause) {
    throw new GateError(
      'SERVER_FAILED',
      `The gate at ${target.origin} has no server ${name}, or can't start it.`,
      { cause },
    )
  }

  async function send(method: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<Item> {
    return await client.request({ method, params }, ANY, { timeout: PATIENCE, ...(signal && { signal }) })
  }

  async function list(kind: Kind, meta: Record<string, unknown>): Promise<readonly Item[]> {
    const [method, field] = LISTS[kind]
    const items = (await send(method, { _meta: meta }))[field]
    return Array.isArray(items) ? items.filter(isRecord) : []
  }

  return {
    name,
    gate: about.did,
    owners: about.owners,
    vault: about.vault,
    async kinds() {
      const has = client.getServerCapabilities() ?? {}
      return (Object.keys(COMMAND_OF) as Kind[]).filter(
        (kind) => has[kind === 'templates' ? 'resources' : kind],
      )
    },
    list: (kind, grants) => list(kind, { [GRANTS]: grants }),
    async describe(command, { name: called }, grants) {
      const kind = describedBy(command)
      if (kind === undefined || grants.length === 0) return undefined
      const [item] = await list(kind, { [GRANTS]: grants, [DESCRIBED]: called })
      const service = isRecord(item?._meta) ? item._meta[SERVICE] : undefined
      return typeof service === 'string' ? service : undefined
    },
    async call(token, signal, said) {
      try {
        return await send(...requestOf(token, said), signal)
      } catch (error) {
        throw refusalOf(error, name)
      }
    },
    onChange() {},
    close: () => client.close(),
  }
}

/** As `fetch`, but asks a busy gate for a list once more. A call is never repeated. */
async function fetchPatiently(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const after = response.headers.get('retry-after')
  if (response.status !== 503 || after === null || !isList(init?.body)) return response
  await response.body?.cancel()
  // It may also be a date.
  const told = /^\d+$/.test(after) ? Number(after) * 1_000 : LONGEST_PAUSE
  await pause(Math.min(told, LONGEST_PAUSE), undefined, init?.signal ? { signal: init.signal } : {})
  return await fetch(url, init)
}

function isList(body: unknown): boolean {
  if (typeof body !== 'string') return false
  const { method } = Object(JSON.parse(body))
  return Object.values(LISTS).some(([list]) => list === method)
}

/** The MCP request that carries an invocation. Its arguments are in the invocation alone. */
function requestOf(token: string, said: Said | undefined): [string, Record<string, unknown>] {
  const _meta = { [INVOCATION]: token, [ASKS]: true }
  const { name, uri } = said?.args ?? {}
  if (said?.command === READ_RESOURCE) return ['resources/read', { uri, _meta }]
  if (said?.command === GET_PROMPT) return ['prompts/get', { name, _meta }]
  if (said?.command === CALL_TOOL) return ['tools/call', { name, _meta }]
  throw new CallRefused('InvalidCommand', 'A gate elsewhere has to be told what is called.')
}

function refusalOf(error: unknown, name: string): unknown {
  const {
    error: code,
    resolved,
    once,
  } = error instanceof ProtocolError && isRecord(error.data) ? error.data : {}
  if (error instanceof ProtocolError && error.code === REFUSED && typeof code === 'string')
    return new CallRefused(code, error.message, {
      resolved: isRecord(resolved) ? resolved : undefined,
      once: typeof once === 'string' ? once : undefined,
    })
  if (error instanceof CallRefused) return error
  return new CallRefused(
    'Unavailable',
    `The gate of ${name} gave no answer, and may have carried out the call.`,
    {
      cause: error,
    },
  )
}

/** @throws GateError INVALID_CONFIG */
function baseOf(url: string): string {
  const base = URL.canParse(url) ? new URL(url) : undefined
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(base?.hostname ?? '')
  if (base?.protocol !== 'https:' && !(isHere && base?.protocol === 'http:'))
    throw new GateError('INVALID_CONFIG', 'A gate is reached by https, or by http on this machine.')
  return `${base?.origin}${base?.pathname.replace(/\/$/, '')}`
}
