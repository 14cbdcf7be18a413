/** Remembers which invocations were used. All stores pass the same contract test: `claim-store.contract.ts`. */
export interface ClaimStore {
  /**
   * Claims an invocation. Atomic, even across processes that share the store.
   * @param cid the invocation's CID
   * @param until until when it can be used, in seconds since 1970. The claim is remembered as long.
   * @param now seconds since 1970
   * @returns true for the first claim; false for every other, and for one after `until`
   * @throws VerifyError STORE_FAILED: the claim may have been made
   */
  claim(cid: string, until: number, now: number): Promise<boolean>
  close(): Promise<void>
}
