import { join } from 'node:path'
import { compileEnclave, createEnclave } from '@keyhole/enclave'
import { createHolder } from '@keyhole/holder'
import { fileStore, holderFolder } from '@keyhole/holder/node'
import { createVerifier } from '@keyhole/verify'
import { sharedAnswer } from '@keyhole/verify/node'
import { createRecheck } from './calls/recheck.ts'
import { closedLastFirst } from './closed-last-first.ts'
import type { GateConfig, ServerConfig } from './config/config.ts'
import { readCredential } from './config/credential.ts'
import { openCounts } from './counts/open-counts.ts'
import { GateError } from './errors.ts'
import { grantReader } from './grants/read-grants.ts'
import { type Introduced, type IntroduceOptions, introduce } from './introduction/introduce.ts'
import { openLogin } from './login/login.ts'
import { loginPath } from './login/stored-login.ts'
import { type GuardedServer, guardServer } from './mcp/guarded-server.ts'
import { takeTurns } from './mcp/request-for.ts'
import { filePins } from './mcp/tool-fingerprints.ts'
import { openUpstream, type Upstream } from './mcp/upstream.ts'
import { createMeter } from './metrics/meter.ts'
import { signReceipt } from './receipts/receipt.ts'
import { fileLog } from './receipts/receipt-log.ts'
import { refusalLines } from './refusals/refusal-lines.ts'
import { noteRefusedCalls } from './refusals/refused-calls.ts'
import { folderRevocations, type Kept, keepRevocation } from './revocations/folder-revocations.ts'
import { type Listening, listenForRevocations } from './revocations/relay-feeds.ts'
import { approvalKey, approvals } from './rules/approvals.ts'
import { makeRules } from './rules/rules.ts'
import { growingRedactor } from './secrets/redactor.ts'
import { type GuardedService, guardService } from './services/guarded-service.ts'
import { type Pauses, sendReports } from './uses/report-sender.ts'
import { countUses, NO_COUNTER, type UseCounter } from './uses/use-counter.ts'

export interface GateOptions {
  readonly config: GateConfig
  /** Where `env:` credentials come from. Default: the process's. */
  readonly env?: NodeJS.ProcessEnv
  /** Milliseconds since 1970. */
  readonly clock?: () => number
  /** Called with what went wrong. It has no secret in it. */
  readonly onError?: (error: unknown) => void
  /**
   * Where tokens are checked. In a thread beside this one by default: then a costly one keeps no one else waiting. For a gate with one caller,
   * in this thread is faster.
   */
  readonly checks?: 'beside' | 'here'
  /** When reports of use are sent to the owners, in milliseconds. */
  readonly reports?: Pauses
  /** Called with each line that a server logs, without secrets. */
  readonly onLog?: (server: string, line: string) => void
}

/** A gate before MCP servers and HTTP APIs. */
export interface Gate {
  /** DID of the gate, to which calls are addressed. */
  readonly did: string
  /** Folder of what it remembers. */
  readonly folder: string
  /** Keeps a revocation, as text, which counts from the next call on. @returns undefined if it is none */
  revoke(text: string): Promise<Kept | undefined>
  /** Keeps a grant to the gate itself: that it may listen to an owner's revocations. @throws HolderError if it isn't one for the gate */
  addGrant(text: string): Promise<void>
  /**
   * Introduces itself to its owner's vault: signs what it is called and offers. Servers that give no list are left out.
   * @throws GateError INVALID_CONFIG if the name or the address can't be used
   * @throws HolderError RelayFailed if the way for an answer can't be opened
   */
  introduce(options: IntroduceOptions): Promise<Introduced>
  readonly servers: ReadonlyMap<string, GuardedServer>
  readonly services: ReadonlyMap<string, GuardedService>
  /** Whether calls can be decided: not while it is unknown what was revoked, or no call can be counted. */
  isReady(): Promise<boolean>
  /** Figures of its calls, in Prometheus's text format. */
  metrics(): Promise<string>
  close(): Promise<void>
}

/** The gate's log, in its folder. */
export const LOG = 'receipts.jsonl'

/** The folder in which a gate remembers things, unless the configuration names one. */
export function gateFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(holderFolder(env), '..', 'gate')
}

/** Most lines of a text with revocations: more than the longest one has once e-mail has broken it into lines of 76 characters. */
const MOST_LINES = 2_000

/** What became of a text with revocations. */
export interface Revoked {
  /** Those that the gate has now. */
  readonly kept: readonly Kept[]
  /** The lines that are no revocation, counted from 1. */
  readonly refused: readonly number[]
}

