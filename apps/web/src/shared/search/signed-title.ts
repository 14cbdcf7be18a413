import { t } from '@lingui/core/macro'
import type { FoundToken } from '../search-index/token-messages.ts'
import { commandWords } from '../words/command.ts'
import { money, payeeName } from '../words/payment.ts'
import type { PaymentArgs } from '../words/payment-args.ts'
import { REQUEST } from '../words/payment-commands.ts'
import { askedWho, type Contacts, shorten } from '../words/who.ts'

/**
 * What was signed, in a line, where it is no grant.
 * @param asked what it asks for, if it is a request for a payment and was read
 */
export function signedTitle(signed: FoundToken, contacts: Contacts, asked?: PaymentArgs): string {
  const { type, command, audienceDid, audience, revokes = '' } = signed
  const whom = askedWho(audienceDid ?? audience, contacts)
  switch (type) {
    case 'invocation': {
      if (asked) {
        const [sum, site] = [money(asked.amount, asked.currency), payeeName(asked.payee, contacts)]
        return t`You ask ${whom} to pay ${sum} to ${site}`
      }
      if (command === REQUEST) return t`You ask ${whom} for a payment under your mandate`
      const what = commandWords(command)
      return t`You ask ${whom} to let you ${what}`
    }
    case 'revocation': {
      const cid = shorten(revokes, 8, 8)
      return t`You revoked ${cid}`
    }
    default:
      return t`You signed a receipt`
  }
}
