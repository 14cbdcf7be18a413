import { join } from 'node:path'
import { createEnclave } from '@keyhole/enclave'
import { createHolder } from '@keyhole/holder'
import { fileStore, holderFolder } from '@keyhole/holder/node'
import { createVerifier } from '@keyhole/verify'
import { embeddedClaims } from '@keyhole/verify/embedded'
import type { GateConfig, ServerConfig } from './config/config.ts'
import { readCredential } from './config/credential.ts'
import { type GuardedServer, guardServer } from './mcp/guarded-server.ts'
import { filePins } from './mcp/pins.ts'
import { openUpstream, type Upstream } from './mcp/upstream.ts'
import { fileLog } from './receipts/receipt-log.ts'
import { folderRevocations, keepRevocation } from './revocations/folder-revocations.ts'
import { createRedactor } from './secrets/redactor.ts'

export interface GateOptions {
  readonly config: GateConfig
  /** Where `env:` credentials come from. Default: the process's. */
  readonly env?: NodeJS.ProcessEnv
  /** Milliseconds since 1970. */
  readonly clock?: () => number
  /** Called with what went wrong. It has no secret in it. */
  readonly onError?: (error: unknown) => void
  /** Called with each line that a server logs, without secrets. */
  readonly onLog?: (server: string, line: string) => void
}

/** A gate before MCP servers. */
export interface Gate {
  /** DID of the gate, to which calls are addressed. */
  readonly did: string
  /** Folder of what it remembers. */
  readonly folder: string
  /** Keeps a revocation, as text, which counts from the next call on. @returns the CID that it revokes; undefined if it is none */
  revoke(text: string): Promise<string | undefined>
  readonly servers: ReadonlyMap<string, GuardedServer>
  close(): Promise<void>
}

/** The folder in which a gate remembers things, unless the configuration names one. */
export function gateFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(holderFolder(env), '..', 'gate')
}

/**
 * Opens a gate. The servers behind it start with their first call.
 *
 * @throws GateError CREDENTIAL_MISSING @throws HolderError if the gate's key can't be read @throws VerifyError STORE_FAILED
 */
export async function openGate(options: GateOptions): Promise<Gate> {
  const { config, env = process.env, clock = Date.now, onError = () => {}, onLog = () => {} } = options
  const folder = config.data ?? gateFolder(env)
  const credentials = new Map<string, Record<string, string>>()
  for (const [name, server] of Object.entries(config.servers))
    credentials.set(name, await readAll(server, env))
  // A secret of one server must not come out through another either.
  const redactor = createRedactor([...credentials.values()].flatMap((each) => Object.values(each)))

  const holder = createHolder({ store: fileStore(join(folder, 'key')), clock })
  const did = await holder.did()
  const replay = embeddedClaims(join(folder, 'claims'))
  const enclave = await createEnclave({ keyless: true })
  const upstreams: Upstream[] = []
  const close = async () => {
    await Promise.all(upstreams.map((upstream) => upstream.close()))
    await enclave.close()
    await replay.close()
  }
  try {
    const revocations = folderRevocations(join(folder, 'revocations'), enclave)
    const subject = config.owners
    const verifier = await createVerifier({ subject, audience: did, replay, revocations, enclave, clock })
    const log = fileLog(join(folder, 'receipts.jsonl'))
    const servers = Object.entries(config.servers).map(([name, server]): [string, GuardedServer] => {
      const secrets = credentials.get(name) ?? {}
      const tell = (line: string) => onLog(name, line)
      const upstream = openUpstream({ name, config: server, secrets, redactor, onLog: tell })
      upstreams.push(upstream)
      const pins = filePins(join(folder, 'tools', `${name}.json`))
      const { vault } = config
      const parts = { upstream, verifier, enclave, redactor, pins, holder, log, onError, clock }
      return [name, guardServer({ name, config: server, vault, gate: did, ...parts })]
    })
    return {
      did,
      folder,
      servers: new Map(servers),
      revoke: (text) => keepRevocation(join(folder, 'revocations'), enclave, text),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function readAll({ secrets }: ServerConfig, env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const read = Object.entries(secrets).map(
    async ([name, source]) => [name, await readCredential(name, source, env)] as const,
  )
  return Object.fromEntries(await Promise.all(read))
}
