import { isRefusal } from '@keyhole/enclave'
import type { MessageDescriptor } from '@lingui/core'
import { type Explained, explain, explainRule } from '../../../shared/words/explain-refusal.ts'
import type { Sandbox } from '../engine/sandbox.ts'

/** The outcome of an attack. */
export interface Outcome {
  /** Whether the attack was refused. */
  readonly refused: boolean
  /** The name of the refusal. */
  readonly by: string
  /** The refusal in words. */
  readonly explain: () => Explained
}

/** Something a thief or a careless friend would try. */
export interface Attack {
  readonly id: string
  readonly name: MessageDescriptor
  /** What it tries. */
  readonly note: MessageDescriptor
  /** Why it can't work. */
  readonly why: MessageDescriptor
  /** Runs it, and returns the plugin's answer to the last step. */
  readonly run: (sandbox: Sandbox) => Promise<unknown>
}

/** Attacks of one kind. */
export interface AttackGroup {
  readonly id: string
  readonly name: MessageDescriptor
  readonly attacks: readonly Attack[]
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** Reads an answer of the plugin: a refusal, a verdict, or a success, which must not happen here. */
export function judgeAnswer(answer: unknown): Outcome {
  if (isRefusal(answer))
    return { refused: true, by: answer.name ?? answer.code, explain: () => explain(answer) }
  if (field(answer, 'valid') === false) {
    const rule = Object(field(answer, 'error'))
    return { refused: true, by: String(field(rule, 'name') ?? ''), explain: () => explainRule(rule) }
  }
  return { refused: false, by: '', explain: () => explain(answer) }
}
