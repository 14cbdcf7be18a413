import * as v from 'valibot'
import { refused, refusedToken } from '../base/errors.ts'
import { invocationPayload } from '../enclave/invocation.ts'
import {
  type AttenuatedTokenResult,
  type DelegationPayload,
  delegationPayload,
  type InspectTokenResult,
  type TokenResult,
  type VerifyTokenResult,
} from '../enclave/protocol.ts'
import type { TokenRecord, TokenType } from './schema.ts'

/** What a caller adds to a token it saves. */
export interface SaveTokenExtra {
  /** Default 'origin'. */
  readonly type?: TokenType
  /** The key that signed. */
  readonly keyId?: string
  /** The label as `seal_records` sealed it. */
  readonly sealedLabel?: string
  /** Default: a random UUID. */
  readonly id?: string
  /** For an invocation or a receipt: the task's CID. */
  readonly task?: string
  /** For a revocation: the CID of what it revokes. */
  readonly revokes?: string
}

/** A token to store: what every signing function of the plugin returns, and what some of them add. */
export type SignedToken = Pick<TokenResult, 'token' | 'cid'> &
  Partial<Pick<TokenResult, 'issuer' | 'address' | 'expires_at' | 'payload'>> & {
    /** When its whole chain is valid: its last link alone may start earlier, or end later. */
    readonly effective?: Pick<AttenuatedTokenResult['effective'], 'not_before' | 'expires_at'>
  }

/** The types whose token is an invocation, which includes revocations and receipts. */
const INVOCATIONS: ReadonlySet<TokenType> = new Set<TokenType>(['invocation', 'revocation', 'receipt'])

function toMilliseconds(seconds: number | null | undefined): number | undefined {
  return seconds === null || seconds === undefined ? undefined : seconds * 1000
}

/** Leaves out undefined fields, so that they're absent in the database too. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/**
 * The record of a token, from the plugin's result and the token's payload. The audience is the result's address, or its
 * DID if the result has no address (an invocation's). The audience's full DID is stored as well.
 * @param result the result of the signing function, or the same for a received token
 * @param said the payload of the token with that CID, from the enclave; undefined if the container has none
 * @param now milliseconds since 1970
 * @throws VaultError OPERATION_FAILED if there is no payload, or not one of that type
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
      expiresAt: toMilliseconds(result.effective?.expires_at ?? result.expires_at ?? payload.exp),
      notBefore: toMilliseconds(result.effective?.not_before ?? payload.nbf),
      keyId: extra.keyId,
      sealedLabel: extra.sealedLabel,
      task: extra.task,
      revokes: extra.revokes,
    }),
  }
}

/** An invocation's payload in the shape of a delegation's. Its audience is its subject unless it names another. */
function readInvocation(said: unknown, cid: string): DelegationPayload {
  const parsed = v.safeParse(invocationPayload, said)
  if (parsed.success) {
    const { iss, aud, sub, cmd, exp } = parsed.output
    return { iss, aud: aud ?? sub, sub, cmd, pol: [], exp }
  }
  throw refused('NotInvocation', {}, { details: { cid } })
}

/** The payload of the token with that CID; undefined if the container has none. */
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

/**
 * A verified token, in the shape of one the plugin issued. @throws VaultError OPERATION_FAILED if the chain isn't valid
 */
export function heldToken(verified: VerifyTokenResult): SignedToken {
  if (!verified.valid) {
    throw refusedToken(verified.error)
  }
  const { token, address, chain, effective } = verified
  const leaf = chain.at(-1)
  if (!leaf) throw refused('NoDelegation')
  return { token, address, issuer: leaf.issuer, cid: leaf.cid, effective }
}
