import { useState } from 'react'

/** Rows that a list has room for at first, and once more each time its end comes near. */
const BATCH = 1_000
/** How near, in rows. */
const NEAR = 100

/**
 * Room for the rows of a list that may have very many: some browsers lay out no more than 17 million pixels, and
 * of rows that are measured each one that is not as high as it was taken for moves all below it.
 *
 * @param total how many there are
 * @returns for how many there is room, and whom to tell the last row that is in sight, while rendering
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
