import { isRefusal } from '../errors.ts'
import { isBatchResult, isTooMuchWork, resultsOf, withReplays } from './results.ts'

/**
 * The answer of `validate_batch`, with what one call had no work left for asked about once more, in halves, down to a call of its own:
 * so that what is said of an invocation does not depend on which others were sent with it.
 *
 * @param input the call's
 * @param answer what the plugin said of it
 * @param timeout milliseconds for all that is left to ask
 * @param ask makes another call of `validate_batch`
 * @throws whatever `ask` rejects with; EnclaveError OPERATION_FAILED where it answers nonsense
 */
export async function completed(
  input: unknown,
  answer: unknown,
  timeout: number,
  ask: (input: unknown, timeout: number) => Promise<unknown>,
): Promise<unknown> {
  if (!hasInvocations(input) || !isBatchResult(answer)) return answer
  const { invocations } = input
  const results = [...answer.results]
  const left = [...results.keys()].filter((at) => isLeft(results[at]))
  if (invocations.length < 2 || left.length === 0) return answer
  const end = performance.now() + timeout
  const queue = halvesOf(left)
  for (let part = queue.shift(); part; part = queue.shift()) {
    const again = { ...input, invocations: part.map((at) => invocations[at]) }
    const said = await ask(again, end - performance.now())
    if (isRefusal(said)) return said
    const partial = resultsOf(said, part.length)
    for (const [place, result] of partial.entries()) results[part[place] ?? -1] = result
    if (part.length > 1) queue.unshift(...halvesOf(part.filter((at) => isLeft(results[at]))))
  }
  return { ...answer, results: withReplays(results) }
}

function hasInvocations(input: unknown): input is { readonly invocations: readonly unknown[] } {
  return (
    typeof input === 'object' && input !== null && 'invocations' in input && Array.isArray(input.invocations)
  )
}

function isLeft(result: Parameters<typeof isTooMuchWork>[0] | undefined): boolean {
  return result !== undefined && isTooMuchWork(result)
}

/** The two halves of a list, without those that are empty. */
function halvesOf(positions: readonly number[]): number[][] {
  const half = Math.ceil(positions.length / 2)
  return [positions.slice(0, half), positions.slice(half)].filter((part) => part.length > 0)
}