/**
 * Writes revocations for a gate, also while it runs. Needs no credential and no cluster, so that a grant can be revoked whatever else is wrong.
 *
 * @param text one revocation, also one that was broken into lines on the way, or one on each line
 * @throws GateError REVOCATION_TOO_LONG if the only line would not be read again, or there are more than 2,000
 */
export async function revokeAt(
  config: Pick<GateConfig, 'data'>,
  text: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Revoked> {
  const folder = join(config.data ?? gateFolder(env), 'revocations')
  const lines = [...text.split('\n').entries()].filter(([, line]) => line.trim() !== '')
  if (lines.length > MOST_LINES)
    throw new GateError(
      'REVOCATION_TOO_LONG',
      `This text has ${lines.length} lines, and the gate takes at most ${MOST_LINES} at a time. Split it. Nothing was kept.`,
    )
  const enclave = await createEnclave({ keyless: true })
  /** Among several lines, one that is too long is no revocation. */
  const keep = async (line: string) => {
    try {
      return await keepRevocation(folder, enclave, line)
    } catch (error) {
      const isTooLong = error instanceof GateError && error.code === 'REVOCATION_TOO_LONG'
      if (isTooLong && lines.length > 1) return undefined
      throw error
    }
  }
  const kept: Kept[] = []
  const refused: number[] = []
  try {
    for (const [at, line] of lines) {
      const one = await keep(line)
      if (one) kept.push(one)
      else refused.push(at + 1)
    }
    if (kept.length > 0 || lines.length === 1) return { kept, refused }
    const whole = await keep(text.replace(/\s/g, ''))
    return whole ? { kept: [whole], refused: [] } : { kept, refused }
  } finally {
    await enclave.close()
  }
}

/**
 * Opens a gate. The servers behind it start with their first call.
 *
 * @throws GateError CREDENTIAL_MISSING, CLUSTER_FAILED @throws HolderError if the gate's key can't be read @throws VerifyError STORE_FAILED
 */
export async function openGate(options: GateOptions): Promise<Gate> {
  const { config, env = process.env, clock = Date.now, onError = () => {}, onLog = () => {} } = options
  const { reports } = options
  const folder = config.data ?? gateFolder(env)
  const credentials = new Map<string, Record<string, string>>()
  for (const [name, server] of Object.entries(config.servers))
    credentials.set(name, await readAll(server, env))
  const ofServices = new Map<string, string>()
  for (const [name, { auth }] of Object.entries(config.services))
    if (auth) ofServices.set(name, await readCredential(name, auth.secret, env))
  // A secret of one server must not come out through another either.
  const secrets = [...credentials.values()].flatMap((each) => Object.values(each))
  const remote = Object.entries(config.servers).map(([name, server]) => ({
    auth: 'url' in server ? server.auth : undefined,
    secret: credentials.get(name)?.auth,
  }))
  const services = Object.entries(config.services).map(([name, { auth }]) => ({
    auth,
    secret: ofServices.get(name),
  }))
  const basic = [...remote, ...services].flatMap(({ auth, secret }) =>
    auth && 'user' in auth ? [Buffer.from(`${auth.user}:${secret}`).toString('base64')] : [],
  )
  const redactor = growingRedactor([...secrets, ...ofServices.values(), ...basic])

  const ownStore = fileStore(join(folder, 'key'))
  const holder = createHolder({ store: ownStore, clock })
  // What the gate says itself needs no grant: none are looked for with each receipt.
  const ungranted = createHolder({ store: { ...ownStore, tokens: async () => [] }, clock })
  const did = await holder.did()
  const opened = closedLastFirst()
  try {
    const replay = opened.add(await openCounts(folder, config.cluster, env))
    const module = options.checks === 'here' ? await compileEnclave() : undefined
    const enclave = opened.add(await createEnclave({ keyless: true, ...(module && { module }) }))
    // For what strangers send, who then keep only each other waiting. In this thread a second one would save no time.
    const strangers = module ? enclave : opened.add(await createEnclave({ keyless: true }))
    const inFolder = folderRevocations(join(folder, 'revocations'), enclave)
    const { relay, owners, freshness } = config
    let listening: Listening | undefined
    let uses: UseCounter = NO_COUNTER
    if (relay !== undefined) {
      const options = { relay, owners, freshness, holder, onError }
      listening = opened.add(listenForRevocations(inFolder, options))
      const counter = countUses({
        ...{ path: join(folder, 'uses.json'), clock, onError },
        onChange: () => sender.changed(),
      })
      const sender = sendReports({
        ...{ owners, gate: did, enclave, relay, holder, onError },
        ...{ read: counter.read, pauses: reports },
      })
      // The counter first: it may have something left to send.
      opened.add(sender)
      uses = opened.add(counter)
    }
    const revocations = listening ?? inFolder
    // Without an owner no one but the gate itself could call, and it doesn't.
    const subject = owners.length > 0 ? owners : [did]
    const verifier = await createVerifier({
      ...{ subject, audience: did, replay, revocations },
      ...{ enclave, strangers, clock },
    })
    const recheck = createRecheck({ enclave, revocations, audience: did, clock })
    const log = opened.add(
      fileLog({
        path: join(folder, LOG),
        sign: (entry) => signReceipt(ungranted, did, entry),
        onError,
        clock,
      }),
    )
    const lines = opened.add(refusalLines({ log, redactor, onError, clock }))
    const refusals = opened.add(
      noteRefusedCalls({
        ...{ gate: did, owners, enclave: strangers, onError },
        tell(call) {
          lines.add(call)
          uses.refused(call)
        },
      }),
    )
    const meter = createMeter([...Object.keys(config.servers), ...Object.keys(config.services)])
    const approved = approvals(await approvalKey(join(folder, 'approvals')))
    const rulesOf = (name: string, { ask, budgets }: Pick<ServerConfig, 'ask' | 'budgets'>) =>
      makeRules({ name, ask, budgets, enclave, store: replay, approvals: approved, clock })
    const shared = {
      ...{ verifier, recheck, redactor, log, meter },
      ...{ refusals, uses, onError, clock },
    }
    const loginOf = (name: string, server: ServerConfig, clientSecret: string | undefined) =>
      'url' in server && server.oauth
        ? openLogin({
            ...{ name, config: server, path: loginPath(folder, name), clientSecret, clock },
            onSecrets: redactor.add,
          })
        : undefined
    const readGrants = grantReader({
      ...{ enclave: strangers, revocations, owners: verifier.subjects },
      ...{ onError, clock },
    })
    const upstreams: Upstream[] = []
    opened.add({ close: () => Promise.all(upstreams.map((upstream) => upstream.close())) })
    const servers = new Map<string, GuardedServer>()
    const turns = takeTurns()
    for (const [name, server] of Object.entries(config.servers)) {
      const secrets = credentials.get(name) ?? {}
      const tell = (line: string) => onLog(name, line)
      const login = loginOf(name, server, secrets.client)
      const upstream = openUpstream({ name, config: server, secrets, login, redactor, onLog: tell })
      upstreams.push(upstream)
      const pins = filePins(join(folder, 'tools', `${name}.json`))
      const rules = await rulesOf(`server ${name}`, server)
      const { vault } = config
      const ofCallers = { readGrants, enclave: strangers, turns }
      const parts = { ...shared, ...ofCallers, upstream, pins, rules, signer: ungranted }
      servers.set(name, guardServer({ name, config: server, vault, gate: did, ...parts }))
    }
    const services = new Map<string, GuardedService>()
    for (const [name, service] of Object.entries(config.services)) {
      const rules = await rulesOf(`service ${name}`, service)
      const secret = ofServices.get(name)
      services.set(name, guardService({ name, config: service, secret, rules, ...shared }))
    }
    // Anyone may ask, as often as they like.
    const isReady = sharedAnswer(async () => {
      try {
        await Promise.all(owners.map(async (owner) => await revocations.find(owner, [])))
        return await replay.isThere()
      } catch {
        return false
      }
    })
    return {
      did,
      folder,
      servers,
      services,
      isReady,
      introduce: (options) =>
        introduce({
          ...{ ...options, did, clock, vault: config.vault, owners, enclave },
          ...{ holder: ungranted, servers, services },
        }),
      metrics: async () => meter.text(await isReady()),
      async addGrant(text) {
        await holder.add(text)
      },
      revoke: (text) => keepRevocation(join(folder, 'revocations'), enclave, text),
      close: opened.close,
    }
  } catch (error) {
    await opened.close().catch(onError)
    throw error
  }
}

async function readAll(server: ServerConfig, env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const read = Object.entries(sourcesOf(server)).map(
    async ([name, source]) => [name, await readCredential(name, source, env)] as const,
  )
  return Object.fromEntries(await Promise.all(read))
}

function sourcesOf(server: ServerConfig): Readonly<Record<string, string>> {
  if ('command' in server) return server.secrets
  const { auth, oauth } = server
  return { ...(auth && { auth: auth.secret }), ...(oauth?.secret && { client: oauth.secret }) }
}
