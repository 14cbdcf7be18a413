import { ConnectError } from './errors.ts'
import { type CapabilityRequest, capabilityRequest, type PaymentRequest, paymentRequest } from './request.ts'

/** With what a request as text begins. */
const BEGIN = 'keyhole-request-1.'

/** The document of a vault that answers requests. @throws ConnectError INVALID_REQUEST for what is no URL of https, or of this machine */
export function vaultDocument(vault: string | URL): URL {
  let url: URL
  try {
    url = new URL('/connect', vault)
  } catch (cause) {
    throw new ConnectError('INVALID_REQUEST', '`vault` is no URL.', { cause })
  }
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isHere)) return url
  throw new ConnectError('INVALID_REQUEST', '`vault` is no URL of https.')
}

/**
 * A request as text, for those who have no window: an agent, a device, a command line. It can be pasted into `/connect` of any vault;
 * the answer is shown there, as text and as a QR code. It is not encrypted, and holds no secret.
 *
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
 * A request as a link, or as what a QR code says. It stands behind the `#`: no server is told of it.
 *
 * @param vault the vault's origin
 * @throws ConnectError INVALID_REQUEST, TOO_BROAD
 */
export function requestLink(vault: string | URL, request: CapabilityRequest | PaymentRequest): string {
  const url = vaultDocument(vault)
  url.hash = requestText(request)
  return url.href
}
