import type { Enclave } from '@keyhole/enclave'
import type { Holder } from '@keyhole/holder'
import type { Authorized } from '@keyhole/verify'
import { checkNames, checkPaths, isJson, isRecord, pathLike } from '../calls/arguments.ts'
import { createGuard, type GuardParts } from '../calls/guard.ts'
import { resolvePath, writtenPath } from '../calls/paths.ts'
import { checkUri } from '../calls/resource-uri.ts'
import type { ServerConfig } from '../config/config.ts'
import { GateError, refuseCall } from '../errors.ts'
import { canReach } from '../grants/reach.ts'
import type { ReadGrants } from '../grants/read-grants.ts'
import { introduceTool } from '../introduction/introduce-tool.ts'
import type { OfferedResource, OfferedTool, Offers } from '../introduction/introduction.ts'
import { CALL_TOOL, COMMAND_OF, describedBy, GET_PROMPT, type Kind, READ_RESOURCE } from './commands.ts'
import type { GateServer, Said } from './gate-server.ts'
import { keptList } from './kept-list.ts'
import { promptSchema } from './prompt-schema.ts'
import { type RequestFor, requestFor, type Turns } from './request-for.ts'
import type { Talk } from './talk.ts'
import type { Pins } from './tool-fingerprints.ts'
import type { Item, Upstream } from './upstream.ts'

export interface GuardedOptions extends GuardParts {
  readonly name: string
  readonly config: ServerConfig
  readonly vault: string
  readonly upstream: Upstream
  /** Reads refused calls. Strangers can keep it busy. */
  readonly enclave: Pick<Enclave, 'call'>
  /** Reads the grants that lists are asked for with. */
  readonly readGrants: ReadGrants
  readonly pins: Pins
  /** DID of the gate. */
  readonly gate: string
  /** Of the gate's own key, for what it says itself. */
  readonly signer: Holder
  /** Of all servers, for the requests that callers are given. */
  readonly turns: Turns
}

/** What a call asks the server for. */
interface Request {
  readonly method: 'tools/call' | 'resources/read' | 'prompts/get'
  readonly params: Record<string, unknown>
  /** The tool's or prompt's name, or the resource's URI. */
  readonly name: string
}

/** A tool or prompt as the server lists it. */
interface Known {
  readonly item: Item
  /** Of its arguments. */
  readonly schema: unknown
  /** Whether it is described as when the gate first saw it. */
  readonly isPinned: boolean
}

/** How a tool is offered. */
export interface ToolState {
  readonly name: string
  /** Its arguments that are paths. */
  readonly paths: readonly string[]
  /** `changed`: see ToolChanged. `paths-missing`: the configuration has to say which of `paths` are paths. The latter two are not offered. */
  readonly state: 'offered' | 'changed' | 'paths-missing'
}

/** A server behind this gate. */
export interface GuardedServer extends GateServer {
  /** Paths that its operator suggests for limits. */
  readonly suggest: readonly string[]
  /** All its tools, for its operator. @throws GateError SERVER_FAILED */
  tools(): Promise<readonly ToolState[]>
  /** What it offers, as the server describes it, without credentials. @throws GateError SERVER_FAILED if it lists no tools */
  offers(): Promise<Offers>
  /** The request for a grant that a refused call lacks, for its caller. */
  readonly requestFor: RequestFor
  /** As of any server. @param address IP address of the caller, so that one network can't keep others waiting */
  call(token: string, signal?: AbortSignal, said?: Said, talk?: Talk, address?: string): Promise<Item>
}

/** The fields of each command, besides the server. */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  [CALL_TOOL, ['name', 'arguments']],
  [READ_RESOURCE, ['uri']],
  [GET_PROMPT, ['name', 'arguments']],
])

