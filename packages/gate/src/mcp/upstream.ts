import {
  Client,
  ProtocolError,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'
import { isRecord } from '../calls/arguments.ts'
import type { ServerConfig } from '../config/config.ts'
import { GateError } from '../errors.ts'
import type { Login } from '../login/login.ts'
import type { Redactor } from '../secrets/redactor.ts'
import type { Kind } from './commands.ts'
import { guardedFetch } from './guarded-fetch.ts'
import type { Question, Talk } from './talk.ts'

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
    talk?: Talk,
  ): Promise<Item>
  /** Has the server tell of changes of a resource. @returns what ends it; undefined if the server can't */
  watch(uri: string, tell: () => void): Promise<(() => void) | undefined>
  /** Calls `tell` when the server says that what it has was changed, or was started again. */
  onChange(tell: () => void): void
  close(): Promise<void>
}

export interface UpstreamOptions {
  readonly name: string
  readonly config: ServerConfig
  /** The server's secret variables; of one on the network `auth`. */
  readonly secrets: Readonly<Record<string, string>>
  /** The login of a server on the network that asks for one. */
  readonly login?: Login | undefined
  readonly redactor: Redactor
  /** Called with each line that the server logs, without secrets. */
  readonly onLog: (line: string) => void
}

/** How long a server may take to start or to list, in milliseconds: it may have to be downloaded first. */
const START = 120_000
/** JSON-RPC's code for a method that isn't there. */
const NO_ONE = -32_601
const ANY = z.looseObject({})
/** Most items of a kind. */
const MOST = 10_000
/** A server on the network can't have the gate connect again sooner, in milliseconds. */
const SOONEST = 1_000
/** How long a server may take to hear that its session is over, in milliseconds. */
const FAREWELL = 2_000
/** Longest line of a server's log. */
const LONGEST_LINE = 2_000

