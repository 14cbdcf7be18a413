import type { KeyVault } from '@keyhole/vault'
import { toBase64Url } from '@keyhole/vault/base64url'
import { isReachable, type ReplyAddress } from '../../../shared/requests/reply-address.ts'
import { whenOpened } from '../../../shared/vault/is-opening.ts'
import { digestOf } from './short-code.ts'

/** How a text answer starts. */
const BEGIN = 'keyhole-answer-1.'
/** How long the relay may take, in milliseconds. */
const PATIENCE = 15_000

/** What the person decided. */
export type Answer = { readonly token: string } | { readonly refused: 'DECLINED'; readonly message: string }

/** What happened to the answer. */
export type Sent =
  /** Delivered where the request said. */
  | 'sent'
  /** The ten minutes are over. */
  | 'expired'
  /** Someone else has filled the mailbox. */
  | 'taken'
  /** The answer is longer than a mailbox takes. */
  | 'too-long'
  /** The relay can't be reached, or the answer can't be sealed. */
  | 'failed'
  /** This vault can't send there. */
  | 'elsewhere'

/**
 * Sends the answer where the request said: sealed by the enclave and put into the mailbox, or in this window's address after the `#`. Never
 * fails.
 * @param request its text, which the answer is bound to
 */
export async function sendAnswer(
  vault: KeyVault,
  request: string,
  to: ReplyAddress,
  answer: Answer,
): Promise<Sent> {
  try {
    const digest = toBase64Url(await digestOf(request))
    const json = JSON.stringify({ request: digest, ...answer })
    if ('relay' in to)
      return isReachable(to) ? await leave(vault, to, { answer: json, request: digest }) : 'elsewhere'
    const url = 'loopback' in to ? to.loopback : to.redirect
    // Going back must not lead to an answered request.
    history.replaceState(history.state, '', location.pathname)
    location.assign(`${url}#${BEGIN}${toBase64Url(new TextEncoder().encode(json))}`)
    return 'sent'
  } catch {
    return 'failed'
  }
}

async function leave(
  vault: KeyVault,
  { relay, mailbox, key }: Extract<ReplyAddress, { relay: string }>,
  what: { readonly answer: string; readonly request: string },
): Promise<Sent> {
  // A request can be declined before the vault is ready.
  await whenOpened(vault)
  const { sealed: message } = await vault.sessions.sealAnswer({ ...what, mailbox, key })
  const { status } = await fetch(`${relay.replace(/\/$/, '')}/mailboxes/message`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ mailbox, message }),
    credentials: 'omit',
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE),
  })
  return STATUSES[status] ?? 'failed'
}

const STATUSES: Readonly<Record<number, Sent>> = {
  204: 'sent',
  404: 'expired',
  409: 'taken',
  413: 'too-long',
}
