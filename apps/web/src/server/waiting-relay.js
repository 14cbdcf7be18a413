// A relay whose store can't be reached yet. Until it can, it answers that it is unavailable.
import { setTimeout as pause } from 'node:timers/promises'
import { answerUnavailable } from '@keyhole/relay/node'

/** Pause before the store is tried again, in milliseconds. */
const BETWEEN = 2_000
/**
 * @typedef {object} OpenedRelay
 * @property {string} store
 * @property {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => void} handle
 * @property {() => Promise<void>} close
 */

/**
 * Opens a relay, now or as soon as its store can be reached.
 * @param {() => Promise<OpenedRelay>} open opens it, or says why it can't
 * @param {string} place where it stores its data, for people
 */
export async function openWhenReachable(open, place) {
  const ended = new AbortController()
  /** @type {OpenedRelay | undefined} */
  let opened
  /** Why it waited, each told once. With several servers the reasons may alternate. @type {Set<string>} */
  const told = new Set()

  async function attempt() {
    try {
      opened = await open()
      if (told.size > 0) console.log(`The relay is up. It stores mailboxes and revocations in ${place}.`)
    } catch (error) {
      const text = textOf(error)
      if (!told.has(text))
        console.error('The relay waits until its store can be reached, and answers 503 until then.', error)
      told.add(text)
    }
  }

  async function keepTrying() {
    while (!opened && !ended.signal.aborted) {
      await pause(BETWEEN, undefined, { signal: ended.signal }).catch(() => {})
      if (!ended.signal.aborted) await attempt()
    }
  }

  await attempt()
  const trying = keepTrying()
  return {
    /** Undefined while it waits. */
    get store() {
      return opened?.store
    },
    /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
    handle(request, response) {
      const handle = opened?.handle ?? answerUnavailable
      handle(request, response)
    },
    async close() {
      ended.abort()
      await trying
      await opened?.close()
    },
  }
}

/** An error's messages: that of a refused login is in the cause. @param {unknown} error @returns {string} */
function textOf(error) {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message} ${textOf(error.cause)}`
}
