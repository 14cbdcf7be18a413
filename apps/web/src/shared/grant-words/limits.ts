import { t } from '@lingui/core/macro'
import { exactJson } from '../policy/json.ts'
import { endsInField, firstField, leadsSomewhere } from '../policy/selector.ts'
import {
  type Leaf,
  type Quantifier,
  type Scope,
  type Simple,
  simplify,
  simplifyPolicy,
} from '../policy/simplify.ts'
import { asStatement } from '../policy/statement.ts'
import { onceLeaf, takesOnce } from '../words/once.ts'
import { amountRange, type Pinned, payeeWords, paymentLeaf, pinnedCurrency } from '../words/payment.ts'
import { AUTHORIZE, REQUEST } from '../words/payment-commands.ts'
import { leafWords, selectorWords } from '../words/policy.ts'
import { argumentItems, argumentWords, callsTools, oneOfTools, toolLeaf } from '../words/tool-call.ts'
import { valueWords } from '../words/value.ts'

/** One limit in words: a condition, or a heading with the conditions below it. */
export interface Limit {
  readonly text: string
  /** The conditions below the heading. Absent for a condition. */
  readonly of?: readonly Limit[]
  /** A warning. */
  readonly note?: string
}

/** What a policy allows, described from its simplest form. */
export interface Limits {
  /** All of them must be true. */
  readonly limits: readonly Limit[]
  /** What limits nothing, and what isn't limited, as sentences. */
  readonly notes: readonly string[]
  /** Those of the notes that say what isn't limited. */
  readonly open: readonly string[]
  /** Whether no call can match. */
  readonly never: boolean
}

/** What the words depend on apart from the statement. */
interface Context {
  readonly scope: Scope
  /** Whether it is about a payment, whose fields Keyhole knows. */
  readonly isPayment: boolean
  /** Whether its calls can carry the code of a call that the owner allows by itself. */
  readonly takesOnce: boolean
  /** Whether it is about calls of tools, whose fields Keyhole knows too. */
  readonly callsTools: boolean
  readonly pinned?: Pinned | undefined
  /** Whether it is inside a `not`, or an odd number of them. Then a condition that is false lets the call through. */
  readonly isTurned?: boolean
}

type Compare = Extract<Leaf, { kind: 'compare' }>

/** Whether Keyhole knows the arguments of a command: authorising or requesting a payment. */
export function isPayment(command: string): boolean {
  return command === AUTHORIZE || command === REQUEST
}

function leaf(statement: Leaf, context: Context): string {
  const { scope, pinned } = context
  if (scope !== 'call') return leafWords(statement, scope)
  const known = context.isPayment ? paymentLeaf(statement, pinned) : undefined
  const once = context.takesOnce ? onceLeaf(statement) : undefined
  const tool = isToolCall(context) ? toolLeaf(statement) : undefined
  return known ?? once ?? tool ?? leafWords(statement, scope)
}

/** Whether the fields are those of a tool's call. */
const isToolCall = ({ scope, callsTools: isCall }: Context) => isCall && scope === 'call'

/** What a field is called, as the limits to it call it. */
function fieldWords(selector: string, context: Context): string {
  const argument = isToolCall(context) ? argumentWords(selector) : undefined
  return argument ?? selectorWords(selector, context.scope)
}

/** A warning for a condition that lets a call through when its field can't be compared. Undefined if nothing can be missing. */
function missingNote(of: Leaf | Quantifier, context: Context): string | undefined {
  const isEquality = of.kind === 'compare' && /^[!=]=$/.test(of.operator)
  if (of.selector === '.' && (isEquality || context.scope === 'call')) return undefined
  const field = fieldWords(of.selector, context)
  if (of.kind === 'like') return t`If ${field} is left out or isn’t text, this does not limit anything.`
  if (of.kind !== 'compare') return t`If ${field} is left out or isn’t a list, this does not limit anything.`
  if (!isEquality) return t`If ${field} is left out or isn’t a number, this does not limit anything.`
  return isPassedByNull(of, context) || !endsInField(of.selector)
    ? t`If ${field} is left out, this does not limit anything.`
    : t`If ${field} isn’t in a map, this does not limit anything.`
}

