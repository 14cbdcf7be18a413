// What an owner's vault answers to an introduction: who owns the gate, and where it hears of revocations (docs/services.md). The way back is open to
// everyone who has seen the link. So an answer alone makes no one the owner: a person compares the code, which covers all that is taken from it.
import { createHash, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { type Enclave, isRefusal } from '@keyhole/enclave'
import { isRecord } from '../calls/arguments.ts'
import { GateError } from '../errors.ts'

/** The command by which an owner answers. */
export const OWN = '/service/own'
/** What lets the gate follow the owner's revocations, and report to them. */
export const FOLLOW = '/relay/revocations/read'

const ANSWER = 'keyhole-answer-1.'
/** Longest answer, in characters: two tokens of an owner need a tenth of it. */
const LONGEST_ANSWER = 16_384
const LONGEST_URL = 2_048
/** Makes each guess at a code slow, so that no one finds another answer with the same one while a person compares it. */
const ROUNDS = 100_000
/** Crockford's base32: no characters that look alike. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** What a vault answered. Nothing of it counts before a person has compared the code, unless the owner was known before. */
export interface OwnerAnswer {
  /** DID of the account that answers. Its key signed the answer. */
  readonly owner: string
  /** The relay of its vault, and the grant to follow it; undefined if it has none. */
  readonly follow: { readonly relay: string; readonly grant: string } | undefined
  /** The vault shows it too. */
  readonly code: string
}

export interface AnswerContext {
  /** SHA-256 of the introduction's text. */
  readonly digest: Buffer
  /** DID of the gate. */
  readonly gate: string
  /** URL of the vault that the introduction was for. */
  readonly vault: string
  /** The owners that the gate has: no one else may answer. Empty: anyone may, and a person decides. */
  readonly owners: readonly string[]
  readonly enclave: Pick<Enclave, 'call'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * Reads an answer, and checks that its owner signed it for this introduction.
 *
 * @throws GateError INVALID_ANSWER
 */
export async function readOwnerAnswer(text: string, context: AnswerContext): Promise<OwnerAnswer> {
  const { digest, gate, vault, owners, enclave, clock } = context
  const now = Math.floor(clock() / 1_000)
  const { token, grant } = partsOf(text, digest)
  const checked = await enclave.call('validate_invocation', { invocation: token, audience: gate, now })
  if (isRefusal(checked) || !checked.valid) return refuse("its signature doesn't check")
  const { command, subject, issuer, chain, args } = checked
  // Signed by the owner's own key, and not by someone who was allowed to speak for it.
  if (command !== OWN || subject !== issuer || chain.length > 0) return refuse("its owner didn't sign it")
  const { introduction, relay, ...others } = isRecord(args) ? args : {}
  if (introduction !== digest.toString('base64url')) return refuse('it answers another introduction')
  if (Object.keys(others).length > 0) return refuse('it has another form')
  if (owners.length > 0 && !owners.includes(issuer))
    return refuse(`${issuer} is not an owner of this gate, which takes no other one in this way`)
  if (relay === undefined && grant === undefined)
    return { owner: issuer, follow: undefined, code: await ownerCode(digest, issuer) }
  if (typeof relay !== 'string' || grant === undefined) return refuse('it has another form')
  if (!isRelayOf(relay, vault)) return refuse('its relay is not on the host of the vault')
  const granted = await enclave.call('verify_token', { token: grant, now })
  if (isRefusal(granted) || !granted.valid) return refuse("its grant doesn't check")
  const [link, ...more] = granted.chain
  const isFollowing =
    link?.issuer === issuer &&
    link.audience === gate &&
    more.length === 0 &&
    granted.effective.command === FOLLOW
  if (!isFollowing) return refuse('its grant is for something else')
  return { owner: issuer, follow: { relay, grant }, code: await ownerCode(digest, issuer, relay) }
}

/** The code of an answer (docs/services.md): it covers the introduction, the owner and the relay. */
export async function ownerCode(digest: Uint8Array, owner: string, relay = ''): Promise<string> {
  const hash = createHash('sha256').update('keyhole owner 1\0').update(digest).update(`${owner}\0${relay}`)
  const bits = await promisify(pbkdf2)(hash.digest(), 'keyhole owner code 1', ROUNDS, 5, 'sha256')
  const number = BigInt(`0x${bits.toString('hex')}`)
  const code = Array.from({ length: 8 }, (_, at) => DIGITS[Number((number >> BigInt(35 - 5 * at)) & 31n)])
  return `${code.slice(0, 4).join('')}-${code.slice(4).join('')}`
}

function partsOf(
  text: string,
  digest: Buffer,
): { readonly token: string; readonly grant: string | undefined } {
  if (text.length > LONGEST_ANSWER) refuse('it is too long')
  const { request, token, grant, refused } = jsonOf(text)
  if (request !== digest.toString('base64url')) refuse('it answers another introduction')
  if (refused !== undefined) refuse('the person said no')
  if (typeof token !== 'string' || (grant !== undefined && typeof grant !== 'string'))
    return refuse('it has another form')
  return { token, grant }
}

function jsonOf(text: string): Readonly<Record<string, unknown>> {
  const [, encoded = ''] = new RegExp(`^${ANSWER.replaceAll('.', '\\.')}([\\w-]+)$`).exec(text) ?? []
  try {
    const said: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString())
    return isRecord(said) ? said : {}
  } catch {
    return {}
  }
}

/** Whether a relay is on the host of the vault: a stranger's answer must not choose where the gate connects to. */
function isRelayOf(relay: string, vault: string): boolean {
  if (relay.length > LONGEST_URL || !/^https?:\/\/[^@?#\\\s]+$/.test(relay) || !URL.canParse(relay))
    return false
  return new URL(relay).origin === new URL(vault).origin
}

/** @throws GateError always */
function refuse(why: string): never {
  throw new GateError('INVALID_ANSWER', `The answer was refused: ${why}. Nothing was changed.`)
}
