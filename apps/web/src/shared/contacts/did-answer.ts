// A link that asks someone for their DID, and the link that they answer with: their DID, and the name they give themselves. What an answer
// brought is in memory alone: a reload forgets it.
import { DID_PATTERN } from '../words/did-pattern.ts'

/** Someone's answer. Anyone can write one, so neither is proven. */
export interface DidAnswer {
  readonly did: string
  /** Empty if they gave none. Not cleaned. */
  readonly name: string
}

const ASK = '/identity?tab=ask'
const ANSWER = '/identity?tab=grants'
const MARK = '#to='
const NAME = '&name='
/** Most characters after the address: the longest DIDs and names fit. */
const LONGEST = 2_000

/** The link that asks for a DID. It's the same for everyone, so that it can say nothing untrue. */
export function askLink(origin = location.origin): string {
  return `${origin}${ASK}`
}

/** Whether a text is a link that asks for a DID, whichever Keyhole it leads to. */
export function isAskLink(text: string): boolean {
  const link = text.trim()
  return /^https?:\/\/[^/?#\s]+/.test(link) && link.replace(/^https?:\/\/[^/?#\s]+/, '') === ASK
}

/**
 * The link that answers it. What follows the # is sent to no server.
 * @param name cleaned; an empty one is left out
 */
export function answerLink({ did, name }: DidAnswer, origin = location.origin): string {
  return `${origin}${ANSWER}${MARK}${did}${name === '' ? '' : NAME + encodeURIComponent(name)}`
}

/** What the part of an address after its path says, judged by its length first. @returns undefined where it is no answer */
export function readAnswer(hash: string): DidAnswer | undefined {
  if (!hash.startsWith(MARK) || hash.length > LONGEST) return undefined
  const [did = '', name = '', ...more] = hash.slice(MARK.length).split(NAME)
  if (!DID_PATTERN.test(did) || more.length > 0) return undefined
  try {
    return { did, name: decodeURIComponent(name) }
  } catch {
    return { did, name: '' }
  }
}

/** The answer in a link that was pasted or scanned, whichever Keyhole it leads to. @returns undefined if it is no such link */
export function answerIn(text: string): DidAnswer | undefined {
  const link = text.trim()
  return /^https?:\/\//.test(link) && link.includes(MARK)
    ? readAnswer(link.slice(link.indexOf(MARK)))
    : undefined
}

let latest: DidAnswer | undefined
let waiting: DidAnswer | undefined
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

/** An answer came with a link that was opened: it waits until a form takes it. */
export function bringAnswer(answer: DidAnswer): void {
  waiting = answer
  noteAnswer(answer)
}

/** Remembers an answer that a form has filled in already, because it was pasted or scanned there. */
export function noteAnswer(answer: DidAnswer): void {
  latest = answer
  tell()
}

/** The answer that no form has taken yet. */
export function waitingAnswer(): DidAnswer | undefined {
  return waiting
}

/** A form has filled in the answer. */
export function takeAnswer(): void {
  waiting = undefined
  tell()
}

/** The answer that came last, whether a form has taken it or not. */
export function latestAnswer(): DidAnswer | undefined {
  return latest
}

/** Tells whenever an answer comes or is taken. @returns the unsubscribe */
export function onAnswer(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The name that came with a DID in the latest answer, as its sender wrote it; undefined if there was none. */
export function nameToldBy(did: string): string | undefined {
  return latest?.did === did && latest.name !== '' ? latest.name : undefined
}
