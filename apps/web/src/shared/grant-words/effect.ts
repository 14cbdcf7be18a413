import { t } from '@lingui/core/macro'
import { quotablePath } from '../text/visible.ts'
import { commandWords } from '../words/command.ts'
import { fieldName } from '../words/policy.ts'
import { coversAllFields, type Limit, letsMissingThrough, lookedAt, policyLimits } from './limits.ts'

/** What a command and a policy add up to: what is allowed, what isn't, what is left open, and a warning. */
export interface Effect {
  allowed: string
  /** All of them must be true. */
  conditions: readonly Limit[]
  /** What limits nothing, or isn't limited. */
  notes: readonly string[]
  refused: string
  open: string
  warning: string | undefined
}

/** The fields that a policy's simplest form looks at, without duplicates. */
export function fieldsOf(policy: readonly unknown[]): string[] {
  return lookedAt(policy).map(fieldName)
}

/** A policy's effect in words. */
export function policyEffect(command: string, policy: readonly unknown[]): Effect {
  const looked = fieldsOf(policy).filter((name) => name !== '.' && name !== '[]')
  const names = looked.map((name) => t`“${quotablePath(name)}”`).join(', ')
  const { limits, notes, never } = policyLimits(command, policy)
  return {
    allowed: never ? t`Nothing: no call can meet the limits.` : commandWords(command),
    conditions: limits,
    notes,
    refused:
      limits.length === 0
        ? t`Any command that isn’t under ${command}.`
        : t`Any command that isn’t under ${command}, and any request that misses one of the conditions.`,
    open: coversAllFields(command, policy)
      ? t`Nothing: a condition looks at the request as a whole.`
      : looked.length === 0
        ? t`Everything in the request: no field of it is looked at.`
        : t`Everything except ${names}.`,
    warning: letsMissingThrough(policy)
      ? t`A “not” allows what is missing: it passes when a request leaves its field out.`
      : undefined,
  }
}
