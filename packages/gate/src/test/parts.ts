import { mkdtemp, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHolder, type Holder, memoryStore } from '@keyhole/holder'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import type { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { onTestFinished } from 'vitest'
import {
  container,
  delegation,
  type Fields,
  person,
  type Token,
} from '../../../enclave/src/test/naive-tokens.ts'
import { type Entry, type Gate, type GateOptions, LOG, openGate, readConfig, readLog } from '../index.ts'
import { agentServer } from '../mcp/agent-server.ts'

export const owner = person(1)
export const stranger = person(2)
export const VAULT = 'https://vault.example'

const bin = (name: string, file: string) =>
  join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file)

/** The official file server over these folders. */
export const filesServer = (...folders: string[]) => ({
  command: process.execPath,
  args: [bin('@modelcontextprotocol/server-filesystem', 'dist/index.js'), ...folders],
  paths: ['path', 'paths', 'source', 'destination'],
})

/** The official server that has one of everything. */
export const everythingServer = () => ({
  command: process.execPath,
  args: [bin('@modelcontextprotocol/server-everything', 'dist/index.js'), 'stdio'],
  paths: [],
})

/** A server that does what it shouldn't, with a secret. */
export const hostileServer = (env: Record<string, string> = {}) => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('./hostile-server.mjs', import.meta.url))],
  paths: ['path'],
  env,
  secrets: { SECRET: 'env:TOKEN' },
})

export const SECRET = 'ghp_Zx81kQw72LmNv0pRtY'

export async function folder(): Promise<string> {
  return await realpath(await mkdtemp(join(tmpdir(), 'keyhole-gate-')))
}

export interface Opened {
  readonly gate: Gate
  readonly data: string
  readonly errors: unknown[]
  readonly logs: string[]
}

/** Opens a gate that is closed after the test. */
export async function open(
  servers: Record<string, object>,
  data?: string,
  config: object = {},
  options: Partial<GateOptions> = {},
): Promise<Opened> {
  const where = data ?? (await folder())
  const errors: unknown[] = []
  const logs: string[] = []
  const gate = await openGate({
    config: readConfig({ owners: [owner.did], vault: VAULT, data: where, servers, ...config }),
    env: { TOKEN: SECRET },
    onError: (error) => errors.push(error),
    onLog: (_server, line) => logs.push(line),
    ...options,
  })
  onTestFinished(() => gate.close())
  return { gate, data: where, errors, logs }
}

/** A holder with grants of the owner's. */
export async function holderWith(...grants: Fields[]): Promise<Holder> {
  const holder = createHolder({ store: memoryStore() })
  for (const grant of grants) await holder.add(container([await grantTo(holder, grant)]))
  return holder
}

/** A grant of the owner's to a holder. */
export async function grantTo(holder: Holder, changes: Fields): Promise<Token> {
  return delegation(owner, { ...stranger, did: await holder.did() }, { cmd: '/mcp/tools/call', ...changes })
}

/** An agent's client, connected to the agent's server. */
export async function connect(
  { gate }: Opened,
  server: string,
  holder: Holder,
  options: {
    readonly era?: 'legacy' | 'modern'
    readonly onLink?: (url: string) => Promise<'accept' | 'decline'>
  } = {},
): Promise<Client> {
  const guarded = gate.servers.get(server)
  if (!guarded) throw new Error(`There is no ${server}.`)
  return await connectTo(() => agentServer(guarded, { holder }), options)
}

/** A client of a server in this process. */
export async function connectTo(
  factory: () => Promise<Server>,
  options: {
    readonly era?: 'legacy' | 'modern'
    readonly onLink?: (url: string) => Promise<'accept' | 'decline'>
  } = {},
): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const serving = serveStdio(factory, { transport: far })
  const { era = 'legacy', onLink } = options
  const client = new Client(
    { name: 'agent', version: '1.0.0' },
    {
      capabilities: onLink ? { elicitation: { url: {}, form: {} } } : {},
      ...(era === 'modern' && { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    },
  )
  if (onLink)
    client.setRequestHandler('elicitation/create', async ({ params }) => ({
      action: await onLink('url' in params ? params.url : ''),
    }))
  await client.connect(near)
  onTestFinished(async () => {
    await client.close()
    await serving.close()
  })
  return client
}

/** The text of a tool's answer. */
export function textOf(answer: unknown): string {
  const { content = [] } = Object(answer)
  return content.map(({ text = '' }) => text).join('\n')
}

/** The code of a refusal; undefined if the call was made. */
export function codeOf(answer: unknown): unknown {
  return Object(answer).structuredContent?.error
}

/** The calls in the gate's log. */
export async function receipts({ data }: Opened): Promise<readonly Entry[]> {
  return await readLog(join(data, LOG), 10_000)
}
