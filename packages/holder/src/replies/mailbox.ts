// Brings an answer back through a mailbox: the vault leaves a sealed answer at a relay, and the asker fetches it
// (docs/requests.md, "By a mailbox"). The asker polls like a device (RFC 8628, section 3.5).

import { ANSWER } from '../asking/answer.ts'
import type { ReplyWay } from '../asking/reply.ts'
import { fromBase64url, toBase64url } from '../codec/text.ts'
import { joined } from '../codec/value.ts'
import { HolderError, refuse } from '../errors.ts'
import { createHolder } from '../holder/holder.ts'
import { memoryStore } from '../stores/memory-store.ts'
import { makeSealKey, openSealed, sealInfo } from './sealed-answer.ts'

export interface MailboxOptions {
  /** The relay's URL, such as `https://vault.example/relay`. */
  readonly relay: string | URL
  /** Default: the platform's. */
  readonly fetch?: typeof fetch
  /** Milliseconds since 1970. Default: the platform's clock. */
  readonly clock?: () => number
  /** Waits that many milliseconds. Default: the platform's timers. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** How long the relay should hold a poll, in seconds, so that an answer in the meantime arrives at once. */
const HOLD = 20
/** How much to increase the polling interval when a relay says `slow_down`, in seconds (RFC 8628, section 3.5). */
const SLOWER = 5
/** The first wait after a relay could not be reached, in seconds; it doubles up to the longest. */
const FIRST_PAUSE = 1
const LONGEST_PAUSE = 30
/** Maximum length of a relay's answer, in bytes. */
const LONGEST_BODY = 128 * 1_024

/**
 * Brings an answer back through a mailbox at a relay, which only learns its size and when it was left and fetched. A
 * vault only writes to its own relay.
 * Each request gets a new mailbox and a new sealing key.
 */
export function mailbox({
  relay,
  fetch: ask = fetch,
  clock = Date.now,
  wait = pause,
}: MailboxOptions): ReplyWay {
  const base = new URL(relay)
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(base.hostname)
  if (base.protocol !== 'https:' && !(isHere && base.protocol === 'http:'))
    refuse('InvalidInput', '`relay` must be an https URL.')
  const address = base.href.replace(/\/$/, '')
  // An invocation names this relay, so no other can use it.
  const audience = `did:web:${encodeURIComponent(base.host)}`

  return async (signal) => {
    const owner = createHolder({ store: memoryStore(), clock })
    const [id, sealKey] = await Promise.all([owner.did(), makeSealKey()])

    const call = async (path: string, command: string, args: Record<string, unknown>): Promise<Answered> => {
      const { token } = await owner.invoke(command, args, { subject: id, audience, expiresIn: 60 })
      const response = await ask(`${address}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        signal,
        redirect: 'error',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      })
      return await readBody(response)
    }

    const opened = await call('/mailboxes', '/relay/mailbox/open', {}).catch((cause) => {
      signal.throwIfAborted()
      return refuse('RelayFailed', `The relay at ${base.host} can't be reached.`, { cause })
    })
    const { expires_in: lifetime, interval = 5 } = opened.body
    if (opened.status !== 201 || typeof lifetime !== 'number' || typeof interval !== 'number')
      return refuse(
        'RelayFailed',
        `The relay at ${base.host} didn't open a mailbox (status ${opened.status}). Try again later.`,
      )
    const end = clock() + lifetime * 1_000

    return {
      reply: { relay: address, mailbox: id, key: toBase64url(sealKey.publicKey) },
      async receive(digest) {
        let between = interval
        let pauses = FIRST_PAUSE
        while (clock() < end) {
          const began = clock()
          const polled = await call('/mailboxes/read', '/relay/mailbox/read', { wait: HOLD }).catch(
            (error) => {
              if (signal.aborted || error instanceof HolderError) throw error
              return undefined
            },
          )
          if (typeof polled?.body.message === 'string') {
            const sealed = fromBase64url(polled.body.message) ?? new Uint8Array()
            return ANSWER + toBase64url(await openSealed(sealKey, sealed, sealInfo(digest, id)))
          }
          const said = polled?.body.error
          if (said === 'expired') break
          if (said === 'slow_down') between += SLOWER
          const isFine = said === 'authorization_pending' || said === 'slow_down'
          if (polled && !isFine && polled.status < 500 && polled.status !== 429)
            return refuse(
              'RelayFailed',
              `The relay at ${base.host} refuses the mailbox: it answered ${polled.status}.`,
            )
          // A relay that held the poll has already waited. One that can't be reached gets a longer pause each time.
          const next = isFine ? began + between * 1_000 : clock() + pauses * 1_000
          pauses = isFine ? FIRST_PAUSE : Math.min(2 * pauses, LONGEST_PAUSE)
          await wait(Math.min(Math.max(next - clock(), 0), Math.max(end - clock(), 0)), signal)
        }
        return refuse('RequestExpired', 'No one answered in time.')
      },
    }
  }
}

interface Answered {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** A relay's answer: JSON, or an empty body if it can't be used. */
async function readBody({ status, body }: Response): Promise<Answered> {
  const parts: Uint8Array[] = []
  let left = LONGEST_BODY
  const reader = body?.getReader()
  for (let read = await reader?.read(); read?.value && left > 0; read = await reader?.read()) {
    left -= read.value.length
    parts.push(read.value)
  }
  if (left <= 0) await reader?.cancel()
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(joined(parts))
    return { status, body: left > 0 ? Object(JSON.parse(text)) : {} }
  } catch {
    return { status, body: {} }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  })
}
