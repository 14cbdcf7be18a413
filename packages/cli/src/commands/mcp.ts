import type { Gate, GuardedServer } from '@keyhole/gate'
import type { Server } from '@modelcontextprotocol/server'
import type { Command } from '../command.ts'
import { wrongUsage } from '../errors.ts'
import { CONFIG, configuredGate } from '../gate-config.ts'

/** How often it is looked whether grants came or went, in milliseconds: then the agent is told that its list changed. */
const BETWEEN = 3_000

export const mcp: Command = {
  name: 'mcp',
  summary: 'Give an agent an MCP server through a gate: for the configuration of any MCP client',
  options: {
    config: CONFIG,
    server: { type: 'string', value: 'NAME', help: 'Which server of the configuration, if it has several' },
  },
  examples: [
    ['keyhole mcp --config ~/keyhole-gate.json --server files', 'Speaks MCP on standard input and output'],
    ['claude mcp add files -- keyhole mcp --config ~/keyhole-gate.json', 'In a client that takes a command'],
  ],
  async run(given) {
    const holder = given.holder()
    const { agentServer } = await import('@keyhole/gate')
    const gate = await configuredGate(given)
    const connections = new Set<Server>()
    const tell = () => {
      for (const each of connections) each.sendToolListChanged().catch(() => {})
    }
    try {
      const server = serverOf(gate, given.text('server'))
      server.onChange(tell)
      await served(
        async () => {
          const connection = await agentServer(server, { holder })
          connections.add(connection)
          return connection
        },
        watch(async () => (await holder.grants()).map(({ cid }) => cid).join(), tell),
      )
    } finally {
      await gate.close()
    }
    return { json: undefined, text: '' }
  },
}

function serverOf({ servers }: Gate, name: string | undefined): GuardedServer {
  const [[only, server] = [], ...others] = servers
  const wanted = name === undefined ? (others.length === 0 ? server : undefined) : servers.get(name)
  if (wanted) return wanted
  const names = [only, ...others.map(([each]) => each)].join(', ')
  return wrongUsage(names ? `Say which server with --server: ${names}.` : 'The configuration has no server.')
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
