import { fromBase64Url } from '@keyhole/vault/base64url'
import { readJson } from '../policy/json.ts'
import { BEGIN, requestIn } from '../text/request-in.ts'
import { invalid, LONGEST, type ReadRequest, readPlainText } from './request.ts'

const CUT_OFF = 'This text was cut off or changed, or it is not valid JSON. Each name may appear only once.'

/** Reads a text request, or a link with one, that someone pasted or opened. What is signed is exactly what it contains, to the digit. */
export function readRequestText(text: string): ReadRequest {
  const request = requestIn(text)
  if (request === undefined) return invalid('This text is not a request.')
  const bytes = fromBase64Url(request.slice(BEGIN.length))
  if (bytes === undefined) return invalid(CUT_OFF)
  if (bytes.length > LONGEST) return invalid(`The request is longer than ${LONGEST} bytes.`)
  try {
    const read = readJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    if ('value' in read) return readPlainText(read.value)
  } catch {
    // Not UTF-8.
  }
  return invalid(CUT_OFF)
}
