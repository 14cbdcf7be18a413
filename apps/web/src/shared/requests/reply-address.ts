import * as v from 'valibot'
import { isOwnRelay } from '../relay/own-relay.ts'

const LONGEST_URL = 2_048

/** A program on this computer: exactly this address, with a port and an unguessable path. A URL parser must not change anything in it. */
const loopback = v.pipe(
  v.string(),
  v.maxLength(LONGEST_URL),
  v.regex(/^http:\/\/127\.0\.0\.1:[1-9]\d{0,4}\/[\w~./-]{16,}$/),
  v.check((text) => URL.canParse(text) && new URL(text).href === text),
)

/** An https page, or one on this computer, that the window goes to. */
const redirect = v.pipe(
  v.string(),
  v.maxLength(LONGEST_URL),
  v.check((text) => isWebAddress(text) && !text.includes('#')),
)

const relay = v.pipe(
  v.string(),
  v.maxLength(LONGEST_URL),
  v.check((text) => isWebAddress(text) && !/[?#]/.test(text)),
)

/** Where an answer goes, as the request says (docs/requests.md). */
export const replyAddress = v.union([
  v.strictObject({ loopback }),
  v.strictObject({ redirect }),
  v.strictObject({
    relay,
    mailbox: v.pipe(v.string(), v.regex(/^did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/)),
    key: v.pipe(v.string(), v.regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/)),
  }),
])

export type ReplyAddress = v.InferOutput<typeof replyAddress>

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  return (
    (protocol === 'https:' || (isHere && protocol === 'http:')) &&
    username === '' &&
    password === '' &&
    !/\s/.test(text)
  )
}

/** Whether the answer can be sent there. A page may connect only to its own origin, so a mailbox must be on this vault's own relay. */
export function isReachable(to: ReplyAddress): boolean {
  return !('relay' in to) || isOwnRelay(to.relay)
}
