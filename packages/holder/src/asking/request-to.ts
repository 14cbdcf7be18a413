import { type Request, writeRequest } from './request.ts'
import { digestOf, shortCode } from './short-code.ts'

/** A request as a person gets it. */
export interface WrittenRequest {
  /** Opens the request in the vault. */
  readonly link: string
  /** The same as text, to paste into the vault. */
  readonly text: string
  /** The vault shows this code too, so that the person can compare them. */
  readonly code: string
}

/**
 * Writes a request for a grant to someone else's key, for a service that refused their call. The person hands the grant over.
 * @param audience DID of that key
 * @throws HolderError InvalidInput
 */
export async function requestTo(audience: string, request: Request): Promise<WrittenRequest> {
  const { text, link } = writeRequest(request, audience, undefined)
  return { text, link, code: await shortCode(await digestOf(text)) }
}
