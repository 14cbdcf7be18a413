import { plainJson } from './json.ts'
import { canonicalSelector, endsInItems, isWhole, leadsSomewhere } from './selector.ts'
import { asStatement, type Statement } from './statement.ts'

/** Where a selector starts: at the call's arguments, which are a map, or at one item of a list in them. */
export type Scope = 'call' | 'item'

/** A comparison with no statement inside. */
export type Leaf = Extract<Statement, { kind: 'compare' | 'like' }>

/** A condition on the items of a list. */
export interface Quantifier {
  kind: 'all' | 'any'
  selector: string
  of: Simple
}

/**
 * A statement in simplest form: every part of it matters, and a `not` is only in front of a comparison or a quantifier. A group has at
 * least two members, all different and none of the same kind as the group.
 */
export type Simple =
  | { kind: 'true' | 'false' }
  | Leaf
  | { kind: 'and' | 'or'; of: Simple[] }
  | { kind: 'not'; of: Leaf | Quantifier }
  | Quantifier
  | { kind: 'unread'; value: unknown }

const TRUE: Simple = { kind: 'true' }
const FALSE: Simple = { kind: 'false' }

/** A policy in simplest form. */
export interface SimplePolicy {
  /** All of them must be true. */
  readonly limits: readonly Simple[]
  /** Statements that are true for every call, unchanged. */
  readonly idle: readonly unknown[]
  /** Whether no call can match. */
  readonly never: boolean
}

/** Unescaped stars in a `like` pattern. */
const STARS = /(?<!\\)\*+/g

/** A comparison with its path in standard form. A pattern without a star becomes a text. */
function plainLeaf(leaf: Leaf, scope: Scope): Leaf {
  const selector = canonicalSelector(leaf.selector, scope)
  if (leaf.kind !== 'like') return { ...leaf, selector }
  const pattern = leaf.pattern.replace(STARS, '*')
  if (pattern.search(STARS) >= 0) return { kind: 'like', selector, pattern }
  return { kind: 'compare', operator: '==', selector, value: pattern.replaceAll('\\*', '*') }
}

/** Whether a value is a list, or bytes as the enclave returns them. */
function isItems(value: unknown): boolean {
  return Array.isArray(value) || (typeof value === 'object' && value !== null && Object.hasOwn(value, '/'))
}

function simplifyLeaf(leaf: Leaf, scope: Scope): Simple {
  const simple = plainLeaf(leaf, scope)
  const items = endsInItems(simple.selector)
  if (items !== undefined) {
    if (simple.kind === 'like' || (simple.operator !== '==' && simple.operator !== '!=')) return FALSE
    if (!isItems(simple.value) && !(items.orNull && simple.value === null)) {
      if (simple.operator === '==') return FALSE
      if (leadsSomewhere(simple.selector, scope)) return TRUE
    }
  }
  // The arguments as a whole are a map: not a text or a number, and equal only to a map.
  if (scope !== 'call' || !isWhole(simple.selector)) return simple
  if (simple.kind === 'like') return FALSE
  const { operator, value } = simple
  if (operator !== '==' && operator !== '!=') return FALSE
  const isMap =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.hasOwn(value, '/')
  if (isMap) return simple
  return operator === '==' ? FALSE : TRUE
}

/** The members of a group. Those of groups of the same kind inside it are members too. */
function membersOf(kind: 'and' | 'or', of: readonly Statement[], members: Statement[] = []): Statement[] {
  // An empty group is true, whichever kind it is.
  for (const each of of)
    if (each.kind === kind && each.of.length > 0) membersOf(kind, each.of, members)
    else members.push(each)
  return members
}

/**
 * What simplifies the statements of one policy. A stranger writes them, so the work must grow with their size and not with their depth too:
 * each statement has a number that stands for all of it, and its opposite is made once.
 */
