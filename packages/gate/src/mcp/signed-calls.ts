import { type Holder, HolderError, type ReplyWay } from '@keyhole/holder'
import { CallRefused } from '../errors.ts'
import { openRequests } from '../grants/open-requests.ts'
import { covers } from '../grants/reach.ts'
import { onceOf } from '../rules/approvals.ts'
import { COMMAND_OF, type Kind, READ_RESOURCE } from './commands.ts'
import { type GateServer, signedArgs } from './gate-server.ts'
import { askForCall, BY_GRANT, type GrantNeeded } from './grant-needed.ts'
import type { Talk } from './talk.ts'
import type { Item } from './upstream.ts'

/** Calls a server behind a gate with a holder's grants. */
export interface SignedCalls {
  list(kind: Kind): Promise<readonly Item[]>
  /** @throws GrantNeeded if no grant covers the call @throws CallRefused */
  call(
    command: string,
    args: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
    talk?: Talk,
  ): Promise<Item>
  /** Tells when a resource changes. @returns what ends it; undefined if the server can't tell, or no grant reaches it */
  watch(uri: string, tell: () => void): Promise<(() => void) | undefined>
  /** A request for a call, without making it. */
  request(command: string, args: Readonly<Record<string, unknown>>): Promise<GrantNeeded>
  /** Whether a grant covers a call now. */
  covers(command: string, args: Readonly<Record<string, unknown>>): Promise<boolean>
  /** Waits for no answer any more. */
  close(): void
}

export interface SignedCallsOptions {
  /** How answers to requests come back, such as `mailbox`. Without it, a person brings them to the holder. */
  readonly reply?: ReplyWay | undefined
}

/** An invocation is used at once, in seconds. */
const LIFETIME = 60
/** Calls that wait for an owner's approval, of which the text is remembered. */
const MOST_ASKED = 100

/**
 * Signs a call under a grant of any of these owners.
 *
 * @returns the token
 * @throws HolderError of the owner whose grants come closest
 */
export async function signForAnyOwner(
  holder: Holder,
  owners: readonly string[],
  command: string,
  args: Readonly<Record<string, unknown>>,
  options: { readonly audience: string; readonly expiresIn: number; readonly grant?: string },
): Promise<string> {
  let closest: unknown
  for (const subject of owners) {
    try {
      return (await holder.invoke(command, args, { ...options, subject })).token
    } catch (error) {
      if (!(error instanceof HolderError)) throw error
      if (!closest || (closest instanceof HolderError && closest.code === 'NoGrant')) closest = error
    }
  }
  throw closest
}

/** Signs calls of one server. */
export function signCalls(
  server: GateServer,
  holder: Holder,
  { reply }: SignedCallsOptions = {},
): SignedCalls {
  const argsOf = (command: string, args: Readonly<Record<string, unknown>>) =>
    signedArgs(server, command, args, () => useful(command))

  /** @param grant the CID of the grant that is meant. Default: the narrowest that covers the call */
  const sign = (command: string, args: Readonly<Record<string, unknown>>, grant?: string): Promise<string> =>
    signForAnyOwner(holder, server.owners, command, args, {
      ...{ audience: server.gate, expiresIn: LIFETIME },
      ...(grant && { grant }),
    })

  const keyOf = (command: string, args: Readonly<Record<string, unknown>>) => JSON.stringify([command, args])

  const requests = openRequests(holder, reply)

  const ask = async (command: string, args: Readonly<Record<string, unknown>>, code: string) => {
    // A request without a description can be granted too.
    const service = await server.describe?.(command, args, await useful(command)).catch(() => undefined)
    return await askForCall((wanted) => requests.ask(keyOf(command, args), wanted), {
      ...{ vault: server.vault, name: String(args.server), command, args, code, service },
    })
  }

  /** What calls were asked for that the owner allows one by one. */
  const asked = new Map<string, string>()

  function send(
    command: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal | undefined,
    talk: Talk | undefined,
    grant?: string,
  ): Promise<Item> {
    return sign(command, args, grant).then((token) => server.call(token, signal, { command, args }, talk))
  }

  /** Makes a call by an approval that is held. @returns undefined if there is none that can be used */
  async function sendApproved(
    command: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal | undefined,
    talk: Talk | undefined,
  ): Promise<Item | undefined> {
    for (const { once, grant } of await approvalsIn(holder, command)) {
      try {
        return await send(command, { ...args, once }, signal, talk, grant)
      } catch (error) {
        if (error instanceof HolderError) continue
        if (!(error instanceof CallRefused) || ![...BY_GRANT, 'AskFirst'].includes(error.code)) throw error
      }
    }
    return undefined
  }

  async function attempt(
    command: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal | undefined,
    talk: Talk | undefined,
    isLast: boolean,
  ): Promise<Item> {
    try {
      return await send(command, args, signal, talk)
    } catch (error) {
      const { code } =
        error instanceof CallRefused || error instanceof HolderError ? error : { code: undefined }
      if (error instanceof CallRefused && error.resolved && !isLast)
        return await attempt(command, { ...args, arguments: error.resolved }, signal, talk, true)
      const once = error instanceof CallRefused ? error.once : undefined
      if (code !== undefined && (once !== undefined || BY_GRANT.includes(code))) {
        const answer = await sendApproved(command, args, signal, talk)
        if (answer) return answer
        if (once === undefined) throw await ask(command, args, code)
        if (asked.size >= MOST_ASKED) asked.clear()
        asked.set(keyOf(command, args), once)
        throw await ask(command, { ...args, once }, code)
      }
      if (error instanceof HolderError) throw new CallRefused(error.code, error.message)
      throw error
    }
  }

  /** The grants that may cover a command, as texts. */
  async function useful(command: string): Promise<readonly string[]> {
    return (await holder.grants())
      .filter(
        (grant) =>
          grant.state === 'active' && server.owners.includes(grant.subject) && covers(grant.command, command),
      )
      .map(({ token }) => token)
  }

  return {
    async list(kind) {
      return await server.list(kind, await useful(COMMAND_OF[kind]))
    },
    watch: async (uri, tell) => await server.watch?.(uri, await useful(READ_RESOURCE), tell),
    call: async (command, args, signal, talk) =>
      await attempt(command, await argsOf(command, args), signal, talk, false),
    request: async (command, args) => await ask(command, await argsOf(command, args), 'NoGrant'),
    async covers(command, given) {
      const args = await argsOf(command, given)
      const wanted = asked.get(keyOf(command, args))
      if (wanted !== undefined)
        return (await approvalsIn(holder, command)).some(({ once }) => once === wanted)
      return await sign(command, args).then(
        () => true,
        () => false,
      )
    },
    close: requests.close,
  }
}

/** A grant that allows one call. */
export interface HeldApproval {
  /** What the call has to name. */
  readonly once: string
  /** CID of the grant. */
  readonly grant: string
}

/** The grants that are held and allow one call each, the one that expires last first. */
export async function approvalsIn(holder: Holder, command: string): Promise<readonly HeldApproval[]> {
  return (await holder.grants())
    .flatMap(({ cid, policy, state, command: granted }) => {
      const once = policy.map(onceOf).find((each) => each !== undefined)
      const isUseful = state === 'active' && covers(granted, command)
      return isUseful && once !== undefined ? [{ once, grant: cid }] : []
    })
    .reverse()
}
