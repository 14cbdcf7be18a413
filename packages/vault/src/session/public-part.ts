import { overwriting } from '../unlock/unlock-proof.ts'
import type { VaultContext } from './context.ts'

/** The operation's name for `vault:error` and the log, or a function that gets it from the arguments. */
type Operation = string | ((...given: never[]) => string)

/**
 * The public side of a part of the key vault: only the methods named here. Each call is an operation of the vault. It
 * rejects with a key-vault error, also raised as `vault:error`; if the caller aborted (`signal` in the arguments), it
 * rejects with the signal's reason. Passkey secrets in the arguments are always overwritten afterwards.
 * @param operations the methods, with the operation of each
 */
export function publicPart<Part extends object, Name extends keyof Part & string>(
  context: VaultContext,
  part: Part,
  operations: Readonly<Record<Name, Operation>>,
): Pick<Part, Name> {
  const outside = Object.entries<Operation>(operations).map(([name, operation]) => {
    const call = (...given: readonly unknown[]) => {
      const act = typeof operation === 'string' ? operation : Reflect.apply(operation, undefined, given)
      const work = async () => await Reflect.apply(methodOf(part, name), part, given)
      return overwriting(given, () => context.guard(act, work, signalIn(given)))
    }
    return [name, call] as const
  })
  // Each call has the same type as the method it wraps.
  return Object.fromEntries(outside) as unknown as Pick<Part, Name>
}

function methodOf(part: object, name: string): (...given: unknown[]) => unknown {
  return Reflect.get(part, name)
}

function signalIn(given: readonly unknown[]): AbortSignal | undefined {
  for (const each of given) {
    const signal: unknown =
      typeof each === 'object' && each !== null ? Reflect.get(each, 'signal') : undefined
    if (signal instanceof AbortSignal) return signal
  }
  return undefined
}
