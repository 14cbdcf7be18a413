import type { GateServer } from '@keyhole/gate'
import type { Server } from '@modelcontextprotocol/server'
import type { Command, Given } from '../command.ts'
import { wrongUsage } from '../errors.ts'
import { CONFIG, openConfigured, ownedConfig } from '../gate-config.ts'

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
    server: { type: 'string', value: 'NAME', help: 'Which server of the gate, if it has several' },
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
        const connection = await agentServer(server, { holder })
        connections.add(connection)
        return connection
      }, stopWatching)
    } finally {
      await close()
    }
    return { json: undefined, text: '' }
  },
}

/** The server that is meant: behind a gate in this process, or elsewhere. */
async function serverAt(given: Given): Promise<{ readonly server: GateServer; close(): Promise<void> }> {
  const [url, name] = [given.text('gate'), given.text('server')]
  if (url !== undefined) {
    if (given.text('config') !== undefined) wrongUsage('Use --gate or --config, not both.')
    const { openRemoteServer, readRemoteGate } = await import('@keyhole/gate')
    const about = await readRemoteGate(url)
    const server = await openRemoteServer(url, about, chosen(about.servers, name))
    return { server, close: () => server.close() }
  }
  // The agent is the only caller: there is no one whom a costly check could keep waiting.
  const gate = await openConfigured(await ownedConfig(given), given, 'here')
  try {
    const wanted = chosen([...gate.servers.keys()], name)
    const server = gate.servers.get(wanted) ?? wrongUsage(`There is no server ${wanted}.`)
    return { server, close: () => gate.close() }
  } catch (error) {
    await gate.close()
    throw error
  }
}

/** The server of a gate that is named, or its only one. @throws CommandError */
function chosen(names: readonly string[], name: string | undefined): string {
  const [only, ...others] = names
  const wanted = name ?? (others.length === 0 ? only : undefined)
  if (wanted !== undefined && names.includes(wanted)) return wanted
  return wrongUsage(only ? `Say which server with --server: ${names.join(', ')}.` : 'The gate has no server.')
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
