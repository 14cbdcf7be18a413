import { ConnectError } from './errors.ts'
import { isReady, PROTOCOL, readAnswer } from './messages.ts'
import {
  type CapabilityRequest,
  type ConnectRequest,
  capabilityRequest,
  type PaymentRequest,
  paymentRequest,
} from './request.ts'
import { vaultDocument } from './text.ts'

/** Whom to ask, and how long to wait. */
export interface ConnectOptions {
  /** The vault's origin, such as `https://vault.example`. The rest of the URL is ignored. */
  readonly vault: string | URL
  /** Stops waiting, closes the window, and rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /**
   * In milliseconds. `Infinity`, or more than a timer allows (24.8 days), waits as long as possible. Default: ten
   * minutes.
   */
  readonly timeout?: number
}

/** How often to check whether the window is still open, in milliseconds, because there is no event for it. */
const LOOK = 250
const TEN_MINUTES = 600_000
/** The maximum for a timer; with more it fires at once (WHATWG HTML, 8.6). */
const LONGEST_TIMEOUT = 2 ** 31 - 1

/**
 * Asks the person's vault for a capability in a window of the vault. Call it from a click, because browsers block other
 * windows.
 * The page needs no isolation, and must not send `Cross-Origin-Opener-Policy: same-origin`, because the window could
 * not answer then (`same-origin-allow-popups` is fine). Each request gets its own window.
 * @returns the token: the container text of a UCAN 1.0 delegation to `audience`. It may be narrower than requested, so
 *   read it.
 * @throws ConnectError by its `code`: INVALID_REQUEST, TOO_BROAD, BLOCKED, CLOSED, DECLINED, UNSUPPORTED, TIMEOUT
 * @throws the signal's reason if it was aborted
 */
export async function requestCapability(request: CapabilityRequest & ConnectOptions): Promise<string> {
  return await ask(capabilityRequest(request), request, window)
}

/**
 * Asks the vault to sign a payment under a mandate with a budget, which that vault counts; otherwise like {@link
 * requestCapability}.
 * @returns the authorisation: the container text of an invocation of `/payment/authorize`, for the payee
 * @throws ConnectError by its `code`: INVALID_REQUEST, BLOCKED, CLOSED, DECLINED, UNSUPPORTED, TIMEOUT
 * @throws the signal's reason if it was aborted
 */
export async function requestPayment(request: PaymentRequest & ConnectOptions): Promise<string> {
  return await ask(paymentRequest(request), request, window)
}

/**
 * Opens the vault's window, sends it the request and a port once it listens, and waits for the answer on that port. The
 * window opens at once, even if the request isn't ready.
 */
export function ask(
  request: ConnectRequest | Promise<ConnectRequest>,
  { vault, signal, timeout = TEN_MINUTES }: ConnectOptions,
  own: Window,
): Promise<string> {
  signal?.throwIfAborted()
  const url = vaultDocument(vault)
  const opened = own.open(url.href, '_blank', 'popup,width=480,height=880')
  if (!opened) {
    throw new ConnectError('BLOCKED', 'The browser did not open the vault’s window. Ask again from a click.')
  }
  return new Promise((resolve, reject) => {
    let isListening = false
    let isGone = false
    let port: MessagePort | undefined
    const end = (settle: () => void) => {
      own.removeEventListener('message', hear)
      signal?.removeEventListener('abort', abort)
      clearInterval(looking)
      clearTimeout(waiting)
      port?.close()
      opened.close()
      settle()
    }
    const fail = (error: unknown) => end(() => reject(error))
    const abort = () => fail(signal?.reason)
    const answer = ({ data }: MessageEvent<unknown>) => {
      const read = readAnswer(data)
      if (read?.type === 'granted') return end(() => resolve(read.token))
      if (read) return fail(new ConnectError(read.code, read.message))
      fail(
        new ConnectError(
          'UNSUPPORTED',
          'The vault’s answer can’t be read: it uses another version. Update @keyhole/connect.',
        ),
      )
    }
    const hear = ({ data, origin, source }: MessageEvent<unknown>) => {
      // The origin shows that it is the vault, the source that it is this window and not another of the vault's.
      if (source !== opened || origin !== url.origin || !isReady(data)) return
      // A reloaded window starts over, and its old port is dead.
      isListening = true
      port?.close()
      const channel = new MessageChannel()
      port = channel.port1
      port.onmessage = answer
      const send = (whole: ConnectRequest) => {
        // The window was reloaded in the meantime: its new port sends the request.
        if (port !== channel.port1) return
        opened.postMessage({ protocol: PROTOCOL, type: 'request', request: whole }, url.origin, [
          channel.port2,
        ])
      }
      if (request instanceof Promise) void request.then(send, () => {})
      else send(request)
    }
    const look = () => {
      if (!opened.closed) return
      // An answer may still be on its way, so check once more.
      if (isGone) fail(new ConnectError('CLOSED', isListening ? CLOSED : NEVER_HEARD))
      isGone = true
    }
    const looking = setInterval(look, LOOK)
    const waiting = setTimeout(
      () => {
        fail(new ConnectError('TIMEOUT', 'No one decided in the vault’s window in time.'))
      },
      Math.min(timeout, LONGEST_TIMEOUT),
    )
    signal?.addEventListener('abort', abort)
    own.addEventListener('message', hear)
    if (request instanceof Promise) request.catch(fail)
  })
}

const CLOSED = 'The vault’s window was closed before anything was decided in it.'
const NEVER_HEARD =
  'The vault’s window was closed, or cannot be heard: a page with `Cross-Origin-Opener-Policy: same-origin` hears nothing of the windows it opens.'
