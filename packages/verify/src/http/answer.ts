// The answer to a call that isn't authorized, for every framework.
import { stringifyJson } from '@keyhole/enclave'
import { VerifyError } from '../errors.ts'
import type { Missing, Refusal } from '../verdict.ts'

/** An HTTP answer without a framework. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What is wrong with a request before its token is read, or why no decision was made. */
export interface Problem {
  readonly name: 'MissingToken' | 'MalformedHeader' | 'AmbiguousRequest' | 'Busy' | 'Unavailable'
  readonly message: string
  readonly cid: null
}

/** Who to ask and for what. `request` is ready for `holder.ask`. */
export interface Help {
  /** DID of the owner: the subject of the call. */
  readonly subject: string
  /** DID that the call is addressed to. */
  readonly audience: string
  readonly request: Omit<Missing, 'subject'> & {
    readonly vault?: string
    readonly reason?: string
    readonly name?: string
  }
}

const MALFORMED = [
  'MalformedToken',
  'UnsupportedVersion',
  'NotARevocation',
  'MalformedHeader',
  'AmbiguousRequest',
]
/** The token doesn't prove who calls, or not any more. A new one may. */
const UNPROVEN = ['MissingToken', 'InvalidSignature', 'Expired', 'TooEarly', 'Replayed']

/** The status for what is wrong. */
export function statusOf({ name }: Refusal | Problem): number {
  if (MALFORMED.includes(name)) return 400
  if (UNPROVEN.includes(name)) return 401
  if (name === 'TooLarge') return 413
  return name === 'Busy' || name === 'Unavailable' ? 503 : 403
}

/** Answers a call that isn't authorized. */
export function answerTo(error: Refusal | Problem, help?: Help, status: number = statusOf(error)): Answer {
  const challenge = error.name === 'MissingToken' ? 'Bearer' : 'Bearer error="invalid_token"'
  return {
    status,
    headers: {
      ...JSON_HEADERS,
      ...(status === 401 && { 'www-authenticate': challenge }),
      ...(status === 503 && { 'retry-after': '1' }),
    },
    body: stringifyJson({ error, ...help }),
  }
}

export const JSON_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

/** The problem for a call without a decision. The caller doesn't learn the cause. */
export function problemOf(error: unknown): Problem {
  if (error instanceof VerifyError && error.code === 'BUSY')
    return { name: 'Busy', message: 'Too many calls are waiting. Try again in a moment.', cid: null }
  const message = 'No decision could be made, so nothing was authorized. Try again with a new invocation.'
  return { name: 'Unavailable', message, cid: null }
}
