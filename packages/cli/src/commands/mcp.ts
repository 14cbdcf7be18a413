import type { GateServer } from '@keyhole/gate'
import type { Server } from '@modelcontextprotocol/server'
import type { Command, Given } from '../command.ts'
import { wrongUsage } from '../errors.ts'
import { CONFIG, openConfigured, ownedConfig } from '../gate-config.ts'
import { visible } from '../values.ts'
import { replyFrom } from './ask.ts'

/** How often it is looked whether grants came or went, in milliseconds: then the agent is told that its list changed. */
const BETWEEN = 3_000

export const mcp: Command = {
  name: 'mcp',
  summary: 'Give an agent an MCP server through a gate: for the configuration of any MCP client',
  options: {
    config: CONFIG,
    gate: {
      type: 'string',
      value: 'URL',
      help: 'A gate that runs elsewhere (`keyhole gate serve`), instead of a configuration',
    },
    server: {
      type: 'string',
      value: 'NAME',
      help: 'Which server of the gate. Default: all, with tools named as in files__read',
    },
  },
  examples: [
    ['keyhole mcp --config ~/keyhole-gate.json --server files', 'Speaks MCP on standard input and output'],
    [
      'keyhole mcp --gate http://127.0.0.1:4291',
      "The agent's user needs no access to the gate's configuration",
    ],
    ['claude mcp add files -- keyhole mcp --config ~/keyhole-gate.json', 'In a client that takes a command'],
  ],
  async run(given) {
    const holder = given.holder()
    const { agentServer } = await import('@keyhole/gate')
    const { server, close } = await serverAt(given)
    const connections = new Set<Server>()
    const tell = () => {
      for (const each of connections) {
        each.sendToolListChanged().catch(() => {})
        // Of kinds that this server doesn't have, nothing may be said.
        each.sendResourceListChanged().catch(() => {})
        each.sendPromptListChanged().catch(() => {})
      }
    }
    try {
      server.onChange(tell)
      const stopWatching = watch(async () => (await holder.grants()).map(({ cid }) => cid).join(), tell)
      await served(async () => {
        const connection = await agentServer(server, { holder, reply: replyFrom(server.vault) })
        connections.add(connection)
        return connection
      }, stopWatching)
    } finally {
      await close()
    }
    return { json: undefined, text: '' }
  },
}

/** The server that is meant, or all: behind a gate in this process, or elsewhere. */
async function serverAt(given: Given): Promise<{ readonly server: GateServer; close(): Promise<void> }> {
  const [url, name] = [given.text('gate'), given.text('server')]
  const { joinServers, openRemoteServer, readRemoteGate } = await import('@keyhole/gate')
  const joined = ([only, ...others]: readonly GateServer[]): GateServer => {
    if (!only) return wrongUsage('The gate has no server.')
    return others.length > 0 ? joinServers(only, ...others) : only
  }
  if (url !== undefined) {
    if (given.text('config') !== undefined) wrongUsage('Use --gate or --config, not both.')
    const about = await readRemoteGate(url)
    const names = chosen(about.servers, name)
    const servers = await openAll(names, (each) => openRemoteServer(url, about, each), given.io.tell)
    return { server: joined(servers), close: async () => void (await closeAll(servers)) }
  }
  // The agent is the only caller: there is no one whom a costly check could keep waiting.
  const gate = await openConfigured(await ownedConfig(given), given, 'here')
  try {
    const names = chosen([...gate.servers.keys()], name)
    const servers = names.flatMap((each) => gate.servers.get(each) ?? [])
    return { server: joined(servers), close: () => gate.close() }
  } catch (error) {
    await gate.close()
    throw error
  }
}

interface Closable {
  close(): Promise<void>
}

const closeAll = (servers: readonly Closable[]) => Promise.allSettled(servers.map((each) => each.close()))

/** Opens those that can be opened, and tells of the others. @throws what the first one failed with, if none can */
async function openAll<S extends Closable>(
  names: readonly string[],
  open: (name: string) => Promise<S>,
  tell: (line: string) => void,
): Promise<readonly S[]> {
  const opened = await Promise.allSettled(names.map(open))
  const servers = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const failed = opened.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  if (servers.length === 0 && failed.length > 0) throw failed[0]
  for (const error of failed)
    tell(visible(`keyhole: ${error instanceof Error ? error.message : String(error)}`))
  return servers
}

/** The server of a gate that is named, or all. @throws CommandError */
function chosen(names: readonly string[], name: string | undefined): readonly string[] {
  if (names.length === 0) return wrongUsage('The gate has no server.')
  if (name === undefined) return names
  if (names.includes(name)) return [name]
  return wrongUsage(
    `There is no server ${JSON.stringify(name.slice(0, 40))}. Name one of ${names.join(', ')}.`,
  )
}

/** Serves until the client goes, or the process is told to end. */
async function served(factory: () => Promise<Server>, stopWatching: () => void): Promise<void> {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
  await new Promise<void>((resolve) => {
    const handle = serveStdio(factory)
    const end = () => {
      stopWatching()
      void handle.close().finally(resolve)
    }
    process.stdin.once('end', end)
    process.stdin.once('close', end)
    process.once('SIGTERM', end)
    process.once('SIGINT', end)
  })
}

function watch(look: () => Promise<string>, tell: () => void): () => void {
  let before: string | undefined
  const timer = setInterval(async () => {
    const now = await look().catch(() => before)
    if (before !== undefined && now !== before) tell()
    before = now
  }, BETWEEN)
  timer.unref()
  return () => clearInterval(timer)
}
