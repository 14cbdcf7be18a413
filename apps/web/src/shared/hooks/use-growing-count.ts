import { useState } from 'react'

/** How many rows a list has room for at first, and how many it adds when its end is near. */
const BATCH = 1_000
/** How near, in rows. */
const NEAR = 100

/**
 * Room for the rows of a very long list. Some browsers can't lay out more than 17 million pixels, and each measured row with an unexpected
 * height moves all rows below it.
 * @param total how many rows there are
 * @returns how many there is room for, and a function to tell the last visible row to, while rendering
 */
export function useGrowingCount(total: number): { count: number; see: (last: number) => void } {
  const [limit, setLimit] = useState(BATCH)
  return {
    count: Math.min(total, limit),
    see: (last) => {
      if (last >= limit - NEAR && limit < total) setLimit(limit + BATCH)
    },
  }
}