/** Puts the gate before an MCP server. */
export function guardServer(options: GuardedOptions): GuardedServer {
  const { name, config, vault, upstream, verifier, readGrants, redactor, pins, gate } = options
  const { onError, clock, signer } = options
  const introduce = introduceTool({ server: name, gate, signer, clock })
  const guard = createGuard({ ...options, concurrency: config.concurrency })
  /** The file system of another machine can't be looked at. */
  const resolve = 'command' in config || config.private ? resolvePath : writtenPath
  const tools = keptList(listTools)
  const prompts = keptList(listPrompts)
  upstream.onChange(() => {
    tools.drop()
    prompts.drop()
  })

  /** What a server lists, without secrets. */
  function cleaned(items: readonly Item[]): readonly Item[] {
    return items.map((item) => redactor.json(item)).filter(isRecord)
  }

  async function listTools(): Promise<ReadonlyMap<string, Known>> {
    // Without secrets, so that a new credential doesn't count as a changed tool.
    const listed = cleaned(await upstream.list('tools'))
    const unchanged = await pins.check(listed)
    return firstOfEach(listed, (item) => ({
      item,
      schema: item.inputSchema,
      isPinned: unchanged.has(String(item.name)),
    }))
  }

  async function listPrompts(): Promise<ReadonlyMap<string, Known>> {
    const listed = cleaned(await upstream.list('prompts'))
    return firstOfEach(listed, (item) => ({ item, schema: promptSchema(item), isPinned: true }))
  }

  /** Names of the arguments that are paths. A tool or prompt that seems to have some, where none were configured, is not offered. */
  function pathsOf(schema: unknown): readonly string[] | undefined {
    if (config.paths) return config.paths
    return pathLike(schema).length === 0 ? [] : undefined
  }

  /** The tools or prompts that can be called, with their arguments that are paths. */
  function callable(known: ReadonlyMap<string, Known>) {
    return [...known.values()].flatMap(({ item, schema, isPinned }) => {
      const paths = pathsOf(schema)
      return isPinned && paths ? [{ item, schema, paths }] : []
    })
  }

  /** @throws CallRefused */
  async function checkArguments(
    given: Readonly<Record<string, unknown>>,
    schema: unknown,
    what: 'tool' | 'prompt',
  ): Promise<void> {
    const paths = pathsOf(schema)
    if (!paths)
      return refuseCall('UnknownTool', `The operator has to say which arguments of this ${what} are paths.`)
    checkNames(given, schema)
    if (!isJson(given))
      refuseCall(
        'MalformedCall',
        'An argument is a whole number of more than 53 bits, which MCP has no room for.',
      )
    await checkPaths(given, paths, resolve)
  }

  async function toolRequest(args: Item): Promise<Request> {
    const { name: tool, arguments: given = {} } = args
    if (typeof tool !== 'string' || !isRecord(given)) return malformed()
    const known = (await tools.get()).get(tool)
    if (!known) return refuseCall('UnknownTool', `The server ${name} has no tool of this name.`)
    if (!known.isPinned)
      return refuseCall(
        'ToolChanged',
        `The server ${name} now describes this tool differently. Its operator has to check and accept that.`,
      )
    await checkArguments(given, known.schema, 'tool')
    return { method: 'tools/call', params: { name: tool, arguments: given }, name: tool }
  }

  async function promptRequest(args: Item): Promise<Request> {
    const { name: prompt, arguments: given = {} } = args
    if (typeof prompt !== 'string' || !isRecord(given)) return malformed()
    if (Object.values(given).some((value) => typeof value !== 'string')) return malformed()
    const known = (await prompts.get()).get(prompt)
    if (!known) return refuseCall('UnknownTool', `The server ${name} has no prompt of this name.`)
    await checkArguments(given, known.schema, 'prompt')
    return { method: 'prompts/get', params: { name: prompt, arguments: given }, name: prompt }
  }

  async function requestOf({ command, args }: Authorized): Promise<Request> {
    const { server, once, ...rest } = args
    if (once !== undefined && typeof once !== 'string') malformed()
    if (server !== name) refuseCall('UnknownServer', `This is the server ${name}.`)
    // A field of another command isn't sent, so a limit on it would be held against nothing.
    const fields = FIELDS.get(command)
    if (!fields) return refuseCall('InvalidCommand', `The gate doesn't know the command ${command}.`)
    if (Object.keys(rest).some((key) => !fields.includes(key))) malformed()
    if (command === CALL_TOOL) return await toolRequest(rest)
    if (command === READ_RESOURCE) {
      const { uri } = rest
      if (typeof uri !== 'string') return malformed()
      await checkUri(uri, resolve)
      return { method: 'resources/read', params: { uri }, name: uri }
    }
    return await promptRequest(rest)
  }

  /** What the server says to the agent, without credentials. */
  function cleanTalk({ agent, progress, log, ask }: Talk): Talk {
    const pass = (tell: (params: Item) => void) => (params: Item) => {
      const clean = redactor.json(params)
      if (isRecord(clean)) tell(clean)
    }
    return {
      agent,
      ...(progress && { progress: pass(progress) }),
      log({ data, logger, ...rest }) {
        const clean = redactor.json(data)
        if (clean !== undefined)
          log({ ...rest, data: clean, ...(logger !== undefined && { logger: redactor.text(logger) }) })
      },
      async ask(question, params) {
        const clean = redactor.json(params)
        if (!isRecord(clean)) throw new Error('The question has a credential in it.')
        return await ask(question, clean)
      },
    }
  }

  /** Sends a request, and cuts credentials out of the answer. */
  async function send(
    { method, params }: Request,
    signal: AbortSignal | undefined,
    talk: Talk | undefined,
  ): Promise<Item> {
    let answer: Item
    try {
      answer = await upstream.request(method, params, signal, talk && cleanTalk(talk))
    } catch (error) {
      if (error instanceof GateError) onError(error)
      const why = redactor.text(error instanceof Error ? error.message : String(error)).slice(0, 1_000)
      return refuseCall('ServerFailed', `${name} gave no answer, and may have carried out the call: ${why}`)
    }
    // `_meta` of an answer is between the server and the gate.
    const { _meta, ...rest } = answer
    if (JSON.stringify(rest).length > config.longestAnswer)
      refuseCall('AnswerTooLong', `${name} carried out the call, but its answer is too long.`)
    const clean = redactor.json(rest)
    if (!isRecord(clean))
      return refuseCall(
        'AnswerWithheld',
        `${name} carried out the call, but its answer has a credential in it.`,
      )
    return clean
  }

  /** Tools or prompts as an introduction has them. */
  function offeredItems(known: ReadonlyMap<string, Known>): readonly OfferedTool[] {
    return callable(known).flatMap(({ item: { name: called, description }, schema, paths }) => {
      if (typeof called !== 'string') return []
      const said = typeof description === 'string' ? { description } : {}
      return [{ name: called, ...said, schema, paths: paths.filter((each) => names(schema, each)) }]
    })
  }

  async function offeredTools(): Promise<readonly OfferedTool[]> {
    return (await upstream.capabilities()).tools ? offeredItems(await tools.refresh()) : []
  }

  /** The resources that can be read: those with a URI that the gate takes. */
  async function clearResources(items: readonly Item[]): Promise<readonly OfferedResource[]> {
    const found = items.map(async ({ uri, name: called, description }): Promise<OfferedResource[]> => {
      if (typeof uri !== 'string') return []
      const isClear = await checkUri(uri, resolve).then(
        () => true,
        () => false,
      )
      const said = {
        ...(typeof called === 'string' && { name: called }),
        ...(typeof description === 'string' && { description }),
      }
      return isClear ? [{ uri, ...said }] : []
    })
    return (await Promise.all(found)).flat()
  }

  async function describe(command: string, { name: called }: Said['args']): Promise<string | undefined> {
    const kind = describedBy(command)
    if (kind === undefined || typeof called !== 'string') return undefined
    const known = (await (kind === 'tools' ? tools : prompts).get()).get(called)
    const [offered] = known ? offeredItems(new Map([[called, known]])) : []
    return offered && (await introduce(kind, offered))
  }

  return {
    name,
    gate,
    owners: verifier.subjects,
    vault,
    suggest: config.suggest,
    requestFor: requestFor({ ...options, describe }),
    async kinds() {
      const has = await upstream.capabilities()
      const kinds: Kind[] = []
      if (has.tools) kinds.push('tools')
      if (has.resources) kinds.push('resources', 'templates')
      if (has.prompts) kinds.push('prompts')
      return kinds
    },
    async list(kind, texts, address) {
      const grants = await readGrants(texts, address)
      const command = COMMAND_OF[kind]
      const isReachable = (known: Record<string, string>) =>
        grants.some((grant) => canReach(grant, command, { server: name, ...known }))
      if (!isReachable({})) return []
      if (kind === 'resources' || kind === 'templates')
        return cleaned((await upstream.list(kind)).filter((item) => isReachable(targetOf(kind, item))))
      const known = await (kind === 'tools' ? tools : prompts).refresh()
      return callable(known)
        .map(({ item }) => item)
        .filter((item) => isReachable(targetOf(kind, item)))
    },
    async tools() {
      return [...(await tools.refresh())].map(([tool, { schema, isPinned }]) => {
        const paths = pathsOf(schema)
        const own = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {}
        return {
          name: tool,
          paths: paths ? paths.filter((each) => Object.hasOwn(own, each)) : pathLike(schema),
          state: !isPinned ? 'changed' : paths ? 'offered' : 'paths-missing',
        }
      })
    },
    async offers() {
      // A server that lists its tools is introduced, whatever becomes of its other lists.
      const [offered, asked, listed, forms] = await Promise.all([
        offeredTools(),
        prompts
          .refresh()
          .then(offeredItems)
          .catch(() => []),
        upstream.list('resources').catch(() => []),
        upstream.list('templates').catch(() => []),
      ])
      const resources = await clearResources(cleaned(listed))
      return { tools: offered, prompts: asked, resources, templates: usableTemplates(cleaned(forms)) }
    },
    async watch(uri, texts, tell) {
      const isReached = async () =>
        (await readGrants(texts)).some((grant) => canReach(grant, READ_RESOURCE, { server: name, uri }))
      await checkUri(uri, resolve)
      if (!(await isReached())) return undefined
      return await upstream.watch(uri, () => {
        // The grants may have expired since.
        isReached().then((reaches) => reaches && tell(), onError)
      })
    },
    async call(token, signal, _said, talk, address) {
      return await guard.run(
        token,
        {
          request: requestOf,
          name: (request) => request.name,
          async carryOut(request) {
            const answer = await send(request, signal, talk)
            return { answer, outcome: answer.isError === true ? 'error' : 'ok' }
          },
        },
        address,
      )
    },
    describe,
    onChange: (tell) => upstream.onChange(tell),
  }
}

