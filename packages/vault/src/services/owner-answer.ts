// The owner's answer to a service that introduced itself: whose account owns it, and where it hears of revocations (docs/services.md).
import * as v from 'valibot'
import { toBase64Url } from '../base/base64url.ts'
import type { KeyInfo } from '../enclave/enclave-status.ts'
import type { KeyVault } from '../key-vault.ts'
import type { StoredToken } from '../tokens/tokens.ts'
import type { Introduced } from './read-introduction.ts'

const OWN = '/service/own'
/** What lets a service read what its owner revokes, and report what was used. */
export const FOLLOW_COMMAND = '/relay/revocations/read'
/** For how long it may do that, in milliseconds: a year. */
export const FOLLOW_LASTS = 31_536_000_000
/** For how long a service waits for its answer, and a minute for clocks that differ, in seconds. */
const WAITS = 660
const LONGEST_URL = 2_048
/** How long the relay may take, in milliseconds. */
const PATIENCE = 15_000
/** Makes each guess at a code slow, so that no one finds another answer with the same one while a person compares it. */
const ROUNDS = 100_000
/** Crockford's base32: no characters that look alike. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const encoder = new TextEncoder()
const did = v.pipe(v.string(), v.regex(/^did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/))
const reply = v.union([
  v.strictObject({
    /** Exactly this address, with a port and a path that no one can guess. A URL parser must not change anything in it. */
    loopback: v.pipe(
      v.string(),
      v.maxLength(LONGEST_URL),
      v.regex(/^http:\/\/127\.0\.0\.1:[1-9]\d{0,4}\/[\w~./-]{16,}$/),
      v.check((text) => URL.canParse(text) && new URL(text).href === text),
    ),
  }),
  v.strictObject({
    relay: v.pipe(v.string(), v.maxLength(LONGEST_URL), v.regex(/^https?:\/\/[^@?#\\\s]+$/), v.url()),
    mailbox: did,
    /** An X25519 public key. */
    key: v.pipe(v.string(), v.regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/)),
  }),
])

/** Where an answer goes: to a program on this computer, or sealed to a mailbox at a relay. */
export type OwnerReply = v.InferOutput<typeof reply>

/** Where a service may follow its owner's revocations, and until when, in seconds since 1970. */
export interface Following {
  readonly relay: string
  readonly until: number
}

/** A signed answer, on its way back. */
export interface OwnerAnswer {
  /** The service shows it too, and waits until a person has compared it. */
  readonly code: string
  /** The grant to follow revocations, if the vault has a relay. */
  readonly grant: StoredToken | undefined
  /** By loopback: where a window brings it. By a mailbox: what is left there, which no one but the service can read. */
  readonly way: { readonly link: string } | { readonly sealed: string }
}

/** What became of an answer. `taken`: someone else has answered first. `expired`: the service waits no longer. `failed`: the relay gave no answer. */
export type LeftAnswer = 'left' | 'taken' | 'expired' | 'failed'

/**
 * Where a service waits for its owner's answer; undefined if it doesn't, or not any more.
 *
 * @param now milliseconds since 1970
 */
export function replyOf(introduced: Pick<Introduced, 'reply' | 'at'>, now: number): OwnerReply | undefined {
  const read = v.safeParse(reply, introduced.reply)
  return read.success && now < (introduced.at + WAITS) * 1_000 ? read.output : undefined
}

/** The code of an answer: it covers the introduction, the owner and the relay. */
export async function ownerCode(
  { text }: Pick<Introduced, 'text'>,
  owner: string,
  relay = '',
): Promise<string> {
  const said = [
    encoder.encode('keyhole owner 1\0'),
    await digestOf(text),
    encoder.encode(`${owner}\0${relay}`),
  ]
  const digest = await crypto.subtle.digest('SHA-256', await new Blob(said).arrayBuffer())
  const key = await crypto.subtle.importKey('raw', digest, 'PBKDF2', false, ['deriveBits'])
  const salt = encoder.encode('keyhole owner code 1')
  const made = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ROUNDS }
  const bits = new Uint8Array(await crypto.subtle.deriveBits(made, key, 40))
  const number = bits.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  const code = Array.from({ length: 8 }, (_, at) => DIGITS[Number((number >> BigInt(35 - 5 * at)) & 31n)])
  return `${code.slice(0, 4).join('')}-${code.slice(4).join('')}`
}

/**
 * Signs that a key of the account owns the service. With `following`, it also grants the service to follow the owner's revocations.
 * Sends nothing.
 *
 * @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND, OPERATION_FAILED
 */
export async function signOwnerAnswer(
  vault: KeyVault,
  introduced: Pick<Introduced, 'did' | 'text'>,
  to: OwnerReply,
  { key_id, did: owner }: Pick<KeyInfo, 'key_id' | 'did'>,
  following: Following | undefined,
  now: number = Date.now(),
): Promise<OwnerAnswer> {
  const relay = following?.relay
  const at = Math.floor(now / 1_000)
  const request = toBase64Url(await digestOf(introduced.text))
  const common = { audience_did: introduced.did, key_id }
  const grant =
    following &&
    (await vault.tokens.grant({
      ...common,
      command: FOLLOW_COMMAND,
      policy: [],
      expires_at: following.until,
    }))
  const { token } = await vault.tokens.invoke({
    ...common,
    command: OWN,
    args: { introduction: request, ...(relay !== undefined && { relay }) },
    subject_did: owner,
    expires_at: at + WAITS,
  })
  const answer = JSON.stringify({ request, token, ...(grant && { grant: grant.token }) })
  const code = await ownerCode(introduced, owner, relay)
  if ('loopback' in to) {
    const text = `keyhole-answer-1.${toBase64Url(encoder.encode(answer))}`
    return { code, grant, way: { link: `${to.loopback}#${text}` } }
  }
  const { mailbox, key } = to
  // Sealed once: the relay takes the same message again, if its own answer was lost on the way.
  const { sealed } = await vault.sessions.sealAnswer({ answer, request, mailbox, key })
  return { code, grant, way: { sealed } }
}

/** Leaves a sealed answer in the mailbox where the service waits. The caller sees to it that the relay is the vault's own. */
export async function leaveOwnerAnswer(
  { relay, mailbox }: Extract<OwnerReply, { relay: string }>,
  sealed: string,
): Promise<LeftAnswer> {
  try {
    const { status } = await fetch(`${relay.replace(/\/$/, '')}/mailboxes/message`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ mailbox, message: sealed }),
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE),
    })
    return STATUSES[status] ?? 'failed'
  } catch {
    return 'failed'
  }
}

const STATUSES: Readonly<Record<number, LeftAnswer>> = { 204: 'left', 404: 'expired', 409: 'taken' }

async function digestOf(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
}
