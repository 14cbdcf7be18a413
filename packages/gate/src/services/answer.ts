// What a caller gets of a service's answer: without credentials, cookies, and what is between the service and the gate.
import { refuseCall } from '../errors.ts'
import { CUT, type Redactor } from '../secrets/redactor.ts'
import type { RawAnswer } from './service-client.ts'

export interface ServiceAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

const HEADERS =
  /^(?:content-type|content-language|content-range|etag|last-modified|cache-control|expires|date|retry-after|link|(?:x-)?request-id|(?:x-)?ratelimit-[a-z-]+|x-total-count|deprecation|sunset)$/

/**
 * Cuts credentials out of an answer.
 *
 * @param base of the service: a redirect to another place is not told
 * @throws CallRefused AnswerWithheld if one is in it that can't be cut out
 */
export function cleanAnswer(
  { status, headers, body }: RawAnswer,
  base: URL,
  redactor: Redactor,
): ServiceAnswer {
  if (![undefined, 'identity'].includes(headers['content-encoding']?.toString().toLowerCase())) withhold()
  const clean: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '')
    if (HEADERS.test(name)) clean[name] = redactor.text(text)
    if (name === 'location') {
      const place = placeIn(text, base)
      const cut = place === undefined ? undefined : redactor.text(place)
      if (cut !== undefined && !isInEscapes(cut, redactor)) clean.location = cut
    }
  }
  return { status, headers: clean, body: new Uint8Array(cleanBody(body, redactor)) }
}

/** Where below the service's URL a redirect leads, as calls name it. */
function placeIn(location: string, base: URL): string | undefined {
  const url = URL.canParse(location, base.href) ? new URL(location, base.href) : undefined
  const folder = base.pathname.replace(/\/$/, '')
  if (url?.origin !== base.origin || !url.pathname.startsWith(`${folder}/`)) return undefined
  return `${url.pathname.slice(folder.length)}${url.search}`
}

/** Most times that a place may be escaped. */
const MOST_ESCAPES = 4

/** Whether a credential can be read in a place once its escapes are undone. There it can't be cut out. */
function isInEscapes(place: string, redactor: Redactor): boolean {
  let read = place
  for (let times = 0; times < MOST_ESCAPES; times += 1) {
    const next = unescaped(read)
    if (next === read) return false
    if (redactor.text(next) !== next) return true
    read = next
  }
  return true
}

/** What is escaped, as text. An escape that isn't UTF-8 stays. */
function unescaped(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
}

function cleanBody(body: Buffer, redactor: Redactor): Buffer {
  if (body.length === 0) return body
  const text = textOf(body)
  if (text === undefined) {
    // Bytes: nothing can be cut out without damaging them.
    const swapped = Buffer.from(body.subarray(0, body.length & ~1)).swap16()
    const readings = [body.toString('latin1'), body.toString('utf8'), body.toString('utf16le')]
    for (const read of [...readings, swapped.toString('utf16le')])
      if (redactor.text(read) !== read) withhold()
    return body
  }
  const cut = redactor.text(text)
  // The whole text goes where one is spread over it.
  if (cut === CUT && text !== CUT) withhold()
  const value = jsonOf(cut)
  // What JSON hides in escapes or spreads over fields can be found, and not cut out.
  if (value !== undefined && !isClean(value, redactor)) withhold()
  return cut === text ? body : Buffer.from(cut)
}

function isClean(value: unknown, redactor: Redactor): boolean {
  try {
    return JSON.stringify(redactor.json(value)) === JSON.stringify(value)
  } catch {
    // It is nested too deep to be read through.
    return false
  }
}

/** The text, if it is UTF-8 and nothing else. */
function textOf(body: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function withhold(): never {
  return refuseCall(
    'AnswerWithheld',
    'The service carried out the call, but its answer has a credential in it, or is packed.',
  )
}
