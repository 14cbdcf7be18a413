import { isRefusal } from '../errors.ts'
import { isBatchResult, isTooMuchWork, resultsOf, withReplays } from './results.ts'

/**
 * Completes an answer of `validate_batch`. Invocations for which the call had no work left are sent again, in halves,
 * down to one per call, so that the result for an invocation doesn't depend on the others sent with it.
 * @param input the call's input
 * @param answer the plugin's answer to it
 * @param timeout milliseconds for everything sent again
 * @param ask makes another call of `validate_batch`
 * @throws whatever `ask` rejects with; EnclaveError OPERATION_FAILED if its answer makes no sense
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

/** The two halves of a list, without empty ones. */
function halvesOf(positions: readonly number[]): number[][] {
  const half = Math.ceil(positions.length / 2)
  return [positions.slice(0, half), positions.slice(half)].filter((part) => part.length > 0)
}
