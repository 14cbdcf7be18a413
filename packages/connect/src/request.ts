import { ConnectError } from './errors.ts'

/**
 * A capability that an app, an agent or a device asks for. The vault signs a UCAN 1.0 delegation of exactly that, or
 * less.
 */
export interface CapabilityRequest {
  /** What to allow: a UCAN command such as `/msg/send`, including all below it. `/` is refused. */
  readonly command: string
  /** DID of your key that gets the grant: `did:key` or `did:web`. */
  readonly audience: string
  /** Limits on the arguments: a UCAN policy, in DAG-JSON. Default: none, and the person is warned. */
  readonly policy?: readonly unknown[]
  /** For how long, in seconds: 60 to 31,536,000 (a year). The person may choose less. Default: an hour. */
  readonly expiresIn?: number
  /** The reason, in your words, shown as a quotation. At most 300 characters. */
  readonly reason?: string
}

/** A payment under a mandate with a budget. Only the vault that counts it can sign it. */
export interface PaymentRequest {
  /** The invocation of `/payment/request`, as container text with its proofs. */
  readonly invocation: string
}

/** A request as sent: its kind, and all fields. */
export type ConnectRequest =
  | ({ readonly kind: 'capability' } & Required<CapabilityRequest>)
  | ({ readonly kind: 'payment' } & PaymentRequest)

/** Maximum size of a request as JSON, in bytes of UTF-8. */
export const LONGEST_REQUEST = 16_384
const SHORTEST = 60
const LONGEST = 31_536_000
const HOUR = 3600
const LONGEST_REASON = 300
const BASE58 = '[1-9A-HJ-NP-Za-km-z]'
const NAME = '(?:[\\w.-]|%[\\dA-Fa-f]{2})+'
/** A did:key, with the right length if its type is known (Ed25519, secp256k1, P-256); or a did:web. */
const AUDIENCE = new RegExp(
  `^did:(?:key:z(?:6Mk${BASE58}{44}|Q3s${BASE58}{45}|Dn${BASE58}{46}|(?!6Mk|Q3s|Dn)${BASE58}{46,128})|web:${NAME}(?::${NAME})*)$`,
)
const LONGEST_AUDIENCE = 2048

const wrong = (what: string) => new ConnectError('INVALID_REQUEST', `This request cannot be sent: ${what}.`)

/** Sends what JSON can express. A function in a policy would be dropped there, and can't be posted. */
function checkSize<T extends ConnectRequest>(request: T): T {
  let json: string
  try {
    json = JSON.stringify(request)
  } catch (cause) {
    throw new ConnectError('INVALID_REQUEST', "This request cannot be sent: it can't be written as JSON.", {
      cause,
    })
  }
  const size = new TextEncoder().encode(json).length
  if (size > LONGEST_REQUEST)
    throw wrong(`it has ${size} bytes as JSON, and at most ${LONGEST_REQUEST} are read`)
  return JSON.parse(json)
}

/** The complete request for a capability. @throws ConnectError INVALID_REQUEST, TOO_BROAD */
export function capabilityRequest(request: CapabilityRequest): ConnectRequest {
  const { command, audience, policy = [], expiresIn = HOUR, reason = '' } = request
  if (
    typeof command !== 'string' ||
    !/^(?:\/|(?:\/[^\s/]+)+)$/.test(command) ||
    command !== command.toLowerCase() ||
    command.length > 256
  )
    throw wrong('`command` must be a UCAN command, such as /msg/send')
  if (command === '/' || /^\/ucan(?:\/|$)/.test(command))
    throw new ConnectError('TOO_BROAD', `${command} is too broad to ask for. Ask for what you need.`)
  if (typeof audience !== 'string' || audience.length > LONGEST_AUDIENCE || !AUDIENCE.test(audience))
    throw wrong('`audience` must be a did:key or a did:web')
  if (!Array.isArray(policy)) throw wrong('`policy` must be a list')
  if (!Number.isInteger(expiresIn) || expiresIn < SHORTEST || expiresIn > LONGEST)
    throw wrong(`\`expiresIn\` is not a whole number of seconds from ${SHORTEST} to ${LONGEST}`)
  if (typeof reason !== 'string' || [...reason].length > LONGEST_REASON)
    throw wrong(`\`reason\` is longer than ${LONGEST_REASON} characters`)
  return checkSize({ kind: 'capability', command, audience, policy: [...policy], expiresIn, reason })
}

/** The complete request for a payment. @throws ConnectError INVALID_REQUEST */
export function paymentRequest({ invocation }: PaymentRequest): ConnectRequest {
  if (typeof invocation !== 'string' || !/^[\w+/=-]{16,}$/.test(invocation))
    throw wrong('`invocation` must be a token')
  return checkSize({ kind: 'payment', invocation })
}
