import type { ChainLink, TokenError, TokenErrorName } from '@keyhole/enclave'

/** The contents of a checked invocation. */
export interface Call {
  /** DID of the owner of what is called. */
  readonly subject: string
  /** DID of the caller. */
  readonly issuer: string
  readonly command: string
  /** The signed arguments. Act on these, never on the request's own. */
  readonly args: Readonly<Record<string, unknown>>
  /** CID of the invocation. */
  readonly cid: string
  /** CID of the task: the same for every invocation that asks for the same thing. */
  readonly task: string
  /** Its proofs, root first; empty if the caller is the owner. */
  readonly chain: readonly ChainLink[]
  /** Seconds since 1970. */
  readonly expiresAt: number
}

/** An allowed invocation, which is now used up. */
export interface Authorized extends Call {
  readonly authorized: true
}

/** What is wrong with an invocation. */
export interface Refusal {
  /** The rule it breaks: a name of the UCAN 1.0.0 fixtures, one of the enclave's, or one of these six. */
  readonly name:
    | TokenErrorName
    | 'InvalidArguments'
    | 'InvalidSubject'
    | 'LivesTooLong'
    | 'NotARevocation'
    | 'Replayed'
    | 'TooLarge'
  readonly why?: TokenError['why'] | 'NotServedHere' | 'NotExpected' | 'UsedBefore' | 'NotNamed'
  readonly expected?: unknown
  readonly found?: unknown
  /** For developers. Compare `name`. */
  readonly message: string
  /** CID of the token that breaks the rule. */
  readonly cid: string | null
}

/** What to ask the owner for, so that the same call is allowed. */
export interface Missing {
  /** DID of the owner. */
  readonly subject: string
  readonly command: string
  /** Limits that allow this call's arguments and no others, as UCAN policy statements in DAG-JSON. */
  readonly policy: readonly unknown[]
}

export interface Refused {
  readonly authorized: false
  readonly refusal: Refusal
  /** Set if a grant by the owner would help. */
  readonly missing?: Missing
}

export type Verdict = Authorized | Refused

/** Makes a refusal. */
export function refuse(
  name: Refusal['name'],
  message: string,
  cid: string | null,
  about: Pick<Refusal, 'why' | 'expected' | 'found'> = {},
): Refused {
  return { authorized: false, refusal: { name, ...about, message, cid } }
}