/** The values if all alternatives compare one field. Otherwise undefined. */
function oneOf(statements: readonly Simple[]): { selector: string; values: unknown[] } | undefined {
  const [first] = statements
  if (first?.kind !== 'compare') return undefined
  const { selector } = first
  const values: unknown[] = []
  for (const each of statements) {
    if (
      each.kind !== 'compare' ||
      each.operator !== '==' ||
      each.selector !== selector ||
      each.value === null
    )
      return undefined
    values.push(each.value)
  }
  return { selector, values }
}

function alternatives(of: readonly Simple[], context: Context): Limit {
  const count = of.length
  const one = oneOf(of)
  if (!one) return { text: t`at least one of these ${count}:`, of: told(of, context) }
  const names = one.values.every((value) => typeof value === 'string') ? one.values : undefined
  const isPayee = context.isPayment && context.scope === 'call' && one.selector === '.payee'
  if (names && isPayee)
    return {
      text: t`it goes to one of these ${count}:`,
      of: names.map((value) => ({ text: payeeWords(value) })),
    }
  const field = fieldWords(one.selector, context)
  const tools = names && isToolCall(context) ? oneOfTools(one.selector, count) : undefined
  return {
    text: tools ?? t`${field} is one of these ${count}:`,
    of: one.values.map((value) => ({ text: valueWords(value) })),
  }
}

function quantified(statement: Quantifier, context: Context): Limit {
  const { kind, selector, of } = statement
  const list = fieldWords(selector, context)
  if (of.kind === 'true')
    return {
      text:
        kind === 'all' ? t`${list} is a list or a map` : t`${list} is a list or a map with something in it`,
    }
  if (of.kind === 'false') return { text: t`${list} is a list or a map with nothing in it` }
  const inner = told([of], { ...context, scope: 'item' })
  const items = isToolCall(context) ? argumentItems(kind, selector) : undefined
  const any = kind === 'all' ? t`every item in ${list}:` : t`at least one item in ${list}:`
  return { text: items ?? any, of: inner }
}

function refused(statement: Leaf | Quantifier, context: Context): Limit {
  const inner = { ...context, isTurned: !context.isTurned }
  const isLeaf = statement.kind === 'compare' || statement.kind === 'like'
  const of = [isLeaf ? { text: leaf(statement, inner) } : quantified(statement, inner)]
  return withNote({ text: t`this must not be true:`, of }, statement, inner)
}

/** A limit with its warning, if a missing field gets past it. */
function withNote(limit: Limit, of: Leaf | Quantifier, context: Context): Limit {
  const note = isPassedBy(of, context) ? missingNote(of, context) : undefined
  return note === undefined ? limit : { ...limit, note }
}

/** Whether a call without the field gets past a condition. A path that leads nowhere makes any condition false. */
function isPassedBy(of: Leaf | Quantifier, context: Context): boolean {
  const { isTurned = false, scope } = context
  if (of.kind !== 'compare' || !/^[!=]=$/.test(of.operator)) return isTurned
  return isPassedByNull(of, context) || (isTurned && !leadsSomewhere(of.selector, scope))
}

/** Whether null gets past a comparison with something else: a field that a map lacks is null, which is unequal to all but null. */
function isPassedByNull({ value, operator }: Compare, { isTurned = false }: Context): boolean {
  return value !== null && isTurned === (operator === '==')
}

function tell(statement: Simple, context: Context): Limit {
  switch (statement.kind) {
    case 'compare':
    case 'like':
      return withNote({ text: leaf(statement, context) }, statement, context)
    case 'and':
      return { text: t`all of these ${statement.of.length}:`, of: told(statement.of, context) }
    case 'or':
      return alternatives(statement.of, context)
    case 'not':
      return refused(statement.of, context)
    case 'all':
    case 'any':
      return withNote(quantified(statement, context), statement, context)
    case 'unread':
      return { text: t`a condition Keyhole cannot read: ${exactJson(statement.value)}` }
    case 'true':
      return { text: t`nothing: this does not limit anything` }
    case 'false':
      return { text: t`something that no call can meet` }
  }
}