/** Tools or prompts by name. Of several that are called the same, the first counts. */
function firstOfEach(items: readonly Item[], knownOf: (item: Item) => Known): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>()
  for (const item of items) {
    const called = String(item.name)
    if (!known.has(called)) known.set(called, knownOf(item))
  }
  return known
}

/** What a call of a listed item would say that it is for. */
function targetOf(kind: Kind, { uri, name }: Item): Record<string, string> {
  if (kind === 'templates') return {}
  return kind === 'resources' ? { uri: String(uri) } : { name: String(name) }
}

/** The templates of which a grant can be: those whose scheme is written out. */
function usableTemplates(items: readonly Item[]): readonly OfferedResource[] {
  return items.flatMap(({ uriTemplate, name, description }) =>
    typeof uriTemplate === 'string' && /^[a-z][a-z0-9+.-]*:[\x21-\x7e]*\{[\x21-\x7e]+$/.test(uriTemplate)
      ? [
          {
            uri: uriTemplate,
            ...(typeof name === 'string' && { name }),
            ...(typeof description === 'string' && { description }),
          },
        ]
      : [],
  )
}

/** Whether a schema speaks of an argument of this name, at any depth. */
function names(schema: unknown, argument: string): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if (isRecord(schema) && isRecord(schema.properties) && Object.hasOwn(schema.properties, argument))
    return true
  return Object.values(schema).some((each) => names(each, argument))
}

function malformed(): never {
  return refuseCall('MalformedCall', 'The arguments of the call have another form. See docs/commands.md.')
}
