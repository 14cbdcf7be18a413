// Requests to a person whose answers come back to this process. The same call has the same link until it is answered.
import { type AskRequest, type Holder, HolderError, type ReplyWay } from '@keyhole/holder'

/** A request, as a person is shown it. */
export interface OpenRequest {
  /** Opens the request in the owner's vault. */
  readonly link: string
  /** The vault shows it too. */
  readonly code: string
  /** Whether the holder gets the grant once it is there. Otherwise a person brings it. */
  readonly comesBack: boolean
}

export interface OpenRequests {
  /**
   * Asks for a grant, unless this was asked for and is not answered yet.
   *
   * @param what is asked for: the same text gets the same request
   * @throws HolderError InvalidInput
   */
  ask(what: string, request: AskRequest): Promise<OpenRequest>
  /** Waits for no answer any more. */
  close(): void
}

/** Requests whose answers are waited for at a time: each has a mailbox at the owner's relay. */
const MOST_WAITING = 8
/** How long a relay may take to open a mailbox, in milliseconds: the program waits for its link. */
const LONGEST_OPENING = 5_000
/** After a relay failed, answers are brought by hand for so long, in milliseconds: no call waits for it meanwhile. */
const PAUSE = 60_000

/** @param reply how answers come back, such as `mailbox`. Without it, or where its relay opens no mailbox, a person brings them to the holder */
export function openRequests(holder: Holder, reply?: ReplyWay): OpenRequests {
  let isAwayUntil = Number.NEGATIVE_INFINITY
  const waiting = new Map<string, { readonly shown: Promise<OpenRequest>; readonly ended: AbortController }>()

  /** Entered before the relay answers, so that the same call asks once. */
  function askAndWait(what: string, request: AskRequest, by: ReplyWay): Promise<OpenRequest> {
    const ended = new AbortController()
    const asked = holder.ask({ ...request, reply: openedSoon(by), signal: ended.signal })
    const shown = asked.then(({ link, code }) => ({ link, code, comesBack: true }))
    waiting.set(what, { shown, ended })
    // Whatever the answer was: the next call is signed under what is held then, or asks again.
    asked
      .then(({ answer }) => answer)
      .catch(() => {})
      .finally(() => waiting.delete(what))
    return shown
  }

  return {
    async ask(what, request) {
      const open = waiting.get(what)?.shown
      const canWait = waiting.size < MOST_WAITING && performance.now() >= isAwayUntil
      const shown = open ?? (reply && canWait ? askAndWait(what, request, reply) : undefined)
      if (shown)
        try {
          return await shown
        } catch (error) {
          if (!(error instanceof HolderError) || error.code !== 'RelayFailed') throw error
          isAwayUntil = performance.now() + PAUSE
        }
      const { link, code } = await holder.ask(request)
      return { link, code, comesBack: false }
    },
    close() {
      for (const { ended } of waiting.values()) ended.abort()
    },
  }
}

/** A way back that fails if it isn't open soon. */
function openedSoon(reply: ReplyWay): ReplyWay {
  return async (signal) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      const why = 'The relay opened no mailbox in time.'
      timer = setTimeout(() => reject(new HolderError('RelayFailed', why)), LONGEST_OPENING)
    })
    return await Promise.race([reply(signal), late]).finally(() => clearTimeout(timer))
  }
}