/** Describes each of these statements, whether all must be true or just one. */
function told(statements: readonly Simple[], context: Context): Limit[] {
  return statements.map((each) => tell(each, context))
}

/** The limits of a policy. An amount's two bounds become one limit if they are next to each other. */
function toldTogether(limits: readonly Simple[], context: Context): Limit[] {
  const [first, second, ...rest] = limits
  const { pinned } = context
  if (context.isPayment && pinned !== undefined && first !== undefined && second !== undefined) {
    const range = amountRange(first, second, pinned)
    if (range !== undefined) return [{ text: range }, ...told(rest, context)]
  }
  return told(limits, context)
}

function selectorsOf(statement: Simple): string[] {
  switch (statement.kind) {
    case 'compare':
    case 'like':
    case 'all':
    case 'any':
      return [statement.selector]
    case 'and':
    case 'or':
      return statement.of.flatMap(selectorsOf)
    case 'not':
      return selectorsOf(statement.of)
    default:
      return []
  }
}

/** The selectors that a policy's simplest form looks at in the call, without duplicates. */
export function lookedAt(policy: readonly unknown[]): string[] {
  return [...new Set(simplifyPolicy(policy).limits.flatMap(selectorsOf))]
}

/** Whether a statement can only be true if such a condition is. In an "or", every branch needs one. */
function needs(statement: Simple, isOne: (condition: Simple) => boolean): boolean {
  switch (statement.kind) {
    case 'and':
      return statement.of.some((each) => needs(each, isOne))
    case 'or':
      return statement.of.every((each) => needs(each, isOne))
    default:
      return isOne(statement)
  }
}

/** Whether a condition chooses a whole value: not a part of it, not only what it isn't, and not a pattern or bound that leaves it open. */
const choosesValue = (condition: Simple) =>
  condition.kind === 'compare' && condition.operator === '==' && condition.selector === '.'

/**
 * Whether a condition chooses every field of the call. A condition on each item that nearly anything meets chooses none of them. And as the
 * fields of a payment can't be all alike, only an equal map chooses those.
 */
function choosesAllFields(condition: Simple, command: string): boolean {
  // A longer selector, such as `.[][0]`, is about one field, and we can't tell which.
  if (!('selector' in condition) || !/^\.(?:\[\])?\?*$/.test(condition.selector)) return false
  if (condition.kind === 'all' && !isPayment(command)) return needs(condition.of, choosesValue)
  return condition.kind === 'compare' && condition.operator === '=='
}

/** Whether a condition is about a field itself, not something inside it. */
const isOf = (condition: { selector: string }, field: string) =>
  condition.selector.replace(/\?+$/, '') === field

/** Whether a condition rules out all amounts above some number. */
function capsAmount(condition: Simple): boolean {
  if (condition.kind === 'not')
    return (
      condition.of.kind === 'compare' && isOf(condition.of, '.amount') && /^>=?$/.test(condition.of.operator)
    )
  if (!('selector' in condition) || !isOf(condition, '.amount')) return false
  return condition.kind !== 'compare' || /^(?:<=?|==)$/.test(condition.operator)
}

/** A pattern that doesn't match just anything. */
const SOME_TEXT = /[^*]/
/**
 * A payee pattern that chooses a shop: a whole host, and a star only in the path below it. A star in the host leaves the choice open, because
 * it matches colons and dots: `did:web:evil.example:x.shop.example` fits `did:web:*.shop.example`, and anyone can get a name in `*.co.uk`.
 */
const ONE_SHOP = /^did:web:[a-z0-9.-]+(?:%3A\d+)?:/

/** Whether a condition says what a field is, not only what it isn't, and not by a pattern that leaves it open. */
function chooses(condition: Simple, field: string, choice: RegExp): boolean {
  if (!('selector' in condition) || !isOf(condition, field)) return false
  if (condition.kind === 'like') return choice.test(condition.pattern)
  return condition.kind !== 'compare' || condition.operator === '=='
}

/** Whether a policy chooses every possible field of a command's call. */
export function coversAllFields(command: string, policy: readonly unknown[]): boolean {
  return leaveNoneOpen(command, simplifyPolicy(policy).limits)
}

