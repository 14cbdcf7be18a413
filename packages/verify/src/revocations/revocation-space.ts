/** Characters of revocations that a store has in total, unless it is told otherwise. */
export const MOST_CHARACTERS = 64 << 20
/** One share of this many is for all quotas together, and for each of them. */
const ALL_QUOTAS = 2
const EACH_QUOTA = 64

/** How many characters are used: by all revocations, by those of all quotas, and by those of one quota. */
export interface UsedSpace {
  readonly all: number
  readonly quotas: number
  readonly quota: number
}

/**
 * Whether a revocation fits. Owners can use all of the space, all others half, and those of one quota 1/64.
 * @param quota the quota that it counts towards; undefined for an owner's
 */
export function hasSpace(used: UsedSpace, length: number, quota: string | undefined, most: number): boolean {
  if (used.all + length > most) return false
  return (
    quota === undefined ||
    (used.quotas + length <= most / ALL_QUOTAS && used.quota + length <= most / EACH_QUOTA)
  )
}

/** The space that is used in memory. */
export class RevocationSpace {
  readonly #most: number
  readonly #each = new Map<string, number>()
  #all = 0
  #quotas = 0

  /** @param most characters of all revocations together */
  constructor(most: number) {
    this.#most = most
  }

  /** Whether a revocation of this length fits. */
  fits(length: number, quota: string | undefined): boolean {
    const used = { all: this.#all, quotas: this.#quotas, quota: this.#each.get(quota ?? '') ?? 0 }
    return hasSpace(used, length, quota, this.#most)
  }

  /** Counts a revocation that was added, whether it fits or not. */
  use(length: number, quota: string | undefined): void {
    this.#all += length
    if (quota === undefined) return
    this.#quotas += length
    this.#each.set(quota, (this.#each.get(quota) ?? 0) + length)
  }
}
