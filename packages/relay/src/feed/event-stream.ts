// The response body for a listener: the feed so far, then each new revocation.
import { affects, type Link } from '../stores/link.ts'
import { aliveEvent, RESET_EVENT, RETRY_EVENT, revocationEvents } from './events.ts'
import type { Listener, Listeners } from './listeners.ts'

/** A listener is disconnected after this many milliseconds, and checked again when it reconnects. */
const LONGEST_CONNECTION = 30 * 60_000
/** Sending pauses while more bytes than this wait for the client. */
const HIGH_WATER = 16 * 1_024
/** A client that reads nothing for this many polls is disconnected. */
const MOST_SILENT_POLLS = 3

/** A client's request to listen, already checked. */
export interface Subscription {
  readonly subject: string
  /** The delegations that permit it, root first. */
  readonly chain: readonly Link[]
  /** The last revocation that the client knows; undefined if that one isn't from this store. */
  readonly seq: number | undefined
  readonly epoch: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Closes the connection at once, if the server can do that. */
  readonly disconnect: (() => void) | undefined
  /** Called once, when the client has gone or was disconnected. */
  readonly onEnd: () => void
}

/** Adds a listener. Cancelling the stream removes it. */
export function eventStream(listeners: Listeners, subscription: Subscription): ReadableStream<Uint8Array> {
  const { subject, chain, seq, epoch, clock, disconnect, onEnd } = subscription
  let remove = () => {}
  let resume = () => {}
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let silentPolls = 0
        const listener: Listener = {
          seq: seq ?? 0,
          isBehind: false,
          hasAll: false,
          get canSend() {
            return (controller.desiredSize ?? 0) > 0
          },
          send(revocations) {
            controller.enqueue(revocationEvents(revocations, epoch))
            return !revocations.some((revocation) => affects(revocation, chain))
          },
          sendAlive: () => controller.enqueue(aliveEvent(clock())),
          isPatient() {
            silentPolls += 1
            return silentPolls < MOST_SILENT_POLLS
          },
          end(discard = false) {
            remove()
            if (!discard) controller.close()
            else if (disconnect) disconnect()
            else controller.error(new Error('The client reads too slowly.'))
          },
        }
        controller.enqueue(RETRY_EVENT)
        if (seq === undefined) controller.enqueue(RESET_EVENT)
        const removeListener = listeners.add(subject, listener)
        const longest = setTimeout(() => listener.end(), LONGEST_CONNECTION)
        longest.unref()
        resume = () => {
          silentPolls = 0
          if (listener.isBehind) listeners.resume(subject)
        }
        remove = () => {
          remove = () => {}
          clearTimeout(longest)
          removeListener()
          onEnd()
        }
      },
      pull: () => resume(),
      cancel: () => remove(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER }),
  )
}
