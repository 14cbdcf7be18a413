import { Budget } from '../codec/work-budget.ts'
import { HolderError } from '../errors.ts'
import { writeContainer } from './container.ts'
import { isDelegation } from './payload.ts'
import { readTokens } from './read.ts'

/** Work that a stranger's call may cost, in billionths of a second: a long one takes less. */
const MOST_WORK = 20_000_000

/** The grants in a call, as one text without the call. Undefined if it can't be read, or there are none. Checks nothing. */
export async function grantsIn(call: string): Promise<string | undefined> {
  try {
    const tokens = await readTokens(call, new Budget(MOST_WORK))
    const grants = tokens.filter(isDelegation)
    return grants.length > 0 ? await writeContainer(grants.map(({ bytes }) => bytes)) : undefined
  } catch (error) {
    if (error instanceof HolderError) return undefined
    throw error
  }
}
