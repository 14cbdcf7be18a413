// How an answer comes back (docs/requests.md). Each way is a separate module: `@keyhole/holder/loopback`,
// `@keyhole/holder/mailbox`.

/** Where to send an answer, as a request says it. */
export type Reply =
  | { readonly loopback: string }
  | { readonly redirect: string }
  | { readonly relay: string; readonly mailbox: string; readonly key: string }

/** An open way for the answer to come back. */
export interface OpenReply {
  /** Its part of the request. */
  readonly reply: Reply
  /** White space at the end of the request's JSON, for a way that has no other random part: no one may guess the request's digest. */
  readonly salt?: string
  /**
   * Waits for the answer's text.
   * @param digest of the request, 32 bytes: the answer is bound to it
   * @throws HolderError RequestExpired, RelayFailed, InvalidAnswer; the signal's reason
   */
  receive(digest: Uint8Array<ArrayBuffer>): Promise<string>
}

/**
 * Opens a way for the answer to come back, before the request is made.
 * @param signal closes it, once there is an answer or no one waits any more
 * @throws HolderError RelayFailed; the signal's reason
 */
export type ReplyWay = (signal: AbortSignal) => Promise<OpenReply>
