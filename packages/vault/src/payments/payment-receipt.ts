import * as v from 'valibot'
import { refused, refusedToken } from '../base/errors.ts'
import { invocationPayload } from '../enclave/invocation.ts'
import type { PaymentReceipt, PaymentRecord } from '../enclave/payment.ts'
import type { VaultContext } from '../session/context.ts'

/** The command of a receipt (UCAN Receipt, draft). */
const ASSERT = '/ucan/assert'

/** A receipt's arguments: what it is about, and exactly one outcome. */
const receiptArgs = v.looseObject({
  about: v.strictObject({ '/': v.string() }),
  facts: v.looseObject({
    out: v.union([v.strictObject({ ok: v.unknown() }), v.strictObject({ error: v.unknown() })]),
  }),
})

/** A receipt's contents, before its signature has been checked. */
export interface ClaimedReceipt {
  readonly token: string
  readonly cid: string
  /** DID of the expected signer. */
  readonly executor: string
  /** CID of the task it is about. */
  readonly task: string
  readonly outcome: PaymentReceipt['outcome']
}

/** @throws VaultError OPERATION_FAILED: `InvalidReceipt`, or the token error's name if the text can't be read */
export async function readReceipt({ client }: VaultContext, text: string): Promise<ClaimedReceipt> {
  const { tokens } = await client.inspectToken(text)
  const [only] = tokens.length === 1 ? tokens : []
  const payload = v.safeParse(invocationPayload, only?.payload)
  if (!only || !payload.success || payload.output.cmd !== ASSERT) {
    throw refused('InvalidReceipt', { why: 'NotReceipt' })
  }
  const { iss, sub, args } = payload.output
  if (iss !== sub) throw refused('InvalidReceipt', { why: 'NotOwnWord' })
  const said = v.safeParse(receiptArgs, args)
  if (!said.success) throw refused('InvalidReceipt', { why: 'NoOutcome' })
  const { about, facts } = said.output
  const outcome = 'ok' in facts.out ? 'ok' : 'error'
  return { token: text.trim(), cid: only.cid, executor: iss, task: about['/'], outcome }
}

/**
 * Checks that a receipt is the payee's own: signed by its `did:web`, or by the key named in the request.
 * @throws VaultError OPERATION_FAILED: `InvalidReceipt`, or the name of the broken rule
 */
export async function checkReceipt(
  context: VaultContext,
  receipt: ClaimedReceipt,
  payment: PaymentRecord,
): Promise<void> {
  const { token, executor } = receipt
  if (executor !== payment.payee && executor !== payment.receiptKey) {
    throw refused('InvalidReceipt', { why: 'OtherExecutor', payee: payment.payee })
  }
  const verdict = await context.client.validateInvocation({ invocation: token })
  if (verdict.valid) return
  throw refusedToken(verdict.error)
}
