// The MCP server that an agent talks to. The agent can't sign: this signs each call with the holder's key, and takes it to the gate.
import type { Holder, ReplyWay } from '@keyhole/holder'
import { ProtocolError, Server, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { isRecord } from '../calls/arguments.ts'
import { CallRefused } from '../errors.ts'
import { CALL_TOOL, GET_PROMPT, type Kind, READ_RESOURCE } from './commands.ts'
import type { GateServer } from './gate-server.ts'
import { GrantNeeded } from './grant-needed.ts'
import { canOpenLinks, linkData, openLink } from './link-clients.ts'
import { signCalls } from './signed-calls.ts'
import type { Talk } from './talk.ts'
import type { Item } from './upstream.ts'

export interface AgentOptions {
  /** The agent's key and grants. */
  readonly holder: Holder
  /** How long a call waits for a grant after the person opened the link, in milliseconds. Default: 45 seconds. */
  readonly patience?: number
  /** How answers to requests come back, such as `mailbox`. Without it, a person brings them to the holder. */
  readonly reply?: ReplyWay | undefined
}

/** The tool by which an agent asks for what it can't see. */
const ASK = 'keyhole_ask'
const ASK_TOOL: Item = {
  name: ASK,
  title: 'Ask for access',
  description:
    'Asks the owner for a grant. Tools, resources and prompts that no grant covers are not listed: ask by the name that you know. Returns a link: show it to the person. Once they granted it, make the call.',
  inputSchema: {
    type: 'object',
    properties: {
      tool: { type: 'string', description: 'Name of the tool' },
      arguments: {
        type: 'object',
        description: 'Arguments of the call that you want to make',
        additionalProperties: true,
      },
    },
    required: ['tool'],
  },
}
/** How often it is looked whether a grant has come, in milliseconds. */
const BETWEEN = 500
/** JSON-RPC's code for a refusal of the gate. */
const REFUSED = -32_003

/** Makes the server that an agent talks to, for one connection. */
export async function agentServer(
  gateServer: GateServer,
  { holder, patience = 45_000, reply }: AgentOptions,
): Promise<Server> {
  const calls = signCalls(gateServer, holder, { reply })
  const kinds = await gateServer.kinds()
  const server = new Server(
    { name: `keyhole-${gateServer.name}`, version: '0.1.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        ...(kinds.includes('resources') && {
          resources: { listChanged: true, ...(gateServer.watch && { subscribe: true }) },
        }),
        ...(kinds.includes('prompts') && { prompts: { listChanged: true } }),
        logging: {},
        completions: {},
      },
      instructions: `Calls go through a Keyhole gate, which allows what the owner granted. If a call is refused, show the link to the person.`,
    },
  )

  /** Makes a call. One that needs a grant asks the person, where the client can open a link, and goes on once there is one. */
  async function act(
    command: string,
    args: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ): Promise<Record<string, unknown>> {
    const { signal, inputResponses } = context.mcpReq
    if (isAccepted(inputResponses)) await waitForGrant(command, args, signal)
    try {
      return await calls.call(command, args, signal, talkOf(holder, context))
    } catch (error) {
      if (!(error instanceof GrantNeeded) || inputResponses || !canOpenLinks(server, context)) throw error
      return { ...openLink(error) }
    }
  }

  async function waitForGrant(command: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal) {
    const end = Date.now() + patience
    while (!(await calls.covers(command, args)) && Date.now() < end && !signal.aborted)
      await new Promise((resolve) => setTimeout(resolve, BETWEEN))
  }

  async function callTool(
    name: string,
    given: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ): Promise<Record<string, unknown>> {
    try {
      if (name !== ASK) return await act(CALL_TOOL, { name, arguments: given }, context)
      const { tool, arguments: wanted } = given
      if (typeof tool !== 'string') return textOf('Name the tool.', true)
      const needed = await calls.request(CALL_TOOL, {
        name: tool,
        ...(isRecord(wanted) && { arguments: wanted }),
      })
      return textOf(
        `Ask the owner to open ${needed.link} and to compare the code ${needed.shortCode}.`,
        false,
      )
    } catch (error) {
      return refusedTool(error)
    }
  }

  const answer = (
    method: string,
    handler: (params: Params, context: ServerContext) => Promise<Record<string, unknown>>,
  ) => server.setRequestHandler(method, { params: ParamsSchema }, handler)
  const lists = (kind: Kind) => calls.list(kind)
  answer('tools/list', async () => ({
    // The gate's own tool comes before one that a server calls the same.
    tools: [...(await lists('tools')).filter(({ name }) => name !== ASK), ASK_TOOL],
  }))
  answer('tools/call', ({ name, arguments: given }, context) => callTool(name, given, context))
  const watched = new Map<string, () => void>()
  server.onclose = () => {
    calls.close()
    for (const end of watched.values()) end()
  }
  if (kinds.includes('resources')) {
    answer('resources/list', async () => ({ resources: await lists('resources') }))
    answer('resources/templates/list', async () => ({ resourceTemplates: await lists('templates') }))
    answer('resources/subscribe', async ({ uri }) => {
      const end = await calls.watch(uri, () => void server.sendResourceUpdated({ uri }).catch(() => {}))
      watched.get(uri)?.()
      if (!end)
        throw new ProtocolError(
          REFUSED,
          "No grant covers this resource, or its server doesn't report changes.",
        )
      watched.set(uri, end)
      return {}
    })
    answer('resources/unsubscribe', async ({ uri }) => {
      watched.get(uri)?.()
      watched.delete(uri)
      return {}
    })
    answer('resources/read', ({ uri }, context) => act(READ_RESOURCE, { uri }, context).catch(refused))
  }
  if (kinds.includes('prompts')) {
    answer('prompts/list', async () => ({ prompts: await lists('prompts') }))
    answer('prompts/get', ({ name, arguments: given }, context) =>
      act(GET_PROMPT, { name, arguments: given }, context).catch(refused),
    )
  }
  // Suggestions would show the server what is typed, and show what it has: no grant says that they may.
  answer('completion/complete', async () => ({ completion: { values: [], total: 0, hasMore: false } }))
  return server
}

