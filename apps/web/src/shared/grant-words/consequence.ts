/** What a word of a command begins with that moves money or goods. */
const SPENDS =
  /^(?:(?:re|pre|auto)?pay(?!load)|spend|purchas|buy|order|checkout|charge|debit|transfer|withdraw|wire|remit|donat|tip$|bid$|bet$|trade|swap|stake|mint$|burn$|invest|subscri|settle|refund|fund$|invoice)/
/** What a word of a command begins with that says something to someone in one's name. */
const SENDS =
  /^(?:send|mail|e-?mail|msg|messag|sms$|mms$|text$|post|publish|tweet|toot|chat|reply|respond|forward|notify|invit|broadcast|submit|share|call$|dial|fax|push)/
/** Words that do so at their end: `/sendgrid/bulkmail`, `/bank/autopay`. */
const ENDS = /(?:pay|send|mail|transfer)$/
/** Commands of ours that only look, in spite of their words. */
const HARMLESS: ReadonlySet<string> = new Set(['/msg/read'])

/**
 * Whether a command spends or sends: a payment, a mail, a transfer, or an unknown one with such a verb anywhere in it, since nobody says
 * what a service makes of the rest. What covers everything does both.
 */
export function spendsOrSends(command: string): boolean {
  const segments = command.split('/').filter((segment) => segment !== '')
  if (segments.length === 0) return true
  if (HARMLESS.has(command)) return false
  const words = segments.flatMap((segment) => [segment, ...segment.split(/[^\p{L}\p{N}]+/u)])
  return words.some((word) => SPENDS.test(word) || SENDS.test(word) || ENDS.test(word))
}
