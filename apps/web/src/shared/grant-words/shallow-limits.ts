import { type Limit, limitText } from './limits.ts'

/**
 * How many lists of limits can be inside each other. Each is indented, so more would leave no room in a narrow window, and a stranger decides
 * how many there are.
 */
export const DEEPEST = 8

/** Limits in at most so many lists inside each other. What is deeper is in one line, numbered, with nothing left out. */
export function shallowLimits(limits: readonly Limit[], lists = DEEPEST): Limit[] {
  return limits.map((limit) => {
    if (limit.of === undefined) return limit
    return lists > 1 ? { ...limit, of: shallowLimits(limit.of, lists - 1) } : { text: limitText(limit) }
  })
}
