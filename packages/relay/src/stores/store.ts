import type { Link } from './link.ts'
import type { Quota } from './quota.ts'

/** An open mailbox. */
export interface Mailbox {
  /** When it closes, in milliseconds since 1970. */
  readonly until: number
  /** The message in it; undefined while it is empty. */
  readonly message: Uint8Array | undefined
}

/** A revocation that has been checked. */
export interface NewRevocation {
  /** Its own CID. Only one with the same is the same: others may have an effect where this one has none. */
  readonly id: string
  /** DIDs of its issuer and, if that is another, its subject. */
  readonly by: readonly string[]
  /** DID of the owner of the revoked delegation's subject. Selects the feed. */
  readonly subject: string
  /** The quota it counts towards; undefined for the owner's. */
  readonly quota: Quota | undefined
  /** CID of the revoked delegation. */
  readonly cid: string
  /** The revocation with its proofs, as text. */
  readonly revocation: string
  /** When it can be deleted because the delegation has expired, in milliseconds since 1970; null for never. */
  readonly until: number | null
  /** True if it doesn't count towards `bounds.revocations`. */
  readonly isReserved: boolean
}

/** A revocation in a feed. */
export interface Revocation {
  /** Rises with each revocation, and is unique in the store. */
  readonly seq: number
  readonly cid: string
  /** See {@link NewRevocation}. Undefined if an earlier version of the relay stored it. */
  readonly by: readonly string[] | undefined
  readonly revocation: string
  readonly until: number | null
}

/** A record of an account's devices, sealed by one of them. */
export interface NewRecord {
  /** Pseudonym of the account. */
  readonly account: string
  readonly record: Uint8Array
  /** For a head: how many heads of the account its author has read. It is appended only if there are no others. */
  readonly headsRead?: number
}

/** The result for a record. `full` says which limit was reached. */
export type Appended =
  | { readonly result: 'appended' | 'known'; readonly place: number }
  | { readonly result: 'conflict' }
  | { readonly result: 'full'; readonly limit: 'account' | 'relay' }

/** A record in its place. An account's places are 1, 2, 3 and so on, and a record never leaves its place. */
export interface PlacedRecord {
  readonly place: number
  readonly record: Uint8Array
}

/** Something for an owner. It replaces what the same sender left before. */
export interface NewReport {
  /** DID of the owner, or the name of a place for a notice. */
  readonly owner: string
  /** DID of the sender; the owner's own for the card with their key; `notice` for a notice. */
  readonly sender: string
  readonly report: Uint8Array
  /** True if it doesn't count towards `bounds.reportBytes`. */
  readonly isReserved: boolean
}

/** A report as stored. */
export interface Report {
  /** When it is deleted, in milliseconds since 1970. */
  readonly until: number
  readonly report: Uint8Array
}

/** Something may have changed; after `missed`, anything. Hints can get lost or repeat: read the store to know. */
export type Hint =
  | { readonly mailbox: string }
  | { readonly subject: string }
  | { readonly account: string }
  | { readonly missed: true }

/**
 * What a relay stores. Every method is atomic, also across processes that share the store, and rejects with a {@link
 * StoreError} if the store can't answer.
 */
export interface RelayStore {
  /** An id that changes when the store is replaced by a new one. */
  epoch(): Promise<string>
  /** Opens a mailbox for `bounds.mailboxLifetime`. An open one is left unchanged. */
  openMailbox(id: string, now: number): Promise<'open' | 'full'>
  /** Stores the one message of a mailbox. */
  putMessage(id: string, message: Uint8Array, now: number): Promise<'stored' | 'unknown' | 'taken' | 'full'>
  /** Returns the mailbox if it is open. */
  readMailbox(id: string, now: number): Promise<Mailbox | undefined>
  /** Adds a revocation to its owner's feed. After `added` it survives a crash. */
  addRevocation(revocation: NewRevocation): Promise<'added' | 'known' | 'full'>
  /** Returns up to `limit` revocations of a feed after `seq`, in order. */
  revocationsSince(subject: string, seq: number, limit: number): Promise<readonly Revocation[]>
  /** Returns the `seq` of the newest revocation of a feed; 0 for an empty feed. */
  lastSeq(subject: string): Promise<number>
  /** Whether a feed has a revocation that has an effect on this chain. @param chain root first */
  hasRevoked(subject: string, chain: readonly Link[]): Promise<boolean>
  /**
   * Appends a record to its account. A head is appended only if its author has read all heads of the account. The same
   * bytes again are `known`, so a device that got no answer can try again. After `appended` or `known` the record
   * survives a crash.
   */
  appendRecord(record: NewRecord): Promise<Appended>
  /**
   * Returns up to `limit` records of an account from `place` on, in order, but not more than 4 MiB, except for a single
   * record.
   */
  recordsFrom(account: string, place: number, limit: number): Promise<readonly PlacedRecord[]>
  /** Stores a report for `bounds.reportLifetime`, in place of the sender's last one. */
  putReport(report: NewReport, now: number): Promise<'stored' | 'full'>
  /** Returns the report of a sender to an owner. */
  readReport(owner: string, sender: string, now: number): Promise<Report | undefined>
  /** Deletes closed mailboxes, old reports, and revocations of expired delegations. */
  deleteExpired(now: number): Promise<void>
  /** Calls `changed` with each hint. @returns a function that stops it */
  watch(changed: (hint: Hint) => void): () => void
  close(): Promise<void>
}

/** The store can't be reached, read or written. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code = 'STORE_FAILED'
}
