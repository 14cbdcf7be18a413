/** Remembers which invocations were used. One contract test holds for all: `claim-store.contract.ts`. */
export interface ClaimStore {
  /**
   * Claims an invocation. Atomic, also across processes that share the store.
   *
   * @param cid the invocation's CID
   * @param until until when it could be used, in seconds since 1970. It is remembered as long.
   * @param now seconds since 1970
   * @returns true for the first claim; false for every other, and for one that comes after `until`
   * @throws VerifyError STORE_FAILED: the claim may have been made
   */
  claim(cid: string, until: number, now: number): Promise<boolean>
  close(): Promise<void>
}
