import { asStatement, type Comparison, type Statement } from '../policy/statement.ts'
import { toSelector, toValue, valueText } from '../policy/value-text.ts'

/** The kind of a limit as the person chooses it: compares a field, joins others, or applies to a list. */
export type NodeKind = Comparison | 'like' | 'and' | 'or' | 'not' | 'all' | 'any'

/**
 * One limit as a person fills it in. It keeps every field when its kind changes, so that switching back loses nothing. `of` has the limits
 * inside: any number for `and` and `or`, one for `not`, `all` and `any`.
 */
export interface PolicyNode {
  id: number
  kind: NodeKind
  field: string
  value: string
  of: readonly PolicyNode[]
}

let last = 0

/** An empty limit to fill in. */
export function emptyNode(kind: NodeKind = '=='): PolicyNode {
  last += 1
  return { id: last, kind, field: '', value: '', of: [] }
}

/** Whether a kind has others inside: a list of them, or one. */
export function insides(kind: NodeKind): 'none' | 'one' | 'many' {
  if (kind === 'and' || kind === 'or') return 'many'
  return kind === 'not' || kind === 'all' || kind === 'any' ? 'one' : 'none'
}

/** Whether a kind is about a field. */
export function hasField(kind: NodeKind): boolean {
  return kind !== 'and' && kind !== 'or' && kind !== 'not'
}

/** The same limit as another kind. It keeps the limits inside it, and gets an empty one if it needs one. */
export function withKind(node: PolicyNode, kind: NodeKind): PolicyNode {
  const needs = insides(kind)
  if (needs === 'none' || node.of.length > 0) return { ...node, kind }
  // A filled-in comparison goes inside the new group.
  const inner =
    insides(node.kind) === 'none' && node.field !== '' ? { ...node, id: emptyNode().id } : emptyNode()
  return { ...node, kind, field: hasField(kind) ? '' : node.field, of: [inner] }
}

/** A limit as a policy statement. */
export function nodeStatement(node: PolicyNode): unknown[] {
  const { kind, field, value, of } = node
  const [first] = of
  switch (kind) {
    case 'and':
    case 'or':
      return [kind, of.map(nodeStatement)]
    case 'not':
      return [kind, first === undefined ? [] : nodeStatement(first)]
    case 'all':
    case 'any':
      return [kind, toSelector(field), first === undefined ? [] : nodeStatement(first)]
    case 'like':
      return [kind, toSelector(field), value]
    default:
      return [kind, toSelector(field), toValue(value)]
  }
}

function toNode(statement: Statement): PolicyNode {
  const { kind } = statement
  switch (kind) {
    case 'compare':
      return {
        ...emptyNode(statement.operator),
        field: statement.selector,
        value: valueText(statement.value),
      }
    case 'like':
      return { ...emptyNode(kind), field: statement.selector, value: statement.pattern }
    case 'and':
    case 'or':
      return { ...emptyNode(kind), of: statement.of.map(toNode) }
    case 'not':
      return { ...emptyNode(kind), of: [toNode(statement.of)] }
    case 'all':
    case 'any':
      return { ...emptyNode(kind), field: statement.selector, of: [toNode(statement.of)] }
  }
}

/** A policy as limits to edit. Undefined if one of its statements can't be read. */
export function policyNodes(policy: readonly unknown[]): PolicyNode[] | undefined {
  const nodes: PolicyNode[] = []
  for (const statement of policy) {
    const read = asStatement(statement)
    if ('problem' in read) return undefined
    nodes.push(toNode(read))
  }
  return nodes
}
