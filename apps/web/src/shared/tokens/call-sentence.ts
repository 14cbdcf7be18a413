import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import { quotable } from '../text/visible.ts'
import { commandWords } from '../words/command.ts'
import { money, payeeWords } from '../words/payment.ts'
import { paymentTerms } from '../words/payment-args.ts'
import { AUTHORIZE } from '../words/payment-commands.ts'
import { askedWho, type Contacts, shorten, signedWho } from '../words/who.ts'
import type { Call } from './call.ts'

/** A link to a token in DAG-JSON. */
const link = v.object({ '/': v.string() })
/** UCAN Revocation. */
const revocation = v.looseObject({ revoke: link })
/** UCAN Receipt: what came of a request. */
const receipt = v.looseObject({
  about: link,
  facts: v.looseObject({ out: v.record(v.picklist(['ok', 'error']), v.unknown()) }),
})

/** What a signed call says, in one sentence. The arguments that it leaves out are told by `argsWords`. */
export function callSentence(call: Call, contacts: Contacts): { sentence: string; isWhole: boolean } {
  const known = knownSentence(call, contacts)
  if (known !== undefined) return { sentence: known, isWhole: true }
  return { sentence: askingSentence(call, contacts), isWhole: false }
}

/** A call as what it is for anyone: someone asks someone else to let them do something. */
function askingSentence({ issuer, audience, command }: Call, contacts: Contacts): string {
  const what = commandWords(command)
  const asked = signedWho(audience, contacts, [issuer])
  if (contacts.own.has(issuer)) {
    const whom = askedWho(audience, contacts)
    return t`You ask ${whom} to let you ${what}.`
  }
  const asker = signedWho(issuer, contacts, [audience])
  return contacts.own.has(audience)
    ? t`${asker} asks you to let them ${what}.`
    : t`${asker} asks ${asked} to let them ${what}.`
}

/** The same for calls whose arguments Keyhole knows. Undefined for any other, or if they are not as they should be. */
function knownSentence({ issuer, subject, command, args }: Call, contacts: Contacts): string | undefined {
  const isOwn = contacts.own.has(issuer)
  const signer = signedWho(issuer, contacts, [subject])
  switch (command) {
    case AUTHORIZE: {
      const read = v.safeParse(paymentTerms, args)
      if (!read.success || read.output.order === undefined) return undefined
      const { payee, amount, currency, order } = read.output
      const [site, sum, reference] = [payeeWords(payee), money(amount, currency), quotable(order)]
      const payer = signedWho(subject, contacts, [issuer])
      if (subject !== issuer && !(isOwn && contacts.own.has(subject)))
        return isOwn
          ? t`You let ${site} collect ${sum} from ${payer} for the order “${reference}”, once.`
          : contacts.own.has(subject)
            ? t`${signer} lets ${site} collect ${sum} from you for the order “${reference}”, once.`
            : t`${signer} lets ${site} collect ${sum} from ${payer} for the order “${reference}”, once.`
      return isOwn
        ? t`You let ${site} collect ${sum} from you for the order “${reference}”, once.`
        : t`${signer} lets ${site} collect ${sum} from them for the order “${reference}”, once.`
    }
    case '/ucan/revoke': {
      const read = v.safeParse(revocation, args)
      if (!read.success) return undefined
      const grant = shorten(read.output.revoke['/'], 8, 8)
      return isOwn ? t`You revoke the grant ${grant}.` : t`${signer} revokes the grant ${grant}.`
    }
    case '/ucan/assert': {
      const read = v.safeParse(receipt, args)
      if (!read.success) return undefined
      const request = shorten(read.output.about['/'], 8, 8)
      if ('error' in read.output.facts.out)
        return isOwn
          ? t`You say that the request ${request} failed.`
          : t`${signer} says that the request ${request} failed.`
      return isOwn
        ? t`You say that the request ${request} was done.`
        : t`${signer} says that the request ${request} was done.`
    }
    default:
      return undefined
  }
}
