import type { PaymentRecord } from '@keyhole/vault'
import * as v from 'valibot'

// What the service worker says (sw/open-payment.ts), parsed strictly because it may be a different version.

const asked = v.strictObject({
  origin: v.string(),
  value: v.string(),
  currency: v.string(),
  order: v.string(),
  receiptKey: v.exactOptional(v.string()),
})

const request = v.union([
  v.strictObject({ payment: asked, timeLimit: v.number() }),
  v.strictObject({
    problem: v.picklist(['frame', 'method', 'malformed']),
    origin: v.optional(v.string()),
    timeLimit: v.number(),
  }),
])

export const workerMessage = v.variant('type', [
  v.strictObject({ type: v.literal('nothing') }),
  v.strictObject({ type: v.literal('request'), request, until: v.number(), life: v.string() }),
  v.strictObject({ type: v.literal('sign') }),
  v.strictObject({ type: v.literal('not claimed') }),
  v.strictObject({ type: v.literal('claimed before') }),
  v.strictObject({ type: v.literal('ended'), status: v.picklist(['timeout', 'aborted', 'answered']) }),
])

/** A payment as the site asks for it, exactly as the browser passed it on. */
export type Asked = Readonly<v.InferOutput<typeof asked>>

/** Why a request can't become a payment to approve. */
export type RequestProblem = 'frame' | 'method' | 'malformed'

/** What this window is for. */
export type WindowState =
  | { readonly phase: 'asking' }
  /** Nothing: it was opened by hand, or reloaded. */
  | { readonly phase: 'nothing' }
  /** @property until when the site stops waiting, in milliseconds since 1970 */
  | { readonly phase: 'payment'; readonly asked: Asked; readonly until: number }
  | { readonly phase: 'problem'; readonly problem: RequestProblem; readonly origin: string | undefined }
  /** The site has its answer, or no longer waits. */
  | { readonly phase: 'ended'; readonly how: 'timeout' | 'aborted' | 'answered' | 'claimed before' }
  /** The service worker is gone, and the connection to the site with it. The site got nothing that was signed. */
  | {
      readonly phase: 'ended'
      readonly how: 'lost'
      readonly signed: PaymentRecord | 'nothing' | 'unknown'
    }
