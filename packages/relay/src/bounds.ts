/** How much a relay stores, no matter who asks. */
export interface Bounds {
  /** How long a mailbox stays open, in milliseconds. */
  readonly mailboxLifetime: number
  /** Longest message, in bytes. */
  readonly messageLength: number
  /** Mailboxes open at the same time. */
  readonly mailboxes: number
  /** Total bytes of all messages. */
  readonly messageBytes: number
  /** Longest revocation with its proofs, as text, in bytes. */
  readonly revocationLength: number
  /** Revocations that one owner signs. */
  readonly ownRevocations: number
  /** Revocations in one owner's feed that others signed. */
  readonly othersRevocations: number
  /** Revocations signed by all below those of the owner's grants that are for one DID. See `quotaLimit`. */
  readonly revocationsPerGrantee: number
  /** Revocations of all owners without reserved space. */
  readonly revocations: number
  /** Longest record of an account's devices, in bytes. */
  readonly recordLength: number
  /** Records of one account. */
  readonly recordsPerAccount: number
  /** Total bytes of one account's records. */
  readonly recordBytesPerAccount: number
  /** Total bytes of the records of all accounts. */
  readonly recordBytes: number
  /** How long a report of use is stored after it was written, in milliseconds. */
  readonly reportLifetime: number
  /** Longest report, in bytes. */
  readonly reportLength: number
  /** Reports to one owner, from different senders. The owner's card counts too. */
  readonly reportsPerOwner: number
  /** Total bytes of the reports to all owners without reserved space. */
  readonly reportBytes: number
}

export const BOUNDS: Bounds = {
  mailboxLifetime: 600_000,
  messageLength: 65_536,
  mailboxes: 10_000,
  messageBytes: 256 << 20,
  revocationLength: 8_192,
  ownRevocations: 10_000,
  // With those of the owner, as many as a service accepts (`MOST` in packages/verify/src/revocations/feed-revocations.ts).
  othersRevocations: 4_500,
  revocationsPerGrantee: 750,
  revocations: 200_000,
  recordLength: 786_432,
  recordsPerAccount: 100_000,
  recordBytesPerAccount: 64 << 20,
  recordBytes: 8 * 2 ** 30,
  reportLifetime: 90 * 86_400_000,
  reportLength: 131_072,
  reportsPerOwner: 64,
  reportBytes: 256 << 20,
}
