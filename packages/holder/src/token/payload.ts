// The payloads of delegations and invocations (UCAN 1.0.0). Every field must be known and have its type, because an
// unknown one could be a limit. The names are the specification's.

import { isTokenLink } from '../codec/cid.ts'
import { isBytes, isList, isMap, type Link, type Value } from '../codec/value.ts'
import { type Budget, READ } from '../codec/work-budget.ts'
import { HolderError, malformed } from '../errors.ts'
import { isDid } from '../identity/did.ts'
import { type Policy, readPolicy } from '../policy/policy.ts'
import { isCommand } from './command.ts'
import { DELEGATION, type Envelope, type Fields } from './envelope.ts'

/** Times are whole seconds within 53 bits. */
export const MAX_TIME = 2 ** 53 - 1

/** A delegation: who lets whom do what, within which limits, until when. Times are in seconds since 1970. */
export interface Delegation extends Envelope {
  readonly iss: string
  readonly aud: string
  /** The resource's owner; null passes on whatever the issuer is given (a powerline). */
  readonly sub: string | null
  readonly cmd: string
  readonly pol: Policy
  /** When it expires; null: never. */
  readonly exp: number | null
  readonly nbf: number | undefined
}

/** An invocation: who does what, based on which delegations. */
export interface Invocation extends Envelope {
  readonly iss: string
  readonly sub: string
  readonly aud: string | undefined
  readonly cmd: string
  readonly args: Fields
  /** The delegations that allow it, root first. */
  readonly prf: readonly Link[]
  readonly exp: number | null
}

export type Token = Delegation | Invocation

export function isDelegation(token: Token): token is Delegation {
  return token.tag === DELEGATION
}

/** Reads the payload of an envelope. @throws HolderError MalformedToken, TooMuchWork, about the token */
export function readPayload(envelope: Envelope, budget: Budget): Token {
  const left = new Map(envelope.fields)
  /** Takes a field; `read` returns undefined for an invalid one. */
  function may<T>(name: string, read: (value: Value) => T | undefined): T | undefined {
    const value = left.get(name)
    if (value === undefined) return undefined
    left.delete(name)
    return read(value) ?? wrong(name)
  }
  const must = <T>(name: string, read: (value: Value) => T | undefined): T => may(name, read) ?? wrong(name)
  const orNull = <T>(name: string, read: (value: Value) => T | undefined): T | null => {
    if (left.get(name) !== null) return must(name, read)
    left.delete(name)
    return null
  }
  const command = (value: Value) => {
    if (typeof value !== 'string') return undefined
    budget.spend(READ * value.length)
    return isCommand(value) ? value : undefined
  }
  try {
    const common = { iss: must('iss', did), cmd: must('cmd', command), exp: orNull('exp', moment) }
    must('nonce', bytes)
    may('meta', map)
    let token: Token
    if (envelope.tag === DELEGATION) {
      const pol = must('pol', (value) => readPolicy(value, budget))
      token = {
        ...envelope,
        ...common,
        aud: must('aud', did),
        sub: orNull('sub', did),
        pol,
        nbf: may('nbf', moment),
      }
    } else {
      may('iat', moment)
      may('cause', link)
      const own = {
        sub: must('sub', did),
        aud: may('aud', did),
        args: must('args', map),
        prf: must('prf', links),
      }
      token = { ...envelope, ...common, ...own }
    }
    for (const name of left.keys()) wrong(name)
    return token
  } catch (error) {
    if (!(error instanceof HolderError)) throw error
    throw new HolderError(error.code, error.message, { cid: envelope.cid })
  }
}

const wrong = (name: string) =>
  malformed(`The token's field “${name.slice(0, 60)}” is missing, wrong or unknown.`)

const did = (value: Value) => (typeof value === 'string' && isDid(value) ? value : undefined)
const bytes = (value: Value) => (isBytes(value) ? value : undefined)
const map = (value: Value) => (isMap(value) ? value : undefined)
const link = (value: Value) => (isTokenLink(value) ? value : undefined)
const links = (value: Value) => (isList(value) && value.every(isTokenLink) ? value : undefined)
const moment = (value: Value) =>
  typeof value === 'bigint' && value <= MAX_TIME && value >= -MAX_TIME ? Number(value) : undefined
