// What a link brought to this page. It is in memory alone: a reload forgets it.
import { bringAnswer, readAnswer } from '../contacts/did-answer.ts'

/** Most characters of a token in a link. Messengers and QR readers cut longer links, and a file takes any length. */
export const LONGEST_IN_LINK = 32_768
/** Shorter than any delegation. */
const SHORTEST = 160
/** What a token's own text looks like (Container 0.1.0, base64url). Nothing else is taken from a link, so nothing is decoded. */
const CONTAINER = /^[CP][A-Za-z0-9_-]+$/

/** Where a link's page is: it checks tokens, with a vault and without one. */
const PLACE = '/identity?tab=check'
const MARK = '#token='
/** After the token: a secret with which its holder may say that they opened the link. 16 bytes as base64url. */
const OPENED = /&opened=([\w-]{21}[AQgw])$/

const LONGEST_OPENED = '&opened='.length + 22

/** What a link brought: a token's text that is still to be checked, or why it is none. */
export type HandedOver =
  | { readonly text: string; readonly secret?: string }
  | { readonly problem: 'too-long' | 'no-token' }

/**
 * A link that hands a token over. What follows the # stays in the browser that opens it.
 * @param secret with which its holder may say that they opened it
 * @returns undefined where the token is too long
 */
export function linkFor(token: string, secret?: string, origin = location.origin): string | undefined {
  const opened = secret === undefined ? '' : `&opened=${secret}`
  return token.length > LONGEST_IN_LINK ? undefined : `${origin}${PLACE}${MARK}${token}${opened}`
}

/** What the part of an address after its path says, judged by its length first. @returns undefined where it is about something else */
export function readFragment(hash: string): HandedOver | undefined {
  if (!hash.startsWith(MARK)) return undefined
  const [, secret] = OPENED.exec(hash.slice(-LONGEST_OPENED)) ?? []
  const end = hash.length - (secret === undefined ? 0 : LONGEST_OPENED)
  const length = end - MARK.length
  if (length > LONGEST_IN_LINK) return { problem: 'too-long' }
  const text = hash.slice(MARK.length, end)
  if (length < SHORTEST || !CONTAINER.test(text)) return { problem: 'no-token' }
  return secret === undefined ? { text } : { text, secret }
}

let handed: HandedOver | undefined
const listeners = new Set<() => void>()

/** What a link brought last; undefined where there was none, or it was put away. */
export function handedOver(): HandedOver | undefined {
  return handed
}

/** Tells whenever that changes. @returns the unsubscribe */
export function onHandedOver(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function put(next: HandedOver | undefined): void {
  handed = next
  for (const listener of listeners) listener()
}

/** Forgets what a link brought, once the person has seen to it. */
export function putHandedOverAway(): void {
  put(undefined)
}

/** Takes what is in the address, and takes it out of there: out of the bar and the entry of the history. */
function take(): void {
  const found = readFragment(location.hash)
  const answer = readAnswer(location.hash)
  if (found === undefined && answer === undefined) return
  history.replaceState(history.state, '', location.pathname + location.search)
  if (found) put(found)
  if (answer) bringAnswer(answer)
}

/**
 * Takes tokens and answers with a DID out of this page's address: the one that it was opened with, and those that are put there later.
 * Called before the router listens, so that no address that the client keeps or remembers has one in it.
 */
export function takeHandedOver(): void {
  take()
  addEventListener('popstate', take)
}
