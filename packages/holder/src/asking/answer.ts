// Answers as text (docs/requests.md, "The answer").
import { fromBase64url, toBase64url } from '../codec/text.ts'
import { refuse } from '../errors.ts'

/** The prefix of an answer as text. */
export const ANSWER = 'keyhole-answer-1.'

/**
 * Gets the token from an answer.
 * @param text an answer, or only a token's text, as a person copies it
 * @param digest of the request it must answer
 * @throws HolderError Declined, RequestRefused; InvalidAnswer if it answers another request, or isn't an answer
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
  return refuse('InvalidAnswer', "This isn't an answer to a request.")
}
