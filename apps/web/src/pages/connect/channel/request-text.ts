import { fromBase64Url } from '@keyhole/vault/base64url'
import { readJson } from '../../../shared/policy/json.ts'
import { invalid, LONGEST, type ReadRequest, readPlain } from './request.ts'

/** With what a request as text begins. */
const BEGIN = 'keyhole-request-1.'
const CUT_OFF = 'This text is cut off, was changed, or is no JSON that can be read in one way alone.'

/** A request as text, or the link that carries it, as someone pasted it or opened it. What is signed is what stands in it, to the digit. */
export function readRequestText(text: string): ReadRequest {
  const [, body] = new RegExp(`${BEGIN.replaceAll('.', '\\.')}([\\w-]+)\\s*$`).exec(text.trim()) ?? []
  if (body === undefined) return invalid('This text is no request.')
  const bytes = fromBase64Url(body)
  if (bytes === undefined) return invalid(CUT_OFF)
  if (bytes.length > LONGEST) return invalid(`The request is longer than ${LONGEST} bytes.`)
  try {
    const read = readJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    if ('value' in read) return readPlain(read.value)
  } catch {
    // No UTF-8.
  }
  return invalid(CUT_OFF)
}
