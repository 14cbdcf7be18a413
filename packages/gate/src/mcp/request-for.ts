// A link for a call that the gate refused, for callers that have no vault's address, and clients that open links.
import { type Enclave, isRefusal } from '@keyhole/enclave'
import { HolderError } from '@keyhole/holder'
import { requestTo } from '@keyhole/holder/request'
import type { CallRefused } from '../errors.ts'
import { askForCall, BY_GRANT, type GrantNeeded } from './grant-needed.ts'

/** Writes the request that a refused call lacks. Undefined if no grant would help, or too many are being written. */
export type RequestFor = (token: string, refusal: CallRefused) => Promise<GrantNeeded | undefined>

export interface RequestForOptions {
  readonly enclave: Pick<Enclave, 'call'>
  /** URL of the owner's vault. */
  readonly vault: string
  /** The server's name. */
  readonly name: string
  /** Lets requests be written one after the other. */
  readonly turns: Turns
}

/**
 * A request's code takes as long as twenty checks, and strangers may ask for it. So one is made at a time, with a pause after it, and few wait.
 *
 * @returns undefined if too many wait
 */
export type Turns = <T>(make: () => Promise<T>) => Promise<T | undefined>

const MOST_WAITING = 8

/** @param rest how many times as long as it took the next one waits: with 9, all of them take a tenth of a core */
export function takeTurns(rest = 9): Turns {
  let waiting = 0
  let last: Promise<void> = Promise.resolve()
  return async (make) => {
    if (waiting >= MOST_WAITING) return undefined
    waiting += 1
    const before = last
    let free = () => {}
    last = new Promise((resolve) => {
      free = resolve
    })
    await before
    const began = performance.now()
    try {
      return await make()
    } finally {
      waiting -= 1
      setTimeout(free, rest * (performance.now() - began)).unref()
    }
  }
}

export function requestFor({ enclave, vault, name, turns }: RequestForOptions): RequestFor {
  return async (token, { code, once, missing }) => {
    // Of one that is too old or too early it may be the invocation itself, which its caller signs again.
    const isMendable = BY_GRANT.includes(code) && code !== 'Expired' && code !== 'TooEarly'
    if (!isMendable && once === undefined && !missing) return undefined
    const inspected = await enclave.call('inspect_token', { token })
    const all = isRefusal(inspected) ? [] : inspected.tokens
    const [call, ...others] = all.filter(({ kind }) => kind === 'invocation')
    if (!call?.signature_valid || others.length > 0) return undefined
    const { iss, cmd } = call.payload
    const args = { ...Object(call.payload.args), ...(once !== undefined && { once }) }
    if (args.server !== name || !isWritable(args)) return undefined
    return await turns(() =>
      askForCall((wanted) => requestTo(String(iss), wanted), {
        ...{ vault, name, command: String(cmd), args, code },
      }),
    ).catch((error) => {
      // Its names are too long, or its command is none that a vault grants on request.
      if (error instanceof HolderError) return undefined
      throw error
    })
  }
}

/** Whether a request can say it: its numbers are JavaScript's. */
function isWritable(args: unknown): boolean {
  try {
    JSON.stringify(args)
    return true
  } catch {
    return false
  }
}