/** Starts the server with the first call, and again if it ended. */
export function openUpstream({ name, config, secrets, login, redactor, onLog }: UpstreamOptions): Upstream {
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const tell of listeners) tell()
  }
  let connected: Promise<Client> | undefined
  const retired = new Set<Client>()
  /** Of calls that are running. */
  const talks = new Set<Talk>()
  const watchers = new Map<string, Set<() => void>>()
  let isClosed = false

  // JSON-RPC around the answer.
  const longest = config.longestAnswer * 4 + 65_536

  function transportOf() {
    if ('url' in config) {
      const send = guardedFetch(config, secrets.auth, longest)
      return new StreamableHTTPClientTransport(new URL(config.url), {
        fetch: login?.watch(send) ?? send,
        ...(login && { authProvider: login }),
        reconnectionScheduler(reconnect, delay) {
          const timer = setTimeout(reconnect, Math.max(delay, SOONEST))
          return () => clearTimeout(timer)
        },
      })
    }
    const { command, args, cwd, env } = config
    const transport = new StdioClientTransport({
      command,
      args,
      ...(cwd !== undefined && { cwd }),
      // Only what a program needs to run, besides what was configured: not the gate's own variables.
      env: { ...pathOnly(), ...env, ...secrets },
      stderr: 'pipe',
      maxBufferSize: longest,
    })
    readLines(transport.stderr, (line) => onLog(redactor.text(line)))
    return transport
  }

  /** The agent that is calling. What a server says during the calls of several could be about any of them. */
  function soleTalk(): Talk | undefined {
    const [first, ...others] = talks
    return others.every(({ agent }) => agent === first?.agent) ? first : undefined
  }

  async function ask(question: Question, params: Item): Promise<Item> {
    const talk = soleTalk()
    if (!talk) throw new ProtocolError(NO_ONE, 'There is no one to ask.')
    return await talk.ask(question, params)
  }

  /** Lets the server speak to the agent that is calling. */
  function listen(client: Client): void {
    client.setNotificationHandler('notifications/message', ({ params }) => soleTalk()?.log(params))
    client.setRequestHandler('sampling/createMessage', { params: ANY, result: ANY }, (params) =>
      ask('sampling/createMessage', params),
    )
    client.setRequestHandler('elicitation/create', { params: ANY, result: ANY }, (params) =>
      ask('elicitation/create', params),
    )
  }

  async function connect(onEnd: () => void, mode: 'legacy' | 'auto'): Promise<Client> {
    const transport = transportOf()
    const capabilities = config.interactive ? { sampling: {}, elicitation: { form: {}, url: {} } } : {}
    const client = new Client(
      { name: 'keyhole-gate', version: '0.1.0' },
      { capabilities, listMaxPages: 64, versionNegotiation: { mode } },
    )
    if (config.interactive) listen(client)
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      for (const tell of watchers.get(params.uri) ?? []) tell()
    })
    for (const kind of ['tools', 'resources', 'prompts'] as const)
      client.setNotificationHandler(`notifications/${kind}/list_changed`, changed)
    client.onclose = onEnd
    client.onerror = () => {}
    await client.connect(transport, { timeout: START })
    return client
  }

  /** What went wrong, in the server's words without secrets. */
  function failure(cause: unknown, what: string): GateError {
    if (cause instanceof GateError) return cause
    const why = redactor.text(cause instanceof Error ? cause.message : String(cause)).slice(0, 1_000)
    return new GateError('SERVER_FAILED', `The MCP server ${name} ${what}: ${why}`)
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
    // Most servers speak a protocol before 2026-07-28. Asking for the version first would start each local one twice.
    const starting: Promise<Client> = connect(ended, 'url' in config ? 'auto' : 'legacy')
      .catch(async (cause) => {
        if (!isAnswer(cause)) throw cause
        return await connect(ended, 'auto')
      })
      .catch((cause) => {
        forget()
        throw failure(cause, `can't be ${'url' in config ? 'reached' : 'started'}`)
      })
    connected = starting
    return starting
  }

  /** Has the next call connect anew. Calls that are running still end. */
  function retire(connection: Promise<Client>, old: Client): void {
    if (connected !== connection) return
    connected = undefined
    retired.add(old)
    setTimeout(() => {
      retired.delete(old)
      void old.close()
    }, config.timeout * 1_000).unref()
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
      const items: readonly Item[] = await listOf(from, kind).catch((cause) => {
        throw failure(cause, `gives no list of ${kind}`)
      })
      if (items.length > MOST)
        throw new GateError('SERVER_FAILED', `${name} lists more than ${MOST} ${kind}.`)
      return items
    },
    async request(method, params, signal, talk) {
      const { progress } = talk ?? {}
      const options = {
        timeout: config.timeout * 1_000,
        ...(signal && { signal }),
        ...(progress && { onprogress: (params: object) => progress({ ...params }) }),
      }
      const connection = client()
      const to = await connection
      if (talk) talks.add(talk)
      try {
        return { ...(await to.request({ method, params }, options)) }
      } catch (error) {
        if (isSessionOver(error)) retire(connection, to)
        throw error
      } finally {
        if (talk) talks.delete(talk)
      }
    },
    async watch(uri, tell) {
      const { resources } = await capabilities()
      if (!isRecord(resources) || resources.subscribe !== true) return undefined
      const tellers = watchers.get(uri) ?? new Set()
      watchers.set(uri, tellers.add(tell))
      const end = () => {
        tellers.delete(tell)
        if (tellers.size > 0 || watchers.get(uri) !== tellers) return
        watchers.delete(uri)
        connected?.then((to) => to.unsubscribeResource({ uri })).catch(() => {})
      }
      try {
        await (await client()).subscribeResource({ uri })
        return end
      } catch (error) {
        end()
        throw failure(error, `doesn't tell of changes of ${uri}`)
      }
    },
    onChange(tell) {
      listeners.add(tell)
    },
    async close() {
      isClosed = true
      const to = await connected?.catch(() => undefined)
      if (to?.transport instanceof StreamableHTTPClientTransport)
        await Promise.race([
          to.transport.terminateSession().catch(() => {}),
          new Promise((resolve) => setTimeout(resolve, FAREWELL).unref()),
        ])
      await Promise.all([...retired, ...(to ? [to] : [])].map((each) => each.close()))
    },
  }
}

async function listOf(from: Client, kind: Kind): Promise<readonly Item[]> {
  const options = { timeout: START }
  if (kind === 'tools') return (await from.listTools(undefined, options)).tools
  if (kind === 'resources') return (await from.listResources(undefined, options)).resources
  if (kind === 'prompts') return (await from.listPrompts(undefined, options)).prompts
  const { resourceTemplates } = await from.listResourceTemplates(undefined, options).catch((error) => {
    // A server with resources may have none of these, and refuse to list them.
    if (isAnswer(error)) return { resourceTemplates: [] }
    throw error
  })
  return resourceTemplates
}

/** Whether a server answered, and refused the protocol: it is there. */
function isAnswer(error: unknown): boolean {
  return error instanceof ProtocolError
}

/** Whether a server doesn't know the session, as after it was started again. What was called is not repeated. */
function isSessionOver(error: unknown): boolean {
  return error instanceof SdkHttpError && [400, 404].includes(error.status ?? 0)
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
