import type { Value } from '../../../enclave/src/test/naive-evaluator.ts'
import { container, delegation, invocation } from '../../../enclave/src/test/naive-tokens.ts'
import { owner, stranger } from './parts.ts'

/** JSON as tokens have it. */
export function toValue(from: unknown): Value {
  if (typeof from === 'number') return Number.isInteger(from) ? BigInt(from) : from
  if (Array.isArray(from)) return from.map(toValue)
  if (typeof from === 'object' && from !== null)
    return new Map(Object.entries(from).map(([key, each]) => [key, toValue(each)]))
  return from as Value
}

/** A call by the stranger under a grant of the owner's, whatever the arguments: no holder looks at them first. */
export function signedCall(
  gate: string,
  command: string,
  args: object,
  grant: { readonly command?: string; readonly policy?: readonly unknown[] } = {},
): string {
  const { command: cmd = '/http', policy = [] } = grant
  const granted = delegation(owner, stranger, { cmd, pol: toValue(policy) })
  const exp = BigInt(Math.floor(Date.now() / 1_000) + 60)
  const made = invocation(stranger, owner, [granted], { cmd: command, aud: gate, exp, args: toValue(args) })
  return container([granted, made])
}
