import { t } from '@lingui/core/macro'
import { asStatement } from '../policy/statement.ts'
import { hasField, insides, nodeStatement, type PolicyNode } from './node.ts'

/** What is wrong with a limit itself, in words. Limits inside it are checked separately. */
export function nodeProblem(node: PolicyNode): string | undefined {
  if (hasField(node.kind) && node.field.trim() === '') return t`Name the field that this limit is about.`
  if (insides(node.kind) !== 'none') return undefined
  if (node.value.trim() === '' && node.kind !== 'like') return t`Say what the field is compared with.`
  const read = asStatement(nodeStatement(node))
  return 'problem' in read ? read.problem : undefined
}

/** Problems of limits and everything inside them, by id. */
export function nodeProblems(nodes: readonly PolicyNode[]): Record<number, string> {
  const found: Record<number, string> = {}
  const visit = (node: PolicyNode) => {
    const problem = nodeProblem(node)
    if (problem !== undefined) found[node.id] = problem
    if (insides(node.kind) !== 'none') node.of.forEach(visit)
  }
  nodes.forEach(visit)
  return found
}
