import { ConnectError } from './errors.ts'
import { type CapabilityRequest, capabilityRequest, type PaymentRequest, paymentRequest } from './request.ts'

/** The prefix of a request as text. */
const BEGIN = 'keyhole-request-1.'

/**
 * The document of a vault that answers requests. @throws ConnectError INVALID_REQUEST unless it's an https URL, or on
 * this machine
 */
export function vaultDocument(vault: string | URL): URL {
  let url: URL
  try {
    url = new URL('/connect', vault)
  } catch (cause) {
    throw new ConnectError('INVALID_REQUEST', '`vault` must be a URL.', { cause })
  }
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isHere)) return url
  throw new ConnectError('INVALID_REQUEST', '`vault` must be an https URL.')
}

/**
 * A request as text, for programs without a window: an agent, a device, a command line. It can be pasted into
 * `/connect` of any vault, which shows the answer as text and as a QR code. It is not encrypted, and contains no
 * secret.
 * @returns `keyhole-request-1.` and the request's JSON in base64url
 * @throws ConnectError INVALID_REQUEST, TOO_BROAD
 */
export function requestText(request: CapabilityRequest | PaymentRequest): string {
  const whole = 'invocation' in request ? paymentRequest(request) : capabilityRequest(request)
  let binary = ''
  for (const byte of new TextEncoder().encode(JSON.stringify(whole))) binary += String.fromCharCode(byte)
  return BEGIN + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * A request as a link, also for a QR code. The request is after the `#`, so no server sees it.
 * @param vault the vault's origin
 * @throws ConnectError INVALID_REQUEST, TOO_BROAD
 */
export function requestLink(vault: string | URL, request: CapabilityRequest | PaymentRequest): string {
  const url = vaultDocument(vault)
  url.hash = requestText(request)
  return url.href
}
