import { t } from '@lingui/core/macro'
import { asStatement, type Statement } from '../policy/statement.ts'
import { commandWords } from './command.ts'
import { limitWords } from './limits.ts'
import { fieldName, letsMissingThrough } from './policy.ts'
import { quotable } from './value.ts'

/** What a command and a policy come to: what is allowed, what is not, what is left open, and what to beware of. */
export interface Effect {
  allowed: string
  conditions: string[]
  refused: string
  open: string
  warning: string | undefined
}

function fields(statement: Statement): string[] {
  switch (statement.kind) {
    case 'compare':
    case 'like':
      return [fieldName(statement.selector)]
    case 'and':
    case 'or':
      return statement.of.flatMap(fields)
    case 'not':
      return fields(statement.of)
    case 'all':
    case 'any':
      return [fieldName(statement.selector)]
  }
}

/** The fields that a policy looks at, each once. */
export function fieldsOf(policy: readonly unknown[]): string[] {
  const all = policy.flatMap((statement) => {
    const read = asStatement(statement)
    return 'problem' in read ? [] : fields(read)
  })
  return [...new Set(all)]
}

/** A policy's effect in words. */
export function policyEffect(command: string, policy: readonly unknown[]): Effect {
  const looked = fieldsOf(policy)
  const names = looked.map((name) => t`“${quotable(name)}”`).join(', ')
  const isWhole = looked.includes('.')
  return {
    allowed: commandWords(command),
    conditions: limitWords(command, policy),
    refused:
      policy.length === 0
        ? t`Any command that does not stand under ${command}.`
        : t`Any command that does not stand under ${command}, and any request that misses one of the conditions.`,
    open: isWhole
      ? t`Nothing: a condition looks at the request as a whole.`
      : looked.length === 0
        ? t`Everything in the request: no field of it is looked at.`
        : t`Everything else in the request: only ${names} are looked at.`,
    warning: letsMissingThrough(policy)
      ? t`A “not” lets through what is missing: where its field is left out of a request, it holds.`
      : undefined,
  }
}
