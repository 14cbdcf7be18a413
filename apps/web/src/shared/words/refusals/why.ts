import type { RefusalReason } from '@keyhole/enclave'
import type { OwnRefusalWhy } from '@keyhole/vault'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { shorten } from '../who.ts'

/** What a refusal's reason is about. */
export interface WhyArgs {
  readonly payee?: string
}

/** The reason of a refusal that has several, in words, by `args.why`. It goes between the refusal's title and its advice. */
export const WHY: {
  readonly [Why in OwnRefusalWhy | RefusalReason]: MessageDescriptor | ((args: WhyArgs) => MessageDescriptor)
} = {
  // InvalidPayment and UnknownMandate.
  ReceiptKey: msg`The key this site names for its receipt isn’t a did:key.`,
  Unattended: msg`Without a mandate, a person has to approve each payment.`,

  // InvalidReceipt.
  NoOutcome: msg`It doesn’t say whether the order was carried out.`,
  NotOwnWord: msg`It doesn’t speak for the one who signed it.`,
  NotReceipt: msg`It is something other than a receipt.`,
  OtherExecutor: ({ payee = '' }) => msg`It isn’t from ${shorten(payee)}, whom you paid.`,

  // Texts and tokens.
  AlgorithmUnknown: msg`It’s signed in a way that Keyhole doesn’t know: it knows Ed25519, ES256 and ES256K.`,
  AsksForSomething: msg`It asks for something to be done, and passes nothing on.`,
  CarriedOutBefore: msg`It was carried out before: each one counts once.`,
  Circle: msg`Its grants go in a circle, so none of them is the last.`,
  ContainerDamaged: msg`This token is damaged, cut off, or too large when unpacked.`,
  ContainerTooLarge: msg`This token is too large.`,
  EmptyContainer: msg`There is nothing in this token.`,
  EndsBeforeStart: msg`It would expire before it starts.`,
  Jwt: msg`This is a JWT, as UCAN used before version 1.0. Keyhole reads UCAN 1.0.0: ask its issuer for a new one.`,
  KeyNotIssuers: msg`The key given isn’t its issuer’s.`,
  LetterAmiss: msg`This token has a letter that does not belong, or was cut off.`,
  NoContainer: msg`This isn’t a token. Copy all of it and try again.`,
  NoDelegationHere: msg`There is no grant in it.`,
  NoEnvelope: msg`It isn’t built like a token.`,
  NoInvocation: msg`There’s no request in it: a grant only says what’s allowed.`,
  NoProof: msg`No grant allows it.`,
  NotAmongThese: msg`The token that was asked for isn’t in it.`,
  NotToken: msg`This isn’t a valid token. Copy all of it and try again.`,
  NoToken: msg`There is no token here.`,
  Powerline: msg`Its first grant names no subject, and nothing can start there.`,
  RevokeNotNamed: msg`The first grant, signed by the owner, doesn’t name the grant to revoke.`,
  SeveralChains: msg`More than one chain leads to its last grant, so we can’t tell which limits apply.`,
  SeveralInvocations: msg`It has more than one request, so we can’t tell which one is meant.`,
  SeveralLeaves: msg`It has more than one last grant, so we can’t tell which one is meant.`,
  TextTooLong: msg`This text is too long to be a token.`,
  TokenTooLong: msg`It is longer than a megabyte, the most a token may be.`,

  // Payments and mandates.
  AnsweredBefore: msg`It was answered before: each one is good for one payment.`,
  ArgumentInvalid: msg`It has a value that a payment can’t have.`,
  BudgetBelowLeast: msg`The budget is less than its smallest payment.`,
  BudgetTooSmall: msg`What is left of this period isn’t enough for this payment.`,
  BudgetWithoutLimit: msg`A budget says how much, how many payments, or both.`,
  EndsBeforeMade: msg`It would have expired before it is made.`,
  LeastAboveMost: msg`The minimum of a payment is more than the maximum.`,
  LimitAboveBudget: msg`The limit of one payment is more than the whole budget, so no payment could be that large.`,
  MandateEnded: msg`It was ended.`,
  MandateExpired: msg`It has expired.`,
  MandateKeyGone: msg`The key that it was made with is gone.`,
  MandateNotYet: msg`It hasn’t started yet.`,
  MandateSuspended: msg`It is suspended until you resume it.`,
  MandateWithoutPayee: msg`It names no payee, so nothing is paid under it. End it, and create one that names its payees.`,
  MayBeAnswered: msg`It may have been answered before the clock was set back. Ask with a new one, or for longer.`,
  MinutesInvalid: msg`It doesn’t say how many minutes it’s valid for, or says too many.`,
  MoneyInvalid: msg`Keyhole can’t read its amount or its currency.`,
  NoCount: msg`This vault doesn’t count such a mandate.`,
  NoPaymentRequest: msg`It asks for something other than a payment.`,
  NoPayments: msg`A budget of payments allows at least one.`,
  OrderInvalid: msg`It names no order, or one that is too long.`,
  OriginInvalid: msg`The site isn’t a web address.`,
  OtherCurrency: msg`It is in another currency than the mandate.`,
  OtherPayee: msg`The mandate doesn’t name this payee.`,
  OthersMandate: msg`It’s someone else’s mandate, so the vault approves nothing with it on its own.`,
  OwnMandateInChain: msg`A mandate in its chain belongs to the vault itself, and no one else can use it.`,
  PayeeInvalid: msg`The payee isn’t a DID.`,
  PayeeNeeded: msg`A mandate for the vault itself has to name who may be paid, or any site is paid that asks.`,
  PaymentSize: msg`It is more, or less, than the mandate allows for one payment.`,
  RequestTooLong: msg`A request for a payment holds for an hour at most.`,
  SeveralMandates: msg`It is under more than one mandate. Ask under a single one.`,
  TooManyPayees: msg`A mandate names at most 32 payees.`,
  UnderNoMandate: msg`It is under no mandate that this vault counts.`,
}
