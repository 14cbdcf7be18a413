import * as v from 'valibot'
import { asStatement } from '../policy/statement.ts'
import { commandProblem } from '../words/command.ts'
import { REQUEST } from '../words/payment-commands.ts'
import { type ReplyAddress, replyAddress } from './reply-address.ts'

/** The longest request as JSON, in bytes of UTF-8. */
export const LONGEST = 16_384
// The same as in `@keyhole/connect`, from which we import nothing here. A test checks that they match.
const LONGEST_REASON = 300
const LONGEST_NAME = 60
const BASE58 = '[1-9A-HJ-NP-Za-km-z]'
const NAME = '(?:[\\w.-]|%[\\dA-Fa-f]{2})+'
/** A did:key with the right length for its type (Ed25519, secp256k1, P-256; other types are allowed), or a did:web. */
const AUDIENCE = new RegExp(
  `^did:(?:key:z(?:6Mk${BASE58}{44}|Q3s${BASE58}{45}|Dn${BASE58}{46}|(?!6Mk|Q3s|Dn)${BASE58}{46,128})|web:${NAME}(?::${NAME})*)$`,
)
const LONGEST_AUDIENCE = 2048

const textOf = (characters: number) =>
  v.pipe(
    v.string(),
    v.check((text) => [...text].length <= characters),
  )
const capability = v.strictObject({
  kind: v.literal('capability'),
  command: v.pipe(v.string(), v.maxLength(256)),
  audience: v.pipe(v.string(), v.maxLength(LONGEST_AUDIENCE)),
  policy: v.array(v.unknown()),
  expiresIn: v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(31_536_000)),
  reason: textOf(LONGEST_REASON),
})
/** Longest introduction in a request, in characters. Our gate sends shorter ones. */
const LONGEST_SERVICE = 6_144

/** As text it also says what the asker calls itself, where the answer goes, and which service has the tool (docs/requests.md). */
const capabilityAsText = v.strictObject({
  ...capability.entries,
  name: v.exactOptional(textOf(LONGEST_NAME)),
  reply: v.exactOptional(replyAddress),
  service: v.exactOptional(
    v.pipe(v.string(), v.maxLength(LONGEST_SERVICE), v.regex(/^keyhole-service-1\.[\w-]+$/)),
  ),
})
const payment = v.strictObject({
  kind: v.literal('payment'),
  invocation: v.pipe(v.string(), v.regex(/^[\w+/=-]{16,}$/)),
})

type CapabilityFields = typeof capability | typeof capabilityAsText
export type CapabilityRequest = v.InferOutput<typeof capability>
export type PaymentRequest = v.InferOutput<typeof payment>
export type ConnectRequest = CapabilityRequest | PaymentRequest

/** Why an app is refused without asking anyone. The message is for the app's developer and reveals nothing about the vault. */
export interface Refusal {
  readonly code: 'INVALID_REQUEST' | 'TOO_BROAD' | 'UNSUPPORTED'
  readonly message: string
}

export type ReadRequest =
  | {
      readonly request: ConnectRequest
      readonly name?: string
      readonly replyTo?: ReplyAddress
      readonly service?: string
    }
  | { readonly refusal: Refusal }

const refuse = (code: Refusal['code'], message: string): ReadRequest => ({ refusal: { code, message } })
export const invalid = (message: string) => refuse('INVALID_REQUEST', message)

/**
 * Whether a message is objects, lists and values that may fit into a request as JSON. A page can send one object in many places, a list
 * with nothing in it but its length, or bytes that it gives away: a few words, and endless as JSON.
 */
function mayFit(message: unknown): boolean {
  let left = LONGEST
  const rest = [message]
  while (rest.length > 0 && left >= 0) {
    const part = rest.pop()
    left -= typeof part === 'string' ? part.length : 1
    if (typeof part !== 'object' || part === null) continue
    const isList = Array.isArray(part)
    if (!isList && Object.getPrototypeOf(part) !== Object.prototype) return false
    if (isList && part.length > left) return false
    for (const name of isList ? [] : Object.keys(part)) left -= name.length
    if (left >= 0) rest.push(...Object.values(part))
  }
  return left >= 0
}

/** A plain JSON copy that no one else can change. Undefined if it isn't JSON or is too long. */
function plain(value: unknown): unknown {
  if (!mayFit(value)) return undefined
  try {
    const json = JSON.stringify(value)
    return new TextEncoder().encode(json).length > LONGEST ? undefined : JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Reads what a page asks for. */
export function readRequest(value: unknown): ReadRequest {
  const copy = plain(value)
  if (copy === undefined) return invalid(`The request is not JSON, or is longer than ${LONGEST} bytes.`)
  return readPlain(copy, capability)
}

/** Reads a text request from its plain JSON. */
export function readPlainText(copy: unknown): ReadRequest {
  return readPlain(copy, capabilityAsText)
}

/** Reads plain JSON strictly: guesses nothing, and refuses unknown fields. */
function readPlain(copy: unknown, fields: CapabilityFields): ReadRequest {
  const kind = v.safeParse(v.looseObject({ kind: v.string() }), copy)
  if (!kind.success) return invalid('The request does not say what it is.')
  switch (kind.output.kind) {
    case 'payment': {
      const read = v.safeParse(payment, copy)
      return read.success ? { request: read.output } : invalid('The request holds no invocation.')
    }
    case 'capability':
      return readCapability(copy, fields)
    default:
      return refuse('UNSUPPORTED', 'This vault does not know requests of this kind.')
  }
}

function readCapability(value: unknown, fields: CapabilityFields): ReadRequest {
  const read = v.safeParse(fields, value)
  if (!read.success) {
    const [issue] = read.issues
    return invalid(
      `The request has a field that is missing, unknown or wrong: ${v.getDotPath(issue) ?? '?'}.`,
    )
  }
  const { name, reply, service, ...request } = {
    ...{ name: undefined, reply: undefined, service: undefined },
    ...read.output,
  }
  const { command, audience, policy } = request
  if (commandProblem(command) !== undefined) return invalid('Its command is not a UCAN command.')
  // The asker is a stranger. Full access, and the power to revoke what others signed, can only be granted by hand.
  if (command === '/' || /^\/ucan(?:\/|$)/.test(command))
    return refuse('TOO_BROAD', `${command} is not granted to whoever asks.`)
  // The vault counts a mandate's budget, so a mandate is made on its own page. Made here, its budget would mean nothing.
  if (command === REQUEST)
    return refuse('UNSUPPORTED', 'A mandate with a budget is made on the page Payments.')
  if (!AUDIENCE.test(audience)) return invalid('Its audience is neither a did:key nor a did:web.')
  if (policy.some((statement) => 'problem' in asStatement(statement)))
    return invalid('Its policy is not a UCAN policy.')
  return {
    request,
    ...(name !== undefined && { name }),
    ...(reply && { replyTo: reply }),
    ...(service !== undefined && { service }),
  }
}
