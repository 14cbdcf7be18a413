// Authorizes a request by an invocation in its `Authorization` header, addressed to this relay.
import type { Enclave } from '@keyhole/enclave'
import { type Authorized, checkInvocation } from '../checking/check.ts'
import { RelayError } from './answers.ts'
import type { CheckQueue } from './check-queue.ts'

/** Longest DID of a caller, in characters. */
export const LONGEST_DID = 256
/** Longest token in bytes: what fits in a header. */
const LONGEST_TOKEN = 16_384
/** Longest token of a mailbox, which has no proofs, in bytes. */
export const LONGEST_MAILBOX_TOKEN = 2_048
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

export interface CallerOptions {
  readonly enclave: Enclave
  readonly queue: CheckQueue
  /** Hosts that clients use to reach the relay; undefined for loopback only. */
  readonly hosts: readonly string[] | undefined
  readonly clock: () => number
}

/**
 * Checks the invocation of a request.
 * @throws RelayError unauthorized without one; forbidden with the rule it breaks; bad_request for an unknown host
 */
export async function authorize(
  { enclave, queue, hosts, clock }: CallerOptions,
  request: Request,
  address: string,
  command: string,
  longest: number = LONGEST_TOKEN,
): Promise<Authorized> {
  const [, token] = /^Bearer ([\w+/=-]+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (token === undefined) throw new RelayError('unauthorized')
  if (token.length > longest) throw new RelayError('forbidden', 'TooMuchWork')
  const audience = audienceOf(new URL(request.url).host, hosts)
  const now = Math.floor(clock() / 1_000)
  const checked = await queue.run(address, () => checkInvocation(enclave, token, { command, audience, now }))
  if ('rule' in checked) throw new RelayError('forbidden', checked.rule)
  return checked
}

/**
 * The DID that invocations name as audience, so that one for another relay is useless here.
 * @throws RelayError bad_request
 */
function audienceOf(host: string, hosts: readonly string[] | undefined): string {
  const isKnown = hosts ? hosts.includes(host) : LOOPBACK.test(host)
  if (!isKnown) throw new RelayError('bad_request', 'Host')
  return `did:web:${encodeURIComponent(host)}`
}
