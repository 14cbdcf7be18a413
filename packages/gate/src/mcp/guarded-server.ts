import { type Enclave, isRefusal } from '@keyhole/enclave'
import type { Holder } from '@keyhole/holder'
import { type Authorized, type Verifier, VerifyError } from '@keyhole/verify'
import { checkNames, checkPaths, isRecord, pathLike } from '../calls/arguments.ts'
import { checkUri } from '../calls/resource-uri.ts'
import type { ServerConfig } from '../config/config.ts'
import { CallRefused, GateError, refuseCall } from '../errors.ts'
import { canReach, type Grantlike } from '../grants/reach.ts'
import type { ReceiptLog } from '../receipts/receipt-log.ts'
import type { Redactor } from '../secrets/redactor.ts'
import { CALL_TOOL, COMMAND_OF, GET_PROMPT, type Kind, READ_RESOURCE } from './commands.ts'
import type { GateServer } from './gate-server.ts'
import type { Pins } from './pins.ts'
import type { Item, Upstream } from './upstream.ts'

export interface GuardedOptions {
  readonly name: string
  readonly config: ServerConfig
  readonly vault: string
  readonly upstream: Upstream
  readonly verifier: Verifier
  readonly enclave: Pick<Enclave, 'call'>
  readonly redactor: Redactor
  readonly pins: Pins
  /** The gate's own key. */
  readonly holder: Holder
  readonly gate: string
  readonly log: ReceiptLog
  /** Called with what went wrong inside the gate. It has no secret in it. */
  readonly onError: (error: unknown) => void
  readonly clock: () => number
}

/** Most grants that a caller shows for a list. */
const MOST_GRANTS = 64
/** How long a receipt can be checked, in seconds: ten years. */
const RECEIPT_LIFETIME = 315_360_000

/** What a call asks the server for. */
interface Request {
  readonly method: 'tools/call' | 'resources/read' | 'prompts/get'
  readonly params: Record<string, unknown>
  /** The tool's or prompt's name, or the resource's URI. */
  readonly name: string
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
  /** All its tools, for its operator. @throws GateError SERVER_FAILED */
  tools(): Promise<readonly ToolState[]>
}

