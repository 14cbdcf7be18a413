import { t } from '@lingui/core/macro'
import { firstField } from '../policy/selector.ts'
import { isUnlimited } from '../policy/simplify.ts'
import { quotablePath } from '../text/visible.ts'
import { commandWords } from '../words/command.ts'
import { fieldName } from '../words/policy.ts'
import {
  coversAllFields,
  isPayment,
  type Limit,
  letsMissingThrough,
  lookedAt,
  policyLimits,
} from './limits.ts'

/** What a command and a policy add up to: what is allowed, what isn't, what is left open, and a warning. */
export interface Effect {
  allowed: string
  /** All of them must be true. */
  conditions: readonly Limit[]
  /** What limits nothing, as sentences. */
  notes: readonly string[]
  refused: string
  /** What isn't limited, as sentences, each of it once. Empty if no call can match. */
  open: readonly string[]
  warning: string | undefined
}

/** The fields that a policy's simplest form looks at, without duplicates. */
export function fieldsOf(policy: readonly unknown[]): string[] {
  return lookedAt(policy).map(fieldName)
}

/** A policy's effect in words. */
export function policyEffect(command: string, policy: readonly unknown[]): Effect {
  const { limits, notes, open, never } = policyLimits(command, policy)
  return {
    allowed: never ? t`Nothing: no call can meet the limits.` : commandWords(command),
    conditions: limits,
    notes: notes.filter((note) => !open.includes(note)),
    refused: never
      ? t`Any request.`
      : limits.length === 0
        ? t`Any command that isn’t under ${command}.`
        : t`Any command that isn’t under ${command}, and any request that doesn’t meet every condition.`,
    open: never ? [] : openWords(command, policy, open),
    warning: letsMissingThrough(policy)
      ? t`A “not” allows what is missing: it passes when a request leaves its field out.`
      : undefined,
  }
}

/** What isn't limited. Of a payment, whose fields Keyhole knows, by name: one that a condition only looks at may still be open. */
function openWords(command: string, policy: readonly unknown[], open: readonly string[]): readonly string[] {
  if (isUnlimited(policy)) return [t`Everything in the request: no condition looks at it.`]
  if (coversAllFields(command, policy)) return [t`Nothing: a condition looks at the request as a whole.`]
  if (isPayment(command)) {
    const namesOrder = lookedAt(policy).some((selector) => firstField(selector) === '.order')
    const all = namesOrder ? open : [...open, t`The order is not limited.`]
    return all.length === 0 ? [t`Nothing: a condition names each field.`] : all
  }
  const looked = fieldsOf(policy).filter((name) => name !== '.' && name !== '[]')
  const names = looked.map((name) => t`“${quotablePath(name)}”`).join(', ')
  return [names === '' ? t`Everything else in the request.` : t`Everything except ${names}.`]
}
