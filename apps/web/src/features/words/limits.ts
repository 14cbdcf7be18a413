import { t } from '@lingui/core/macro'
import { asStatement, type Statement } from '../policy/statement.ts'
import { paymentWords } from './payment.ts'
import { fieldName, policyWords, readGlob, statementWords } from './policy.ts'
import { isNumeric, quotable, sizeWords } from './value.ts'

/** What a policy adds to a sentence: phrases that follow the verb, and conditions that are sentences of their own. */
export interface Limits {
  phrases: string[]
  conditions: string[]
}

const PLACES = new Set(['path', 'file', 'folder', 'dir', 'directory'])
const PEOPLE = new Set(['to', 'recipient'])
const ADDRESSES = new Set(['url', 'uri'])
const SIZES = new Set(['bytes', 'size'])

/** Stands in a sentence without quotation marks, and cannot be taken for more of it. */
const PLAIN = /^[\p{L}\p{N}\p{M}/._~%@:+-]{1,200}$/u

/** A folder's pattern without its last slash, for "under /photos". */
function folderOf(pattern: string): string | undefined {
  const glob = readGlob(pattern)
  return glob.kind === 'starts' && glob.text.endsWith('/') && glob.text.length > 1
    ? glob.text.slice(0, -1)
    : undefined
}

function placePhrase(statement: Statement): string | undefined {
  if (statement.kind === 'like') {
    const folder = folderOf(statement.pattern)
    return folder === undefined || !PLAIN.test(folder) ? undefined : t`only under ${folder}`
  }
  const isOne = statement.kind === 'compare' && statement.operator === '=='
  const { value } = isOne ? statement : {}
  return typeof value === 'string' && PLAIN.test(value) ? t`only at ${value}` : undefined
}

function peoplePhrase(statement: Statement): string | undefined {
  if (statement.kind === 'like') {
    const glob = readGlob(statement.pattern)
    return glob.kind === 'ends' ? t`only to addresses that end with “${quotable(glob.text)}”` : undefined
  }
  const isOne = statement.kind === 'compare' && statement.operator === '=='
  return isOne && typeof statement.value === 'string' ? t`only to “${quotable(statement.value)}”` : undefined
}

function addressPhrase(statement: Statement): string | undefined {
  if (statement.kind !== 'like') return undefined
  const glob = readGlob(statement.pattern)
  return glob.kind === 'starts' ? t`only at addresses that start with “${quotable(glob.text)}”` : undefined
}

function sizePhrase(statement: Statement): string | undefined {
  if (statement.kind !== 'compare' || !isNumeric(statement.value)) return undefined
  const size = sizeWords(statement.value)
  if (statement.operator === '<=') return t`at most ${size} each`
  return statement.operator === '<' ? t`less than ${size} each` : undefined
}

/** A statement as a phrase, where its field and its form are ones that a phrase can say in full. */
function phrase(statement: unknown): string | undefined {
  const read = asStatement(statement)
  if ('problem' in read || (read.kind !== 'compare' && read.kind !== 'like')) return undefined
  const field = fieldName(read.selector)
  if (PLACES.has(field)) return placePhrase(read)
  if (PEOPLE.has(field)) return peoplePhrase(read)
  if (ADDRESSES.has(field)) return addressPhrase(read)
  return SIZES.has(field) ? sizePhrase(read) : undefined
}

/** Whether a command is about payments: what may be authorised, or asked for. */
function isPayment(command: string): boolean {
  return command === '/payment/authorize' || command === '/payment/request'
}

/** The limits of a policy for its sentence: every statement stands in one of the two, in their order. */
export function sentenceLimits(command: string, policy: readonly unknown[]): Limits {
  if (isPayment(command)) return { phrases: [], conditions: paymentWords(policy) }
  const limits: Limits = { phrases: [], conditions: [] }
  for (const statement of policy) {
    const short = phrase(statement)
    if (short === undefined) limits.conditions.push(statementWords(statement))
    else limits.phrases.push(short)
  }
  return limits
}

/** The limits of a policy as a list, in the terms of what the command is about. */
export function limitWords(command: string, policy: readonly unknown[]): string[] {
  return isPayment(command) ? paymentWords(policy) : policyWords(policy)
}
