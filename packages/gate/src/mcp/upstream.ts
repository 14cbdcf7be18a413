import { Client, ProtocolError } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { ServerConfig } from '../config/config.ts'
import { GateError } from '../errors.ts'
import type { Redactor } from '../secrets/redactor.ts'
import type { Kind } from './commands.ts'

/** Something that a server lists: as it describes it. */
export type Item = Readonly<Record<string, unknown>>

/** An MCP server behind the gate. */
export interface Upstream {
  /** What the server can do, such as `{ tools: {} }`. */
  capabilities(): Promise<Readonly<Record<string, unknown>>>
  /** Lists one kind; empty if the server doesn't have it. */
  list(kind: Kind): Promise<readonly Item[]>
  /** Sends a request, once. @throws Error if there is no answer: the server may have carried it out */
  request(
    method: 'tools/call' | 'resources/read' | 'prompts/get',
    params: Record<string, unknown>,
    signal: AbortSignal | undefined,
  ): Promise<Item>
  /** Calls `tell` when the server says that what it has was changed, or was started again. */
  onChange(tell: () => void): void
  close(): Promise<void>
}

export interface UpstreamOptions {
  readonly name: string
  readonly config: ServerConfig
  /** The server's secret variables. */
  readonly secrets: Readonly<Record<string, string>>
  readonly redactor: Redactor
  /** Called with each line that the server logs, without secrets. */
  readonly onLog: (line: string) => void
}

/** How long a server may take to start or to list, in milliseconds: it may have to be downloaded first. */
const START = 120_000
/** Most items of a kind. */
const MOST = 10_000
/** Longest line of a server's log. */
const LONGEST_LINE = 2_000

/** Starts the server with the first call, and again if it ended. */
export function openUpstream({ name, config, secrets, redactor, onLog }: UpstreamOptions): Upstream {
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const tell of listeners) tell()
  }
  let connected: Promise<Client> | undefined
  let isClosed = false

  async function connect(onEnd: () => void, mode: 'legacy' | 'auto'): Promise<Client> {
    const { command, args, cwd, env, longestAnswer } = config
    const transport = new StdioClientTransport({
      command,
      args,
      ...(cwd !== undefined && { cwd }),
      // Only what a program needs to run, besides what was configured: not the gate's own variables.
      env: { ...pathOnly(), ...env, ...secrets },
      stderr: 'pipe',
      // JSON-RPC around the answer.
      maxBufferSize: longestAnswer * 4 + 65_536,
    })
    readLines(transport.stderr, (line) => onLog(redactor.text(line)))
    const client = new Client(
      { name: 'keyhole-gate', version: '0.1.0' },
      { capabilities: {}, listMaxPages: 64, versionNegotiation: { mode } },
    )
    for (const kind of ['tools', 'resources', 'prompts'] as const)
      client.setNotificationHandler(`notifications/${kind}/list_changed`, changed)
    client.onclose = onEnd
    client.onerror = () => {}
    await client.connect(transport, { timeout: START })
    return client
  }

  function client(): Promise<Client> {
    if (isClosed) return Promise.reject(new GateError('SERVER_FAILED', 'The gate is closed.'))
    if (connected) return connected
    const forget = () => {
      if (connected === starting) connected = undefined
    }
    const ended = () => {
      forget()
      changed()
    }
    // Most servers speak a protocol before 2026-07-28. Asking for the version first would start each of them twice.
    const starting: Promise<Client> = connect(ended, 'legacy')
      .catch(async (cause) => {
        if (!isAnswer(cause)) throw cause
        return await connect(ended, 'auto')
      })
      .catch((cause) => {
        forget()
        const why = redactor.text(cause instanceof Error ? cause.message : String(cause))
        throw new GateError('SERVER_FAILED', `The MCP server ${name} can't be started: ${why}`)
      })
    connected = starting
    return starting
  }

  async function capabilities() {
    return { ...(await client()).getServerCapabilities() }
  }

  return {
    capabilities,
    async list(kind) {
      const has = await capabilities()
      if (!has[kind === 'templates' ? 'resources' : kind]) return []
      const from = await client()
      const options = { timeout: START }
      const items: readonly Item[] =
        kind === 'tools'
          ? (await from.listTools(undefined, options)).tools
          : kind === 'resources'
            ? (await from.listResources(undefined, options)).resources
            : kind === 'templates'
              ? await from.listResourceTemplates(undefined, options).then(
                  ({ resourceTemplates }) => resourceTemplates,
                  () => [],
                )
              : (await from.listPrompts(undefined, options)).prompts
      if (items.length > MOST)
        throw new GateError('SERVER_FAILED', `${name} lists more than ${MOST} ${kind}.`)
      return items
    },
    async request(method, params, signal) {
      const options = { timeout: config.timeout * 1_000, ...(signal && { signal }) }
      return { ...(await (await client()).request({ method, params }, options)) }
    },
    onChange(tell) {
      listeners.add(tell)
    },
    async close() {
      isClosed = true
      await (await connected?.catch(() => undefined))?.close()
    },
  }
}

/** Whether a server answered, and refused the protocol: it is there. */
function isAnswer(error: unknown): boolean {
  return error instanceof ProtocolError
}

/** The variables without which programs don't run. */
function pathOnly(): Record<string, string> {
  const names = [
    'PATH',
    'HOME',
    'USER',
    'LANG',
    'TMPDIR',
    'SystemRoot',
    'APPDATA',
    'LOCALAPPDATA',
    'USERPROFILE',
    'TEMP',
  ]
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

function readLines(stream: import('node:stream').Stream | null, tell: (line: string) => void): void {
  let rest = ''
  stream?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = (lines.pop() ?? '').slice(-LONGEST_LINE)
    for (const line of lines) if (line.trim() !== '') tell(line.slice(0, LONGEST_LINE))
  })
}
