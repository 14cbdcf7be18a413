// Answers as text (docs/requests.md, "The answer").
import { fromBase64url, toBase64url } from '../codec/text.ts'
import { refuse } from '../errors.ts'

/** With what an answer as text begins. */
export const ANSWER = 'keyhole-answer-1.'

/**
 * The token in an answer.
 *
 * @param text an answer, or the text of a token alone: what a person copies
 * @param digest of the request that it has to answer
 * @throws HolderError Declined, RequestRefused; InvalidAnswer for another request's, or for no answer
 */
export function readAnswer(text: string, digest: Uint8Array): string {
  const letters = text.replace(/\s/g, '')
  if (!letters.startsWith(ANSWER)) return letters
  const { request, token, refused, message } = parse(letters.slice(ANSWER.length))
  if (request !== toBase64url(digest)) return refuse('InvalidAnswer', 'This answers another request.')
  if (typeof token === 'string') return token
  const said = typeof message === 'string' ? message.slice(0, 300) : ''
  if (refused === 'DECLINED') return refuse('Declined', said || 'The person said no.')
  return typeof refused === 'string' ? refuse('RequestRefused', said || refused.slice(0, 40)) : unreadable()
}

/** Whether a text is an answer to this request. */
export function answersRequest(text: string, digest: Uint8Array): boolean {
  try {
    return text.startsWith(ANSWER) && parse(text.slice(ANSWER.length)).request === toBase64url(digest)
  } catch {
    return false
  }
}

function parse(text: string): { [name in 'request' | 'token' | 'refused' | 'message']?: unknown } {
  try {
    const bytes = fromBase64url(text)
    return Object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    return unreadable()
  }
}

function unreadable(): never {
  return refuse('InvalidAnswer', 'This is no answer to a request.')
}
