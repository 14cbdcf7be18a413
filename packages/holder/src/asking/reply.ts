// How an answer comes back (docs/requests.md). A way of its own is a module of its own: `@keyhole/holder/loopback`, `@keyhole/holder/mailbox`.

/** Where an answer goes, as a request says it. */
export type Reply =
  | { readonly loopback: string }
  | { readonly redirect: string }
  | { readonly relay: string; readonly mailbox: string; readonly key: string }

/** A way back that is open. */
export interface OpenReply {
  /** What the request says of it. */
  readonly reply: Reply
  /**
   * Waits for the answer's text.
   *
   * @param digest of the request, 32 bytes: the answer is bound to it
   * @throws HolderError RequestExpired, RelayFailed, InvalidAnswer; the signal's reason
   */
  receive(digest: Uint8Array<ArrayBuffer>): Promise<string>
}

/**
 * Opens a way back, before the request is made.
 *
 * @param signal closes it: there is an answer, or nobody waits for one any more
 * @throws HolderError RelayFailed; the signal's reason
 */
export type ReplyWay = (signal: AbortSignal) => Promise<OpenReply>
