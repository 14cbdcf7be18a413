import type { OwnRefusalWhy } from '@keyhole/vault'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { shorten } from '../who.ts'

/** What a refusal's reason is about. */
export interface WhyArgs {
  readonly payee?: string
}

/** What a refusal with several reasons was about, in words, by `args.why`. It goes between the refusal's title and its advice. */
export const WHY: {
  readonly [Why in OwnRefusalWhy]: MessageDescriptor | ((args: WhyArgs) => MessageDescriptor)
} = {
  // InvalidPayment and UnknownMandate.
  ReceiptKey: msg`The key that this site names for its receipt is no did:key.`,
  Unattended: msg`Without a mandate, a person has to approve each payment.`,

  // InvalidReceipt.
  NoOutcome: msg`It doesn’t say whether the order was carried out.`,
  NotOwnWord: msg`It doesn’t speak for the one who signed it.`,
  NotReceipt: msg`It is something other than a receipt.`,
  OtherExecutor: ({ payee = '' }) => msg`It isn’t from ${shorten(payee)}, whom you paid.`,
}
