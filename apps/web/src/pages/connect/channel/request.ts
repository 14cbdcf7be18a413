import * as v from 'valibot'
import { asStatement } from '../../../shared/policy/statement.ts'
import { commandProblem } from '../../../shared/words/command.ts'
import { REQUEST } from '../../../shared/words/payment-commands.ts'

/** The longest request as JSON, in bytes of UTF-8. */
export const LONGEST = 16_384
// As `@keyhole/connect` has it, from which nothing is imported here: a test holds the two together.
const LONGEST_REASON = 300
const BASE58 = '[1-9A-HJ-NP-Za-km-z]'
const NAME = '(?:[\\w.-]|%[\\dA-Fa-f]{2})+'
/** A did:key, as long as its type says (Ed25519, secp256k1, P-256) where it is one of these; or a did:web. */
const AUDIENCE = new RegExp(
  `^did:(?:key:z(?:6Mk${BASE58}{44}|Q3s${BASE58}{45}|Dn${BASE58}{46}|(?!6Mk|Q3s|Dn)${BASE58}{46,128})|web:${NAME}(?::${NAME})*)$`,
)
const LONGEST_AUDIENCE = 2048

const capability = v.strictObject({
  kind: v.literal('capability'),
  command: v.pipe(v.string(), v.maxLength(256)),
  audience: v.pipe(v.string(), v.maxLength(LONGEST_AUDIENCE)),
  policy: v.array(v.unknown()),
  expiresIn: v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(31_536_000)),
  reason: v.pipe(
    v.string(),
    v.check((text) => [...text].length <= LONGEST_REASON),
  ),
})
const payment = v.strictObject({
  kind: v.literal('payment'),
  invocation: v.pipe(v.string(), v.regex(/^[\w+/=-]{16,}$/)),
})

export type CapabilityRequest = v.InferOutput<typeof capability>
export type PaymentRequest = v.InferOutput<typeof payment>
export type ConnectRequest = CapabilityRequest | PaymentRequest

/** Why an app is refused without anyone being asked; the message is for its developer, and says nothing of the vault. */
export interface Refusal {
  readonly code: 'INVALID_REQUEST' | 'TOO_BROAD' | 'UNSUPPORTED'
  readonly message: string
}

export type ReadRequest = { readonly request: ConnectRequest } | { readonly refusal: Refusal }

const refuse = (code: Refusal['code'], message: string): ReadRequest => ({ refusal: { code, message } })
export const invalid = (message: string) => refuse('INVALID_REQUEST', message)

/** A copy in plain JSON, which nobody else holds; undefined where it is none, or too long. */
function plain(value: unknown): unknown {
  try {
    const json = JSON.stringify(value)
    return new TextEncoder().encode(json).length > LONGEST ? undefined : JSON.parse(json)
  } catch {
    return undefined
  }
}

/** What a page asks for. */
export function readRequest(value: unknown): ReadRequest {
  const copy = plain(value)
  if (copy === undefined) return invalid(`The request is no JSON, or longer than ${LONGEST} bytes.`)
  return readPlain(copy)
}

/** What plain JSON asks for, strictly: nothing is guessed, and nothing unknown is passed over. */
export function readPlain(copy: unknown): ReadRequest {
  const kind = v.safeParse(v.looseObject({ kind: v.string() }), copy)
  if (!kind.success) return invalid('The request does not say what it is.')
  switch (kind.output.kind) {
    case 'payment': {
      const read = v.safeParse(payment, copy)
      return read.success ? { request: read.output } : invalid('The request holds no invocation.')
    }
    case 'capability':
      return readCapability(copy)
    default:
      return refuse('UNSUPPORTED', 'This vault does not know requests of this kind.')
  }
}

function readCapability(value: unknown): ReadRequest {
  const read = v.safeParse(capability, value)
  if (!read.success) {
    const [issue] = read.issues
    return invalid(
      `The request has a field that is missing, unknown or wrong: ${v.getDotPath(issue) ?? '?'}.`,
    )
  }
  const { command, audience, policy } = read.output
  if (commandProblem(command) !== undefined) return invalid('Its command is no UCAN command.')
  // Whoever asks is a stranger: everything, and what undoes what others signed, is given by hand or not at all.
  if (command === '/' || /^\/ucan(?:\/|$)/.test(command))
    return refuse('TOO_BROAD', `${command} is not granted to whoever asks.`)
  // A mandate with a budget is counted by the vault: it is made on its own page, or it would be worth nothing.
  if (command === REQUEST)
    return refuse('UNSUPPORTED', 'A mandate with a budget is made on the page Payments.')
  if (!AUDIENCE.test(audience)) return invalid('Its audience is no did:key and no did:web.')
  if (policy.some((statement) => 'problem' in asStatement(statement)))
    return invalid('Its policy is no UCAN policy.')
  return { request: read.output }
}
