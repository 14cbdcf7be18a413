// Fields by which some servers take a request for one of another method than it has: `_method` of Rails, Laravel and Symfony, and the like.
// A call is allowed by its method, so it has none.
import { setImmediate } from 'node:timers/promises'
import { refuseCall } from '../errors.ts'

/** Forms: a server reads fields from them, whatever the request was signed as. */
export const FORM = /application\/x-www-form-urlencoded|multipart\//i
/** Names of such fields. PHP takes a dot or bracket for the line below. */
const NAME = /^\s*(?:[._[](?:http)?method|x-http-method(?:-override)?)(?![\p{L}\p{N}_-])/iu
/** How much of a body is looked at a time, and how much of it again with the next part: no header of a form is longer. In bytes. */
const PART = 1_048_576
const AGAIN = 65_536

/** @throws CallRefused MalformedCall */
export function checkNoMethod(names: readonly string[]): void {
  if (names.some((name) => NAME.test(name))) otherMethod()
}

/** Looks for such a field in the bytes of a form or of JSON. @throws CallRefused MalformedCall */
export async function checkNoMethodIn(bytes: Buffer, type: string): Promise<void> {
  const says = /multipart\//i.test(type) ? saysInParts : FORM.test(type) ? saysInForm : saysInJson
  if (!FORM.test(type) && !/json/i.test(type)) return
  for (let at = 0; at < bytes.length; at += PART) {
    const text = bytes.toString('latin1', Math.max(at - AGAIN, 0), Math.min(at + PART, bytes.length))
    const isLast = at + PART >= bytes.length
    // Spaces before a name may go back further.
    const begins = at === 0 || /^(?:\s|\+|%20)/.test(text)
    if (says(`${begins ? '&' : ''}${text}${isLast ? '&' : ''}`)) otherMethod()
    if (!isLast) await setImmediate()
  }
}

/** Letters as they stand, or as forms, headers and JSON escape them. */
function escaped(letters: string): string {
  return Array.from(letters, (letter) => {
    const codes = [letter, letter.toUpperCase()].map((each) => each.charCodeAt(0).toString(16)).join('|')
    return `\\\\?(?:${letter === '[' || letter === '.' ? `\\${letter}` : letter}|%(?:${codes})|u00(?:${codes}))`
  }).join('')
}

const FIELD = `(?:${escaped('_')}|${escaped('.')}|${escaped('[')})(?:${escaped('http')})?${escaped('method')}`
// Each takes time in proportion to the text, whatever is in it.
const IN_FORM = new RegExp(`[&;](?:\\s|\\+|%20)*${FIELD}(?:[=&;\\s+.[]|%(?:00|20|2e|5b))`, 'i')
const IN_PART = new RegExp(`(?<!file)name\\*?=(?:[\\w-]*'[\\w-]*')?["']?${FIELD}(?![\\w-])`, 'i')
const IN_JSON = new RegExp(`"${FIELD}"\\s*:`, 'i')

const saysInForm = (text: string) => IN_FORM.test(text)
const saysInJson = (text: string) => IN_JSON.test(text)

function saysInParts(text: string): boolean {
  for (const [, header = ''] of text.matchAll(/content-disposition[ \t]*:((?:[^\r\n]|\r?\n[ \t])*)/gi))
    if (IN_PART.test(header.replace(/\s/g, ''))) return true
  return false
}

function otherMethod(): never {
  return refuseCall(
    'MalformedCall',
    'Some servers read a field such as "_method" as another method than the one signed. Leave it out.',
  )
}
