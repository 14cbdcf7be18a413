import { covers } from '../words/covers.ts'
import { AUTHORIZE, REQUEST } from '../words/payment-commands.ts'

/** How a word of a command that moves money or goods starts. */
const SPENDS =
  /^(?:(?:re|pre|auto)?pay(?!load)|spend|purchas|buy|order|checkout|charge|debit|transfer|withdraw|wire|remit|donat|tip$|bid$|bet$|trade|swap|stake|mint$|burn$|invest|subscri|settle|refund|fund$|invoice)/
/** How a word of a command that sends something in your name starts. */
const SENDS =
  /^(?:send|mail|e-?mail|msg|messag|sms$|mms$|text$|post|publish|tweet|toot|chat|reply|respond|forward|notify|invit|broadcast|submit|share|call$|dial|fax|push)/
/** The same words at the end of another: `/sendgrid/bulkmail`, `/bank/autopay`. */
const ENDS = /(?:pay|send|mail|transfer)$/
/** Our own commands that only read, despite their words. */
const HARMLESS: ReadonlySet<string> = new Set(['/msg/read'])
/** The known commands that spend or send. Whatever covers one of them does so too. */
const KNOWN = ['/http/post', '/mcp/tools/call', '/msg/send', AUTHORIZE, REQUEST] as const

/**
 * Whether a command spends or sends: a payment, an email, a transfer, or an unknown command with such a verb anywhere in it, because we
 * can't tell what a service does with the rest. So does a wider command: asking for more must not need less of the person.
 */
export function spendsOrSends(command: string): boolean {
  if (KNOWN.some((known) => covers(command, known))) return true
  if (HARMLESS.has(command)) return false
  const segments = command.split('/').filter((segment) => segment !== '')
  const words = segments.flatMap((segment) => [segment, ...segment.split(/[^\p{L}\p{N}]+/u)])
  return words.some((word) => SPENDS.test(word) || SENDS.test(word) || ENDS.test(word))
}
