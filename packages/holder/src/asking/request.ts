// Requests as text (docs/requests.md).

import { toValue } from '../codec/dag-json.ts'
import { toBase64url } from '../codec/text.ts'
import { Budget } from '../codec/work-budget.ts'
import { wrongInput } from '../errors.ts'
import { readPolicy } from '../policy/policy.ts'
import { checkCommand } from '../token/checks.ts'
import type { Reply } from './reply.ts'

/** What is asked of a person. */
export interface Request {
  /** The vault's origin, such as `https://vault.example`. */
  readonly vault: string | URL
  /** What is to be allowed: a UCAN command such as `/msg/send`, which covers all below it. Not `/`, and nothing under `/ucan`. */
  readonly command: string
  /** Limits on the arguments, in DAG-JSON. Default: none, and then the person is warned. */
  readonly policy?: readonly unknown[]
  /** For how long, in seconds: 60 to 31,536,000 (a year). The person may choose less. Default: an hour. */
  readonly expiresIn?: number
  /** What for, in your words: shown as a quotation. At most 300 characters. */
  readonly reason?: string
  /** What the asker calls itself, as a suggestion for the person's contacts: at most 60 characters. */
  readonly name?: string
}

/** With what requests and answers as text begin. */
export const REQUEST = 'keyhole-request-1.'
/** The longest request as JSON, in bytes of UTF-8. */
const LONGEST_REQUEST = 16_384

/**
 * A request as text, made out to a key.
 *
 * @returns its text, and the link that opens it in the vault: it stands behind the `#`, so that no server is told
 * @throws HolderError InvalidInput
 */
export function writeRequest(
  { vault, command, policy = [], expiresIn = 3_600, reason = '', name }: Request,
  audience: string,
  reply: Reply | undefined,
): { readonly text: string; readonly link: string } {
  checkCommand(command)
  readPolicy(toValue(policy), new Budget())
  const isBroad = /^\/(?:ucan(?:\/.*)?)?$/.test(command)
  const isTime = Number.isInteger(expiresIn) && expiresIn >= 60 && expiresIn <= 31_536_000
  const request = { kind: 'capability', command, audience, policy, expiresIn, reason, name, reply }
  const json = new TextEncoder().encode(JSON.stringify(request))
  if (
    isBroad ||
    !isTime ||
    [...reason].length > 300 ||
    [...(name ?? '')].length > 60 ||
    json.length > LONGEST_REQUEST
  )
    wrongInput(
      'No vault takes this request: its command is too broad, its time out of range, or a text too long.',
    )
  const url = new URL('/connect', vault)
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(isHere && url.protocol === 'http:'))
    wrongInput('`vault` is no URL of https.')
  const text = REQUEST + toBase64url(json)
  url.hash = text
  return { text, link: url.href }
}
