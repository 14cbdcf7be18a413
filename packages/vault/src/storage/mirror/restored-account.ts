export interface RestoreLostOptions {
  /** Stops the work; it can be started again. */
  readonly signal?: AbortSignal
  /** How many of the second copy's records have been restored, out of how many. */
  readonly onProgress?: (done: number, total: number) => void
}

/** What was restored. */
export interface RestoredAccount {
  /** Tokens now in the account. */
  readonly tokens: number
  /** Records the second copy should have but couldn't read. */
  readonly unreadable: number
}
