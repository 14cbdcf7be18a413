import { type Holder, HolderError } from '@keyhole/holder'
import { isRecord } from '../calls/arguments.ts'
import { CallRefused } from '../errors.ts'
import { COMMAND_OF, type Kind } from './commands.ts'
import type { GateServer } from './gate-server.ts'
import type { Item } from './upstream.ts'

/** A call that a person has to allow first. */
export class GrantNeeded extends Error {
  override readonly name = 'GrantNeeded'
  /** Opens the request in the owner's vault. */
  readonly link: string
  /** Shown by the vault too. */
  readonly shortCode: string
  /** The rule that the closest grant breaks. */
  readonly code: string

  constructor(message: string, code: string, link: string, shortCode: string) {
    super(message)
    this.code = code
    this.link = link
    this.shortCode = shortCode
  }
}

/** Calls a server behind a gate with a holder's grants. */
export interface SignedCalls {
  list(kind: Kind): Promise<readonly Item[]>
  /** @throws GrantNeeded if no grant covers the call @throws CallRefused */
  call(command: string, args: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Item>
  /** A request for a call, without making it. */
  request(command: string, args: Readonly<Record<string, unknown>>): Promise<GrantNeeded>
  /** Whether a grant covers a call now. */
  covers(command: string, args: Readonly<Record<string, unknown>>): Promise<boolean>
}

/** What a person can mend by a grant. */
const BY_GRANT = [
  'NoGrant',
  'InvalidCommand',
  'InvalidSubject',
  'Expired',
  'TooEarly',
  'MatchError',
  'Revoked',
  'TooMuchWork',
]
/** An invocation is used at once, in seconds. */
const LIFETIME = 60
/** For how long a grant is asked, in seconds: an hour. The person may choose. */
const ASKED = 3_600
/** Most characters of an argument that is asked for exactly. */
const LONGEST_ASKED = 1_000

/** Signs calls of one server. */
export function signCalls(server: GateServer, holder: Holder): SignedCalls {
  async function sign(command: string, args: Readonly<Record<string, unknown>>): Promise<string> {
    let closest: unknown
    for (const subject of server.owners) {
      try {
        const options = { subject, audience: server.gate, expiresIn: LIFETIME }
        return (await holder.invoke(command, args, options)).token
      } catch (error) {
        if (!(error instanceof HolderError)) throw error
        if (!closest || (closest instanceof HolderError && closest.code === 'NoGrant')) closest = error
      }
    }
    throw closest
  }

  /** Asks for exactly this call. The person may widen it. */
  async function ask(
    command: string,
    args: Readonly<Record<string, unknown>>,
    code: string,
  ): Promise<GrantNeeded> {
    const { vault, name } = server
    const policy = policyOf(args)
    const what = String(args.name ?? args.uri ?? '').slice(0, 100)
    const reason = `To call ${what} of ${name}`
    const { link, code: shortCode } = await holder
      .ask({ vault, command, policy, expiresIn: ASKED, reason })
      // A call that is too long to be asked for exactly is asked for by its name.
      .catch(() => holder.ask({ vault, command, policy: policy.slice(0, 2), expiresIn: ASKED, reason }))
    const message = `No grant covers this call (${code}). Ask the owner to open this link and grant it: ${link}`
    return new GrantNeeded(message, code, link, shortCode)
  }

  async function attempt(
    command: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal | undefined,
    isLast: boolean,
  ): Promise<Item> {
    try {
      return await server.call(await sign(command, args), signal, { command, args })
    } catch (error) {
      const { code } =
        error instanceof CallRefused || error instanceof HolderError ? error : { code: undefined }
      if (error instanceof CallRefused && error.resolved && !isLast)
        return await attempt(command, { ...args, arguments: error.resolved }, signal, true)
      if (code !== undefined && BY_GRANT.includes(code)) throw await ask(command, args, code)
      if (error instanceof HolderError) throw new CallRefused(error.code, error.message)
      throw error
    }
  }

  return {
    async list(kind) {
      const grants = await holder.grants()
      const command = COMMAND_OF[kind]
      const useful = grants.filter(
        (grant) =>
          grant.state === 'active' &&
          server.owners.includes(grant.subject) &&
          (grant.command === '/' || command === grant.command || command.startsWith(`${grant.command}/`)),
      )
      return await server.list(
        kind,
        useful.map(({ token }) => token),
      )
    },
    call: (command, args, signal) => attempt(command, { server: server.name, ...args }, signal, false),
    request: (command, args) => ask(command, { server: server.name, ...args }, 'NoGrant'),
    covers: (command, args) =>
      sign(command, { server: server.name, ...args }).then(
        () => true,
        () => false,
      ),
  }
}

/** A policy that allows exactly these arguments, but for those that are too long to show to a person. */
function policyOf({ server, name, uri, arguments: given }: Readonly<Record<string, unknown>>): unknown[] {
  const first = name === undefined ? ['==', '.uri', uri] : ['==', '.name', name]
  const fields = isRecord(given) ? Object.entries(given) : []
  return [
    ['==', '.server', server],
    first,
    ...fields.flatMap(([key, value]) =>
      (JSON.stringify(value) ?? '').length <= LONGEST_ASKED
        ? [['==', `.arguments${/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`}`, value]]
        : [],
    ),
  ]
}
