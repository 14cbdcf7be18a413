import { exactJson } from '../policy/json.ts'
import { nodeStatement, type PolicyNode, policyNodes } from './node.ts'
import { nodeProblems } from './node-problem.ts'
import { readPolicy } from './policy-text.ts'

/** A policy being edited in words or as text. The side edited last counts. */
export interface PolicyDraft {
  nodes: readonly PolicyNode[]
  text: string
  edited: 'words' | 'text'
}

export const EMPTY_POLICY: PolicyDraft = { nodes: [], text: '[]', edited: 'words' }

/** The policy that a draft contains, and what is wrong with either side. */
export interface ReadPolicyDraft {
  policy: unknown[]
  /** By the limits' ids. */
  nodeProblems: Readonly<Record<number, string>>
  textProblem: string | undefined
  ok: boolean
}

/** A draft from a policy's statements. */
export function policyDraft(policy: readonly unknown[]): PolicyDraft {
  return { nodes: policyNodes(policy) ?? [], text: exactJson(policy), edited: 'words' }
}

/** Applies an edit in words. The text follows unless the words are unfinished. */
export function editWords(draft: PolicyDraft, nodes: readonly PolicyNode[]): PolicyDraft {
  const isDone = Object.keys(nodeProblems(nodes)).length === 0
  return { nodes, text: isDone ? exactJson(nodes.map(nodeStatement)) : draft.text, edited: 'words' }
}

/** Applies an edit of the text. The words follow unless the text can't be read. */
export function editText(draft: PolicyDraft, text: string): PolicyDraft {
  const read = readPolicy(text)
  const nodes = 'problem' in read ? undefined : policyNodes(read.policy)
  return { nodes: nodes ?? draft.nodes, text, edited: 'text' }
}

/** Reads a draft. Unfinished limits are left out. */
export function readPolicyDraft(draft: PolicyDraft): ReadPolicyDraft {
  if (draft.edited === 'text') {
    const read = readPolicy(draft.text)
    if ('problem' in read) return { policy: [], nodeProblems: {}, textProblem: read.problem, ok: false }
    return { policy: read.policy, nodeProblems: {}, textProblem: undefined, ok: true }
  }
  const problems = nodeProblems(draft.nodes)
  const done = draft.nodes.filter((node) => Object.keys(nodeProblems([node])).length === 0)
  return {
    policy: done.map(nodeStatement),
    nodeProblems: problems,
    textProblem: undefined,
    ok: done.length === draft.nodes.length,
  }
}
