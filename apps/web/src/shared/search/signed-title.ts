import { t } from '@lingui/core/macro'
import { argsWords } from '../grant-words/call-args.ts'
import type { Asked } from '../search-index/read-asked.ts'
import type { FoundToken } from '../search-index/token-messages.ts'
import { quotable } from '../text/visible.ts'
import { commandWords } from '../words/command.ts'
import { money, payeeName } from '../words/payment.ts'
import { REQUEST } from '../words/payment-commands.ts'
import { askedWho, type Contacts, shorten } from '../words/who.ts'

/**
 * What was signed, in a line, where it is no grant.
 * @param asked what it asks for, if it is a request and was read
 */
export function signedTitle(signed: FoundToken, contacts: Contacts, asked?: Asked): string {
  const { type, command, audienceDid, audience, revokes = '' } = signed
  const whom = askedWho(audienceDid ?? audience, contacts)
  switch (type) {
    case 'invocation': {
      if (asked?.payment) {
        const { amount, currency, payee, order } = asked.payment
        const [sum, site, reference] = [money(amount, currency), payeeName(payee, contacts), quotable(order)]
        return t`You ask ${whom} to pay ${sum} to ${site} for the order “${reference}”`
      }
      const what = commandWords(command)
      const asks =
        command === REQUEST
          ? t`You ask ${whom} for a payment under your mandate`
          : t`Your request to ${whom}: ${what}`
      const args = argsWords(command, asked?.args ?? {})
      return args.length === 0 ? asks : `${asks} (${args.reduce((a, b) => t`${a}, and ${b}`)})`
    }
    case 'revocation': {
      const cid = shorten(revokes, 8, 8)
      return t`You revoked ${cid}`
    }
    default:
      return t`You signed a receipt`
  }
}
