import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import { signedMap } from '../search-index/read-asked.ts'
import { quotable } from '../text/visible.ts'
import { commandWords } from '../words/command.ts'
import { money, payeeWords } from '../words/payment.ts'
import { paymentTerms } from '../words/payment-args.ts'
import { AUTHORIZE } from '../words/payment-commands.ts'
import { askedWho, type Contacts, shorten, signedWho } from '../words/who.ts'
import type { Call } from './call.ts'

type Args = Readonly<Record<string, unknown>>

/** A link to a token in DAG-JSON, as its CID. */
const link = v.pipe(
  signedMap,
  v.check((map) => Object.keys(map).join() === '/'),
  v.transform((map) => map['/']),
  v.string(),
)
/** UCAN Revocation. */
const revocation = v.looseObject({ revoke: v.union([link, v.string()]) })
/** UCAN Receipt: what came of a request. */
const receipt = v.looseObject({ about: link, facts: v.looseObject({ out: signedMap }) })

/** What a signed call says. */
interface Told {
  readonly sentence: string
  /** The arguments that the sentence leaves out, to be told by `argsWords`. */
  readonly rest: Args
}

/** What a signed call says, in one sentence. */
export function callSentence(call: Call, contacts: Contacts): Told {
  return knownSentence(call, contacts) ?? { sentence: askingSentence(call, contacts), rest: call.args }
}

/** A map without some of its fields. */
function without(map: Args, names: readonly string[]): Args {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name)))
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** What a receipt says apart from what it is about and whether that was done: usually nothing. */
function restOfReceipt(args: Args, facts: Args, outcome: unknown): Args {
  const told = [isEmpty(outcome) ? ['out'] : [], isEmpty(facts.run) ? ['run'] : []].flat()
  const rest = without(facts, told)
  return { ...without(args, ['about', 'facts']), ...(!isEmpty(rest) && { facts: rest }) }
}

/** A call as what it is for anyone: a request to do something. Its sender may be allowed to, so it doesn't ask for permission. */
function askingSentence({ issuer, audience, command }: Call, contacts: Contacts): string {
  const what = commandWords(command)
  const asked = signedWho(audience, contacts, [issuer])
  if (contacts.own.has(issuer)) {
    const whom = askedWho(audience, contacts)
    return t`Your request to ${whom}: ${what}.`
  }
  const asker = signedWho(issuer, contacts, [audience])
  return contacts.own.has(audience)
    ? t`Request from ${asker} to you: ${what}.`
    : t`Request from ${asker} to ${asked}: ${what}.`
}

/** The command of a revocation. */
export const REVOKE = '/ucan/revoke'

/** The same for calls whose arguments Keyhole knows. Undefined for any other, or if they are not as they should be. */
function knownSentence(call: Call, contacts: Contacts): Told | undefined {
  const { issuer, subject, command, args } = call
  const isOwn = contacts.own.has(issuer)
  const signer = signedWho(issuer, contacts, [subject])
  switch (command) {
    case AUTHORIZE: {
      const read = v.safeParse(paymentTerms, args)
      if (!read.success || read.output.order === undefined) return undefined
      const { payee, amount, currency, order } = read.output
      const [site, sum, reference] = [payeeWords(payee), money(amount, currency), quotable(order)]
      const payer = signedWho(subject, contacts, [issuer])
      const isTheirs = subject === issuer || (isOwn && contacts.own.has(subject))
      const sentence = isTheirs
        ? isOwn
          ? t`You let ${site} collect ${sum} from you for the order “${reference}”, once.`
          : t`${signer} lets ${site} collect ${sum} from them for the order “${reference}”, once.`
        : isOwn
          ? t`You let ${site} collect ${sum} from ${payer} for the order “${reference}”, once.`
          : contacts.own.has(subject)
            ? t`${signer} lets ${site} collect ${sum} from you for the order “${reference}”, once.`
            : t`${signer} lets ${site} collect ${sum} from ${payer} for the order “${reference}”, once.`
      return { sentence, rest: without(args, ['payee', 'amount', 'currency', 'order']) }
    }
    case REVOKE: {
      const read = v.safeParse(revocation, args)
      if (!read.success) return undefined
      const grant = shorten(read.output.revoke, 8, 8)
      return {
        sentence: isOwn
          ? t`You say that the grant ${grant} is revoked.`
          : t`${signer} says that the grant ${grant} is revoked.`,
        rest: without(args, ['revoke']),
      }
    }
    case '/ucan/assert': {
      const read = v.safeParse(receipt, args)
      if (!read.success) return undefined
      const { about, facts } = read.output
      const [outcome, ...more] = Object.entries(facts.out)
      if (outcome === undefined || more.length > 0) return undefined
      const [name, value] = outcome
      if (name !== 'ok' && name !== 'error') return undefined
      const request = shorten(about, 8, 8)
      const failed = isOwn
        ? t`You say that the request ${request} failed.`
        : t`${signer} says that the request ${request} failed.`
      const done = isOwn
        ? t`You say that the request ${request} was done.`
        : t`${signer} says that the request ${request} was done.`
      return { sentence: name === 'error' ? failed : done, rest: restOfReceipt(args, facts, value) }
    }
    default:
      return undefined
  }
}