/** Whether limits choose every field of a command's call. */
function leaveNoneOpen(command: string, limits: readonly Simple[]): boolean {
  return limits.some((limit) => needs(limit, (each) => choosesAllFields(each, command)))
}

/** What a policy leaves open, as sentences. */
function openNotes(command: string, limits: readonly Simple[]): string[] {
  const has = (isOne: (condition: Simple) => boolean) => limits.some((limit) => needs(limit, isOne))
  if (limits.length === 0 || leaveNoneOpen(command, limits)) return []
  if (!isPayment(command)) return [t`Other fields are not limited.`]
  const namesPayee = limits.flatMap(selectorsOf).some((each) => firstField(each) === '.payee')
  const anyShop = namesPayee ? t`It may go to any shop.` : t`It may go to any shop: no payee is named.`
  return [
    has((each) => chooses(each, '.payee', ONE_SHOP)) ? '' : anyShop,
    has(capsAmount) ? '' : t`The amount is not limited.`,
    has((each) => chooses(each, '.currency', SOME_TEXT)) ? '' : t`The currency is not limited.`,
  ].filter((note) => note !== '')
}

/**
 * What a policy allows, in words. Every place that shows a grant's limits uses this.
 * @param digits decimal digits of amounts; the currency's default if not given
 */
export function policyLimits(command: string, policy: readonly unknown[], digits?: number): Limits {
  const { limits, idle, never } = simplifyPolicy(policy)
  const pinned = pinnedCurrency(limits, digits)
  const context: Context = {
    scope: 'call',
    isPayment: isPayment(command),
    takesOnce: takesOnce(command),
    callsTools: callsTools(command),
    pinned,
  }
  const idleNotes = idle.map((statement) => t`${lineOf(statement)}: this does not limit anything.`)
  const open = openNotes(command, limits)
  return {
    limits: toldTogether(limits, context),
    notes: [...idleNotes, ...open],
    open,
    never,
  }
}

function lineOf(statement: unknown): string {
  return exactJson(statement).replace(/\n\s*/g, ' ')
}

/** One policy statement on its own: simplified, but not combined with others. */
export function statementLimit(statement: unknown, scope: Scope = 'call'): Limit {
  const read = asStatement(statement)
  const simple: Simple = 'problem' in read ? { kind: 'unread', value: statement } : simplify(read, scope)
  return simpleLimit(simple, scope)
}

/** A simplified statement on its own. */
export function simpleLimit(simple: Simple, scope: Scope): Limit {
  return tell(simple, { scope, isPayment: false, takesOnce: false, callsTools: false })
}

/**
 * Limits in one line, unambiguous without indentation: a heading says how many conditions follow, they are numbered, and the end is marked.
 */
export function limitsText(limits: readonly Limit[], number = ''): string {
  const [first, second] = limits
  if (first !== undefined && second === undefined) return limitText(first, number)
  return limits
    .map((limit, at) => `${number}${at + 1}) ${limitText(limit, `${number}${at + 1}.`)}`)
    .join('; ')
}

/** One limit in a line, with everything below it. */
export function limitText({ text, of = [], note }: Limit, number = ''): string {
  const beneath = limitsText(of, number)
  const words =
    of.length === 0 ? text : of.length === 1 ? `${text} ${beneath}` : t`${text} ${beneath}; end of the list`
  return note === undefined ? words : `${words} (${note})`
}

function hasNot(statement: Simple): string[] {
  switch (statement.kind) {
    case 'not':
      return statement.of.selector === '.' ? [] : [statement.of.selector]
    case 'compare': {
      const { operator, selector, value } = statement
      return operator === '!=' && value !== null && selector !== '.' ? [selector] : []
    }
    case 'and':
    case 'or':
      return statement.of.flatMap(hasNot)
    case 'all':
    case 'any':
      return hasNot(statement.of)
    default:
      return []
  }
}

/**
 * Whether a policy's simplest form has a condition that is true if its field is missing. Such a policy allows requests that leave the field
 * out.
 */
export function letsMissingThrough(policy: readonly unknown[]): boolean {
  return simplifyPolicy(policy).limits.some((limit) => hasNot(limit).length > 0)
}
