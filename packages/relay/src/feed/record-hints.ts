// The response body for a device that watches: hints that there may be new records.
import { setTimeout as wait } from 'node:timers/promises'
import type { Link } from '../stores/link.ts'
import type { RelayStore } from '../stores/store.ts'
import { aliveEvent, RETRY_EVENT } from './events.ts'

/** Time between two `alive` events, in milliseconds. Each time, the permission is checked again. */
const ALIVE = 10_000
/** If hints were missed, all devices are told within this time, so that they don't all read at once. In milliseconds. */
const SPREAD = 1_000
/** A device is disconnected after this many milliseconds, and checked again when it reconnects. */
const LONGEST_CONNECTION = 30 * 60_000
/** A device with this many unread events is disconnected. */
const MOST_WAITING = 64

const CHANGED_EVENT = new TextEncoder().encode('event: changed\ndata: {}\n\n')

/** A device's request to watch, already checked. */
export interface Watch {
  readonly store: RelayStore
  readonly account: string
  /** The delegations that permit it, root first. */
  readonly chain: readonly Link[]
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Called once, when the device has gone or was disconnected. */
  readonly onEnd: () => void
}

/** Sends hints until the permission is revoked. Cancelling the stream ends it. */
export function recordHints({ store, account, chain, clock, onEnd }: Watch): ReadableStream<Uint8Array> {
  let end = () => {}
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (event: Uint8Array) => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(event)
          else close()
        }
        const close = () => {
          end()
          controller.close()
        }
        /** Ends if the permission was revoked, or that can't be checked. */
        const check = async () => {
          const isRevoked = await store.hasRevoked(account, chain).catch(() => true)
          if (isRevoked && !isOver) close()
          return !isRevoked && !isOver
        }
        let isOver = false
        const unwatch = store.watch((hint) => {
          if ('account' in hint && hint.account === account) send(CHANGED_EVENT)
          if ('subject' in hint && hint.subject === account) void check()
          if ('missed' in hint)
            void wait(Math.random() * SPREAD)
              .then(check)
              .then((holds) => holds && send(CHANGED_EVENT))
        })
        const alive = setInterval(() => {
          void check().then((holds) => holds && send(aliveEvent(clock())))
        }, ALIVE)
        const longest = setTimeout(close, LONGEST_CONNECTION)
        alive.unref()
        longest.unref()
        end = () => {
          end = () => {}
          isOver = true
          unwatch()
          clearInterval(alive)
          clearTimeout(longest)
          onEnd()
        }
        send(RETRY_EVENT)
        // One hint at the start, for records that came before it watched.
        send(CHANGED_EVENT)
      },
      cancel: () => end(),
    },
    new CountQueuingStrategy({ highWaterMark: MOST_WAITING }),
  )
}
