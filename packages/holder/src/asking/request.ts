// Requests as text (docs/requests.md).

import { toValue } from '../codec/dag-json.ts'
import { toBase64url } from '../codec/text.ts'
import { Budget } from '../codec/work-budget.ts'
import { wrongInput } from '../errors.ts'
import { readPolicy } from '../policy/policy.ts'
import { checkCommand } from '../token/checks.ts'
import type { Reply } from './reply.ts'

/** What to ask a person for. */
export interface Request {
  /** The vault's origin, such as `https://vault.example`. */
  readonly vault: string | URL
  /** What to allow: a UCAN command such as `/msg/send`, including all below it. Not `/`, and nothing under `/ucan`. */
  readonly command: string
  /** Limits on the arguments, in DAG-JSON. Default: none, and the person is warned. */
  readonly policy?: readonly unknown[]
  /** For how long, in seconds: 60 to 31,536,000 (a year). The person may choose less. Default: an hour. */
  readonly expiresIn?: number
  /** The reason, in your words, shown as a quotation. At most 300 characters. */
  readonly reason?: string
  /** The asker's name for itself, suggested for the person's contacts: at most 60 characters. */
  readonly name?: string
  /** The introduction of the service that the request is about (docs/services.md), so that its owner sees what a tool takes: at most 6,144 characters. */
  readonly service?: string
}

/** The prefix of a request as text. */
export const REQUEST = 'keyhole-request-1.'
/** Maximum size of a request as JSON, in bytes of UTF-8. */
const LONGEST_REQUEST = 16_384

/**
 * Writes a request for a grant to a key.
 * @param salt white space, which means nothing in JSON
 * @returns its text, and the link that opens it in the vault, with the text after the `#`, so that no server sees it
 * @throws HolderError InvalidInput
 */
export function writeRequest(
  { vault, command, policy = [], expiresIn = 3_600, reason = '', name, service }: Request,
  audience: string,
  reply: Reply | undefined,
  salt = '',
): { readonly text: string; readonly link: string } {
  // Without a type checker, it may be missing.
  checkCommand(command ?? '')
  readPolicy(toValue(policy), new Budget())
  const isBroad = /^\/(?:ucan(?:\/.*)?)?$/.test(command)
  const isTime = Number.isInteger(expiresIn) && expiresIn >= 60 && expiresIn <= 31_536_000
  const request = { kind: 'capability', command, audience, policy, expiresIn, reason, name, reply, service }
  const json = new TextEncoder().encode(JSON.stringify(request) + salt)
  const isText = (text: unknown, most: number) => typeof text === 'string' && [...text].length <= most
  if (
    isBroad ||
    !isTime ||
    !isText(reason, 300) ||
    !isText(name ?? '', 60) ||
    !isText(service ?? '', LONGEST_REQUEST) ||
    json.length > LONGEST_REQUEST
  )
    wrongInput('No vault takes this request: its command, time or texts are out of bounds.')
  const url = URL.canParse('/connect', vault) ? new URL('/connect', vault) : undefined
  if (!url || !/^https:|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/.test(url.origin))
    return wrongInput('`vault` must be an https URL.')
  const text = REQUEST + toBase64url(json)
  url.hash = text
  return { text, link: url.href }
}
