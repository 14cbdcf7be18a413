import { overwriting } from '../unlock/unlock-proof.ts'
import type { VaultContext } from './context.ts'

/** What a call is to `vault:error` and to the log: the name of the operation, or what tells it from what was given. */
type Operation = string | ((...given: never[]) => string)

/**
 * The outside of a part of the key vault: the methods that are named here and nothing else of it. Each call is an
 * operation of the vault. It rejects with an error of the key-vault layer, which is raised as `vault:error`; a caller's
 * own abort (`signal` in what was given) rejects with its reason; and what came from a passkey is overwritten
 * afterwards, whatever came of it.
 *
 * @param operations the methods, and the operation that each one is
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
  // Each call takes and gives what the method of its name does.
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
