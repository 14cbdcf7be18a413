import { readAnswer } from '../asking/answer.ts'
import type { ReplyWay } from '../asking/reply.ts'
import { type Request, writeRequest } from '../asking/request.ts'
import { digestOf, shortCode } from '../asking/short-code.ts'
import type { Grant } from '../grants/grant.ts'
import type { CallOptions } from './options.ts'

/** What is asked, and how the answer comes back. */
export interface AskRequest extends Request, CallOptions {
  /** How the answer comes back: `loopback()` or `mailbox()`. Without one, a person brings it to `accept`. */
  readonly reply?: ReplyWay
}

/** A request that waits for a person. */
export interface Asked {
  /** Opens the request in the vault. */
  readonly link: string
  /** The same as text, for pasting into the vault. */
  readonly text: string
  /** What the vault shows too: the person compares the two. */
  readonly code: string
  /** The grant, once there is one. Without a way back it waits for `accept`. */
  readonly answer: Promise<Grant>
  /** Takes an answer, or a token, that a person brings. @throws HolderError as `Holder.ask` */
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
    const way = await reply?.(ended.signal)
    const { text, link } = writeRequest(request, audience, way?.reply)
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
    // Whoever waits for it hears of it; whoever brings the answer by hand need not.
    answer.catch(() => {})
    return { link, text, code: await shortCode(digest), answer, accept }
  } catch (error) {
    end()
    throw error
  }
}
