// A link for a call that the gate refused, for callers that have no vault's address, and clients that open links.
import { type Enclave, isRefusal } from '@keyhole/enclave'
import { HolderError } from '@keyhole/holder'
import { grantsIn, requestTo } from '@keyhole/holder/request'
import { StrangerQueue, VerifyError } from '@keyhole/verify'
import { isJson } from '../calls/arguments.ts'
import type { CallRefused } from '../errors.ts'
import { canReach } from '../grants/reach.ts'
import type { ReadGrants } from '../grants/read-grants.ts'
import type { GateServer } from './gate-server.ts'
import { askForCall, BY_GRANT, type GrantNeeded } from './grant-needed.ts'

/**
 * Writes the request that a refused call lacks. Undefined if no grant would help, or too many are being written.
 *
 * @param address IP address of the caller, so that one network can't keep others waiting
 */
export type RequestFor = (
  token: string,
  refusal: CallRefused,
  address?: string,
) => Promise<GrantNeeded | undefined>

export interface RequestForOptions {
  readonly enclave: Pick<Enclave, 'call'>
  /** URL of the owner's vault. */
  readonly vault: string
  /** The server's name. */
  readonly name: string
  /** Reads the grants that the caller showed. */
  readonly readGrants: ReadGrants
  /** What a call is about. */
  readonly describe: Required<GateServer>['describe']
  /** Of all servers. */
  readonly turns: Turns
}

/**
 * A request's code takes as long as twenty checks, and strangers may ask for it. So one is made at a time, with a pause after it, first for
 * the network that has used the least, and few wait.
 *
 * @param address IP address of the caller; undefined if it is unknown
 * @returns undefined if too many wait
 */
export type Turns = <T>(address: string | undefined, make: () => Promise<T>) => Promise<T | undefined>

/** A caller waits for its answer meanwhile. */
const MOST_WAITING = { all: 32, each: 4 }
/** How long a link waits for its description, in milliseconds: the server may have to list its tools first. */
const DESCRIBING = 1_000

/** A refused call. */
interface RefusedCall {
  /** DID of its signer. */
  readonly signer: string
  readonly command: string
  readonly args: Readonly<Record<string, unknown>>
  /** The grants in it, as container text; undefined if it has none. */
  readonly shown: string | undefined
}

/** @param rests whether each one is followed by a pause of nine times as long: then all of them take a tenth of a core */
export function takeTurns(rests = true): Turns {
  const queue = new StrangerQueue(
    () => rests,
    () => performance.now(),
    MOST_WAITING,
  )
  let came = 0
  return async (address, make) => {
    came += 1
    try {
      return await queue.run({ address, order: came, isGood: () => false }, make)
    } catch (error) {
      if (error instanceof VerifyError && error.code === 'BUSY') return undefined
      throw error
    }
  }
}

export function requestFor(options: RequestForOptions): RequestFor {
  const { enclave, vault, name, turns, readGrants, describe } = options

  /** Undefined if no request can ask for it. */
  async function read(token: string, once: string | undefined): Promise<RefusedCall | undefined> {
    const inspected = await enclave.call('inspect_token', { token })
    const all = isRefusal(inspected) ? [] : inspected.tokens
    const [call, ...others] = all.filter(({ kind }) => kind === 'invocation')
    if (!call?.signature_valid || others.length > 0) return undefined
    const { iss, cmd } = call.payload
    const args = { ...Object(call.payload.args), ...(once !== undefined && { once }) }
    if (args.server !== name || !isJson(args)) return undefined
    return { signer: String(iss), command: String(cmd), args, shown: await grantsIn(token) }
  }

  /** Describes what was called, if a grant in the refused call reaches it: what else there is, is not told. A request without it can be granted too. */
  async function describeFor(
    { command, args, shown }: RefusedCall,
    address: string | undefined,
  ): Promise<string | undefined> {
    const grants = shown === undefined ? [] : await readGrants([shown], address)
    const known = { server: name, name: String(args.name) }
    const isReached = grants.some((grant) => canReach(grant, command, known))
    return isReached ? await describe(command, args, []) : undefined
  }

  async function write(
    { signer, command, args }: RefusedCall,
    code: string,
    service: string | undefined,
  ): Promise<GrantNeeded | undefined> {
    return await askForCall((wanted) => requestTo(signer, wanted), {
      ...{ vault, name, command, args, code, service },
    }).catch((error) => {
      // Its names are too long, or its command is none that a vault grants on request.
      if (error instanceof HolderError) return undefined
      throw error
    })
  }

  return async (token, refusal, address) => {
    const { code, once, missing } = refusal
    // Of one that is too old or too early it may be the invocation itself, which its caller signs again.
    const isMendable = BY_GRANT.includes(code) && code !== 'Expired' && code !== 'TooEarly'
    if (!isMendable && once === undefined && !missing) return undefined
    const call = await turns(address, () => read(token, once))
    if (!call) return undefined
    // In no turn: links of other servers would wait for this one, and for a pause after it.
    const service = await inTime(describeFor(call, address))
    return await turns(address, () => write(call, code, service))
  }
}

/** Undefined if it fails, or takes longer than a description may. */
async function inTime<T>(made: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, DESCRIBING, undefined)
  })
  return await Promise.race([made.catch(() => undefined), late]).finally(() => clearTimeout(timer))
}