/** How a server speaks to the agent that made this call. */
function talkOf(agent: Holder, { mcpReq }: ServerContext): Talk {
  const token = mcpReq._meta?.progressToken
  return {
    agent,
    ...(token !== undefined && {
      progress: (params: Item) =>
        void mcpReq
          .notify({ method: 'notifications/progress', params: { ...params, progressToken: token } })
          .catch(() => {}),
    }),
    log: ({ level, data, logger }) => void mcpReq.log(level, data, logger).catch(() => {}),
    ask: async (question, params) => ({
      ...(await mcpReq.send({ method: question, params: { ...params } })),
    }),
  }
}

/** What is used of a request's parameters. */
const ParamsSchema = z.object({
  name: z.string().default(''),
  uri: z.string().default(''),
  arguments: z.record(z.string(), z.unknown()).default({}),
})
type Params = z.output<typeof ParamsSchema>

function isAccepted(responses: Record<string, unknown> | undefined): boolean {
  const answer = responses?.grant
  return isRecord(answer) && answer.action === 'accept'
}

/** A refusal as the agent reads it: text, and data for programs. */
function refusedTool(error: unknown): Item {
  if (error instanceof GrantNeeded)
    return {
      ...textOf(error.message, true),
      structuredContent: linkData(error),
    }
  if (error instanceof CallRefused)
    return { ...textOf(error.message, true), structuredContent: { error: error.code } }
  throw error
}

function refused(error: unknown): never {
  if (error instanceof GrantNeeded) throw new ProtocolError(REFUSED, error.message, linkData(error))
  if (error instanceof CallRefused) throw new ProtocolError(REFUSED, error.message, { error: error.code })
  throw error
}

function textOf(text: string, isError: boolean): Item {
  return { content: [{ type: 'text', text }], isError }
}
