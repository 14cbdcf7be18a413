import { msg } from '@lingui/core/macro'
import type { Told } from './by-code.ts'

/** Why a payment failed, by the engine's name for it. Details go between title and advice. */
export const PAYMENT_REFUSALS = {
  InvalidPayment: {
    title: msg`Keyhole can’t authorise this payment.`,
    advice: msg`Nothing was signed. Tell the site or app that asked.`,
  },
  InvalidMandate: {
    title: msg`A mandate like this can’t be created.`,
    advice: msg`Change it and sign it again.`,
  },
  UnknownMandate: {
    title: msg`This mandate isn’t in this vault.`,
    advice: msg`Nothing was signed. It may have been made in another vault.`,
  },
  OutsideMandate: {
    title: msg`The mandate does not allow this payment.`,
    advice: msg`Nothing was signed, and nothing counted.`,
  },
  BudgetExceeded: {
    title: msg`The budget is used up.`,
    advice: msg`Nothing was signed. It can be asked for again once the next period begins, or for less.`,
  },
  MandateSuspended: {
    title: msg`The mandate is suspended.`,
    advice: msg`Nothing was signed. Look at what was spent under Payments, resume the mandate there, and do it again.`,
  },
  MandateEnded: {
    title: msg`The mandate has ended.`,
    advice: msg`Nothing was signed. Create a new one if you still need it.`,
  },
  RequestNotNoted: {
    title: msg`The browser could not note this request down.`,
    advice: msg`Nothing was signed, because it might be signed twice. Free some space on this device, and approve it again.`,
  },
  OtherPayment: {
    title: msg`What was signed is not what was shown.`,
    advice: msg`The site didn’t get it. You’ll find it under Payments.`,
  },
  BegunElsewhere: {
    title: msg`This payment was begun in another vault.`,
    advice: msg`Only that vault knows what came of it. Go back to it, or decline and look there.`,
  },
  UnknownPayment: {
    title: msg`The receipt is about no payment of this vault.`,
    advice: msg`It was not saved. Ask the shop which payment it is for.`,
  },
  ReceiptExists: {
    title: msg`This payment has a receipt already.`,
    advice: msg`The first one counts, and this one wasn’t saved.`,
  },
} as const satisfies Readonly<Record<string, Told<unknown>>>

export type PaymentRefusalName = keyof typeof PAYMENT_REFUSALS
