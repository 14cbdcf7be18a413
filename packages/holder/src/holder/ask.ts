import { readAnswer } from '../asking/answer.ts'
import type { ReplyWay } from '../asking/reply.ts'
import { type Request, writeRequest } from '../asking/request.ts'
import { digestOf, shortCode } from '../asking/short-code.ts'
import { wrongInput } from '../errors.ts'
import type { Grant } from '../grants/grant.ts'
import type { CallOptions } from './options.ts'

/** A request, and how its answer comes back. */
export interface AskRequest extends Request, CallOptions {
  /** How the answer comes back: `loopback()` or `mailbox()`. Without one, a person brings it to `accept`. */
  readonly reply?: ReplyWay
}

/** A request waiting for a person. */
export interface Asked {
  /** Opens the request in the vault. */
  readonly link: string
  /** The same as text, to paste into the vault. */
  readonly text: string
  /** The vault shows this code too, so that the person can compare them. */
  readonly code: string
  /** Resolves with the grant. Without `reply` it waits for `accept`. */
  readonly answer: Promise<Grant>
  /** Takes an answer or a token from a person. @throws HolderError as `Holder.ask` */
  accept(text: string): Promise<Grant>
}

/** Asks. @throws HolderError as `Holder.ask` */
export async function ask(
  { reply, signal, ...request }: AskRequest,
  audience: string,
  add: (token: string) => Promise<Grant>,
): Promise<Asked> {
  const ended = new AbortController()
  const end = () => ended.abort(signal?.reason)
  signal?.addEventListener('abort', end)
  try {
    if (typeof (reply ?? ask) !== 'function') wrongInput('`reply` must be a function.')
    const way = await reply?.(ended.signal)
    const { text, link } = writeRequest(request, audience, way?.reply, way?.salt)
    const digest = await digestOf(text)
    let settle = (_grant: Grant) => {}
    const accept = async (answer: string) => {
      const grant = await add(readAnswer(answer, digest))
      settle(grant)
      return grant
    }
    const answer = new Promise<Grant>((resolve, reject) => {
      settle = resolve
      way?.receive(digest).then(accept).catch(reject)
      ended.signal.addEventListener('abort', () => reject(ended.signal.reason))
    }).finally(end)
    // A caller that waits for it gets the error; one that only uses `accept` doesn't have to handle it.
    answer.catch(() => {})
    return { link, text, code: await shortCode(digest), answer, accept }
  } catch (error) {
    end()
    throw error
  }
}