function simplifier() {
  const numbers = new WeakMap<Simple, number>()
  const numbered = new Map<string, number>()
  const opposites = new WeakMap<Simple, Simple>()

  /** What a statement says, with the statements inside it by their numbers. */
  function keyOf(statement: Simple): string {
    switch (statement.kind) {
      case 'true':
      case 'false':
        return statement.kind
      case 'compare':
        return `${statement.operator} ${statement.selector} ${plainJson(statement.value)}`
      case 'like':
        return `like ${statement.selector} ${JSON.stringify(statement.pattern)}`
      case 'unread':
        return `unread ${plainJson(statement.value)}`
      case 'not':
        return `not ${numberOf(statement.of)}`
      case 'and':
      case 'or':
        return `${statement.kind} ${statement.of.map(numberOf).sort().join()}`
      case 'all':
      case 'any':
        return `${statement.kind} ${statement.selector} ${numberOf(statement.of)}`
    }
  }

  /** Two statements with the same number are the same. */
  function numberOf(statement: Simple): number {
    const before = numbers.get(statement)
    if (before !== undefined) return before
    const key = keyOf(statement)
    const number = numbered.get(key) ?? numbered.size
    numbered.set(key, number)
    numbers.set(statement, number)
    return number
  }

  /** The opposite of a statement. A path that leads nowhere makes a comparison false and its `not` true, so each has exactly one. */
  function opposite(statement: Simple, scope: Scope): Simple {
    const before = opposites.get(statement)
    if (before !== undefined) return before
    const made = newOpposite(statement, scope)
    opposites.set(statement, made).set(made, opposites.get(made) ?? statement)
    return made
  }

  function newOpposite(statement: Simple, scope: Scope): Simple {
    switch (statement.kind) {
      case 'true':
        return FALSE
      case 'false':
        return TRUE
      case 'not':
        return statement.of
      case 'and':
      case 'or':
        return joined(
          statement.kind === 'and' ? 'or' : 'and',
          statement.of.map((each) => opposite(each, scope)),
          scope,
        )
      case 'compare': {
        const { operator, selector } = statement
        // `!=` is the opposite of `==` only if the path leads somewhere.
        if ((operator === '==' || operator === '!=') && leadsSomewhere(selector, scope))
          return { ...statement, operator: operator === '==' ? '!=' : '==' }
        return { kind: 'not', of: statement }
      }
      case 'like':
      case 'all':
      case 'any':
        return { kind: 'not', of: statement }
      case 'unread':
        return statement
    }
  }

  /** Combines statements by the rules of logic, which apply because every statement is either true or false. */
  function joined(kind: 'and' | 'or', statements: readonly Simple[], scope: Scope): Simple {
    const [neutral, decisive] = kind === 'and' ? (['true', 'false'] as const) : (['false', 'true'] as const)
    const members = new Map<number, Simple>()
    const [only, ...others] = statements.filter((each) => each.kind !== neutral)
    if (only !== undefined && others.length === 0) return only
    for (const each of statements)
      for (const member of each.kind === kind ? each.of : [each]) {
        if (member.kind === decisive) return member
        if (member.kind !== neutral) members.set(numberOf(member), member)
      }
    for (const member of members.values()) {
      const isGroup = member.kind === 'and' || member.kind === 'or'
      if (!isGroup && member.kind !== 'unread' && members.has(numberOf(opposite(member, scope))))
        return kind === 'and' ? FALSE : TRUE
    }
    // A group that contains a member that is already required adds nothing, and the other way round.
    for (const [number, member] of members)
      if (
        (member.kind === 'and' || member.kind === 'or') &&
        member.of.some((each) => members.has(numberOf(each)))
      )
        members.delete(number)
    const [first, second] = members.values()
    if (first === undefined) return kind === 'and' ? TRUE : FALSE
    return second === undefined ? first : { kind, of: [...members.values()] }
  }

  /** A statement in simplest form. */
  function simplified(statement: Statement, scope: Scope): Simple {
    switch (statement.kind) {
      case 'compare':
      case 'like':
        return simplifyLeaf(statement, scope)
      case 'and':
      case 'or':
        // An empty `and` and an empty `or` are both true.
        if (statement.of.length === 0) return TRUE
        return joined(
          statement.kind,
          membersOf(statement.kind, statement.of).map((each) => simplified(each, scope)),
          scope,
        )
      case 'not':
        return opposite(simplified(statement.of, scope), scope)
      case 'all':
      case 'any': {
        const selector = canonicalSelector(statement.selector, scope)
        const of = simplified(statement.of, 'item')
        // `all` is false for anything but a list, so only `any` can be dropped here.
        if (statement.kind === 'any' && of.kind === 'false') return FALSE
        const isMap = scope === 'call' && (isWhole(selector) || selector === '.[]')
        if (statement.kind === 'all' && of.kind === 'true' && isMap) return TRUE
        return { kind: statement.kind, selector, of }
      }
    }
  }

  return { simplified, joined }
}

/** A statement in simplest form. */
export function simplify(statement: Statement, scope: Scope = 'call'): Simple {
  return simplifier().simplified(statement, scope)
}

const known = new WeakMap<readonly unknown[], SimplePolicy>()

/** A policy in simplest form. Statements that can't be read stay unchanged. */
export function simplifyPolicy(policy: readonly unknown[]): SimplePolicy {
  const before = known.get(policy)
  if (before) return before
  const idle: unknown[] = []
  const { simplified, joined } = simplifier()
  const statements = policy.map((value): Simple => {
    const read = asStatement(value)
    const simple: Simple = 'problem' in read ? { kind: 'unread', value } : simplified(read, 'call')
    if (simple.kind === 'true') idle.push(value)
    return simple
  })
  const all = joined('and', statements, 'call')
  const made: SimplePolicy = {
    limits: all.kind === 'and' ? all.of : all.kind === 'true' || all.kind === 'false' ? [] : [all],
    idle,
    never: all.kind === 'false',
  }
  known.set(policy, made)
  return made
}

/** Whether a policy allows everything, however it says so. */
export function isUnlimited(policy: readonly unknown[]): boolean {
  const { limits, never } = simplifyPolicy(policy)
  return limits.length === 0 && !never
}