/** Puts the gate before an MCP server. */
export function guardServer(options: GuardedOptions): GuardedServer {
  const { name, config, vault, upstream, verifier, enclave, redactor, pins, holder, gate, log } = options
  const { onError, clock } = options
  let running = 0
  /** Tools as they were listed last; dropped when the server says that they changed. */
  let tools: Promise<ReadonlyMap<string, { readonly tool: Item; readonly isPinned: boolean }>> | undefined
  upstream.onChange(() => {
    tools = undefined
  })

  /** What a server lists, without secrets. */
  function cleaned(items: readonly Item[]): readonly Item[] {
    return items.map((item) => redactor.json(item)).filter(isRecord)
  }

  function knownTools() {
    const listing = (async () => {
      // Without secrets, so that a new credential is no change of a tool.
      const listed = cleaned(await upstream.list('tools'))
      const unchanged = await pins.check(listed)
      return new Map(
        listed.map((tool) => [String(tool.name), { tool, isPinned: unchanged.has(String(tool.name)) }]),
      )
    })()
    listing.catch(() => {
      if (tools === listing) tools = undefined
    })
    tools = listing
    return listing
  }

  /** Names of the arguments that are paths. A tool that seems to have some, where none were configured, is not offered. */
  function pathsOf(schema: unknown): readonly string[] | undefined {
    if (config.paths) return config.paths
    return pathLike(schema).length === 0 ? [] : undefined
  }

  async function toolRequest(args: Item): Promise<Request> {
    const { name: tool, arguments: given = {} } = args
    if (typeof tool !== 'string' || !isRecord(given)) return malformed()
    const known = (await (tools ?? knownTools())).get(tool)
    if (!known) return refuseCall('UnknownTool', `The server ${name} has no tool of this name.`)
    if (!known.isPinned)
      return refuseCall(
        'ToolChanged',
        `The server ${name} now describes this tool differently. Its operator has to check and accept that.`,
      )
    const schema = known.tool.inputSchema
    const paths = pathsOf(schema)
    if (!paths)
      return refuseCall('UnknownTool', `The operator has to say which arguments of this tool are paths.`)
    checkNames(given, schema)
    await checkPaths(given, paths)
    return { method: 'tools/call', params: { name: tool, arguments: given }, name: tool }
  }

  async function requestOf({ command, args }: Authorized): Promise<Request> {
    const { server, ...rest } = args
    if (server !== name) refuseCall('UnknownServer', `This is the server ${name}.`)
    const extra = Object.keys(rest).find((key) => !['name', 'arguments', 'uri'].includes(key))
    if (extra !== undefined) malformed()
    if (command === CALL_TOOL) return await toolRequest(rest)
    if (command === READ_RESOURCE) {
      const { uri } = rest
      if (typeof uri !== 'string') return malformed()
      await checkUri(uri)
      return { method: 'resources/read', params: { uri }, name: uri }
    }
    if (command === GET_PROMPT) {
      const { name: prompt, arguments: given = {} } = rest
      if (typeof prompt !== 'string' || !isRecord(given)) return malformed()
      if (Object.values(given).some((value) => typeof value !== 'string')) return malformed()
      checkNames(given, undefined)
      await checkPaths(given, config.paths ?? [])
      return { method: 'prompts/get', params: { name: prompt, arguments: given }, name: prompt }
    }
    return refuseCall('InvalidCommand', `The gate doesn't know the command ${command}.`)
  }

  /** Sends a request, and cuts credentials out of the answer. */
  async function send({ method, params }: Request, signal: AbortSignal | undefined): Promise<Item> {
    let answer: Item
    try {
      answer = await upstream.request(method, params, signal)
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

  async function writeReceipt(grant: Authorized, what: string, outcome: string): Promise<void> {
    const { subject, issuer, command, cid, task, chain } = grant
    const out = outcome === 'ok' ? { ok: {} } : { error: { code: outcome } }
    const args = { about: { '/': task }, facts: { out, run: [] } }
    const signing = { subject: gate, audience: subject, expiresIn: RECEIPT_LIFETIME }
    const { token } = await holder.invoke('/ucan/assert', args, signing)
    await log.append({
      at: new Date(clock()).toISOString(),
      server: name,
      command,
      name: redactor.text(what).slice(0, 500),
      issuer,
      subject,
      call: cid,
      task,
      grants: chain.map((link) => link.cid),
      outcome,
      receipt: token,
    })
  }

  async function carryOut(token: string, signal: AbortSignal | undefined): Promise<Item> {
    const verdict = await check(token)
    let what = ''
    let outcome = 'ok'
    try {
      const request = await requestOf(verdict)
      what = request.name
      const answer = await send(request, signal)
      if (answer.isError === true) outcome = 'error'
      return answer
    } catch (error) {
      outcome = error instanceof CallRefused ? error.code : 'Unavailable'
      if (error instanceof CallRefused) throw error
      onError(error)
      return refuseCall('Unavailable', `The server ${name} can't be reached. Try again later.`)
    } finally {
      // The call is over: a log that can't be written is the operator's to know of.
      await writeReceipt(verdict, what, outcome).catch(onError)
    }
  }

  async function check(token: string): Promise<Authorized> {
    try {
      const verdict = await verifier.check(token)
      if (verdict.authorized) return verdict
      return refuseCall(verdict.refusal.name, verdict.refusal.message)
    } catch (error) {
      if (error instanceof CallRefused) throw error
      onError(error)
      const code = error instanceof VerifyError ? error.code : 'CHECK_FAILED'
      return refuseCall('Unavailable', `No decision could be made (${code}). Try again later.`)
    }
  }

  /** The grants among these texts that are valid. */
  async function validGrants(texts: readonly string[]): Promise<readonly Grantlike[]> {
    const found = await Promise.all(
      texts.slice(0, MOST_GRANTS).map(async (token) => {
        const read = await enclave.call('verify_token', { token, now: Math.floor(clock() / 1_000) })
        if (isRefusal(read) || !read.valid) return []
        const { command, policy } = read.effective
        const subject = read.chain[0]?.issuer
        return subject !== undefined && verifier.subjects.includes(subject) ? [{ command, policy }] : []
      }),
    )
    return found.flat()
  }

  return {
    name,
    gate,
    owners: verifier.subjects,
    vault,
    async kinds() {
      const has = await upstream.capabilities()
      const kinds: Kind[] = []
      if (has.tools) kinds.push('tools')
      if (has.resources) kinds.push('resources', 'templates')
      if (has.prompts) kinds.push('prompts')
      return kinds
    },
    async list(kind, texts) {
      const grants = await validGrants(texts)
      const command = COMMAND_OF[kind]
      const isReachable = (known: Record<string, string>) =>
        grants.some((grant) => canReach(grant, command, { server: name, ...known }))
      if (!isReachable({})) return []
      const items: Item[] =
        kind === 'tools'
          ? [...(await knownTools()).values()].flatMap(({ tool, isPinned }) =>
              isPinned && pathsOf(tool.inputSchema) ? [tool] : [],
            )
          : [...(await upstream.list(kind))]
      const reachable = items.filter((item) =>
        isReachable(
          kind === 'resources'
            ? { uri: String(item.uri) }
            : kind === 'templates'
              ? {}
              : { name: String(item.name) },
        ),
      )
      return kind === 'tools' ? reachable : cleaned(reachable)
    },
    async tools() {
      return [...(await knownTools())].map(
        ([
          tool,
          {
            tool: { inputSchema },
            isPinned,
          },
        ]) => {
          const paths = pathsOf(inputSchema)
          const own = isRecord(inputSchema) && isRecord(inputSchema.properties) ? inputSchema.properties : {}
          return {
            name: tool,
            paths: paths ? paths.filter((each) => Object.hasOwn(own, each)) : pathLike(inputSchema),
            state: !isPinned ? 'changed' : paths ? 'offered' : 'paths-missing',
          }
        },
      )
    },
    async call(token, signal) {
      if (running >= config.concurrency)
        refuseCall('Busy', `${config.concurrency} calls of ${name} are running. Try again later.`)
      running += 1
      try {
        return await carryOut(token, signal)
      } finally {
        running -= 1
      }
    },
    onChange: (tell) => upstream.onChange(tell),
  }
}

function malformed(): never {
  return refuseCall('MalformedCall', 'The arguments of the call have another form. See docs/commands.md.')
}
