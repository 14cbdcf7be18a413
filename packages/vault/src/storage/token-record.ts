import * as v from 'valibot'
import { refused, refusedToken } from '../base/errors.ts'
import { invocationPayload } from '../enclave/invocation.ts'
import {
  type DelegationPayload,
  delegationPayload,
  type InspectTokenResult,
  type TokenResult,
  type VerifyTokenResult,
} from '../enclave/protocol.ts'
import type { TokenRecord, TokenType } from './schema.ts'

/** What a caller adds to a token that it saves. */
export interface SaveTokenExtra {
  /** Default 'origin'. */
  readonly type?: TokenType
  /** The key that signed. */
  readonly keyId?: string
  /** The label as `seal_records` sealed it. */
  readonly sealedLabel?: string
  /** Default: a random UUID. */
  readonly id?: string
  /** Of an invocation or a receipt: the task's CID. */
  readonly task?: string
  /** Of a revocation: the CID of what it revokes. */
  readonly revokes?: string
}

/** A token to be kept: what every function of the plugin that signs one returns, and what some of them add. */
export type SignedToken = Pick<TokenResult, 'token' | 'cid'> &
  Partial<Pick<TokenResult, 'issuer' | 'address' | 'expires_at' | 'payload'>>

/** The types whose token is an invocation: revocations and receipts are such too. */
const INVOCATIONS: ReadonlySet<TokenType> = new Set<TokenType>(['invocation', 'revocation', 'receipt'])

function toMilliseconds(seconds: number | null | undefined): number | undefined {
  return seconds === null || seconds === undefined ? undefined : seconds * 1000
}

/** Leaves out what is undefined: an absent field is absent in the database too. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/**
 * The record of a token: what the plugin returned, and what the token itself says. The audience is the result's
 * address, and its DID where the result has none (an invocation's); the audience's full DID rides along.
 *
 * @param result what the function that signed it returned, or the same of a received token
 * @param said the payload of the token with that CID, as the enclave tells it; undefined where the container has none
 * @param now milliseconds since 1970
 * @throws VaultError OPERATION_FAILED where there is no payload, or not one of that type
 */
export function toTokenRecord(
  result: SignedToken,
  said: unknown,
  extra: SaveTokenExtra,
  now: number,
): TokenRecord {
  const type = extra.type ?? 'origin'
  const read = INVOCATIONS.has(type) ? readInvocation : readDelegation
  const payload = read(said, result.cid)
  return {
    id: extra.id ?? crypto.randomUUID(),
    token: result.token,
    type,
    issuer: result.issuer ?? payload.iss,
    audience: result.address ?? payload.aud,
    createdAt: now,
    cid: result.cid,
    command: payload.cmd,
    policy: payload.pol,
    subject: payload.sub,
    audienceDid: payload.aud,
    ...defined({
      expiresAt: toMilliseconds(result.expires_at ?? payload.exp),
      notBefore: toMilliseconds(payload.nbf),
      keyId: extra.keyId,
      sealedLabel: extra.sealedLabel,
      task: extra.task,
      revokes: extra.revokes,
    }),
  }
}

/** What an invocation says of itself, in a delegation's words: its audience is its subject unless it names another. */
function readInvocation(said: unknown, cid: string): DelegationPayload {
  const parsed = v.safeParse(invocationPayload, said)
  if (parsed.success) {
    const { iss, aud, sub, cmd, exp } = parsed.output
    return { iss, aud: aud ?? sub, sub, cmd, pol: [], exp }
  }
  throw refused('NotInvocation', {}, { details: { cid } })
}

/** What the token with that CID says; undefined where the container has none. */
export function payloadOf(inspected: InspectTokenResult, cid: string): unknown {
  return inspected.tokens.find((token) => token.cid === cid)?.payload
}

/** The payload of the delegation with that CID. */
export function delegationOf(inspected: InspectTokenResult, cid: string): DelegationPayload {
  return readDelegation(payloadOf(inspected, cid), cid)
}

function readDelegation(said: unknown, cid: string): DelegationPayload {
  const parsed = v.safeParse(delegationPayload, said)
  if (parsed.success) return parsed.output
  throw refused('NotDelegation', {}, { details: { cid } })
}

/** A verified token, as the plugin returns one that it issued. @throws VaultError OPERATION_FAILED where the chain does not hold */
export function heldToken(verified: VerifyTokenResult): SignedToken {
  if (!verified.valid) {
    throw refusedToken(verified.error)
  }
  const { token, address, chain } = verified
  const leaf = chain.at(-1)
  if (!leaf) throw refused('NoDelegation')
  return { token, address, issuer: leaf.issuer, cid: leaf.cid, expires_at: leaf.expires_at }
}
