import type { Enclave } from '@keyhole/enclave'
import { refused } from '../base/errors.ts'
import { openSealed } from '../enclave/open-sealed.ts'
import type { OpenStorage } from '../storage/account/account-storage.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'
import { ENDED_PREFIX, type Expiry, endedTokensOf } from '../storage/expiry.ts'
import type { JournaledStore } from '../storage/journal/journal-lines.ts'
import { byNewest, CopiedRecords } from '../storage/mirror/copied-records.ts'
import { findCopy, type MirroredState } from '../storage/mirror/mirror.ts'
import type { MirrorHealth } from '../storage/mirror/mirror-writer.ts'
import { readOnlyError } from '../storage/read-only.ts'
import {
  type MetadataRecord,
  type SessionRecord,
  STATE_ID,
  type StateRecord,
  type TokenRecord,
} from '../storage/schema.ts'
import type { OpenedAccount } from './open-account.ts'

/** An account read from its second copy, in memory. Read-only, for an account whose database doesn't open. */
export class CopiedStorage implements OpenStorage {
  readonly isCopy = true
  readonly address: string
  readonly #state: MirroredState
  readonly #records: CopiedRecords

  private constructor(state: MirroredState, records: CopiedRecords) {
    this.address = state.address
    this.#state = state
    this.#records = records
  }

  /** @throws VaultError OPERATION_FAILED if the copy doesn't hold the account's keys */
  static async open(address: string): Promise<CopiedStorage> {
    const copy = await findCopy(address)
    if (copy) return new CopiedStorage(copy.state, await CopiedRecords.read(copy.mirror))
    throw refused('CopyWithoutKeys')
  }

  close(): void {}

  async startMirror(): Promise<void> {}

  async mirrored(): Promise<void> {}

  async renewMirror(): Promise<void> {}

  async mirrorHealth(): Promise<MirrorHealth> {
    return { mirror: 'alone', mirroredAt: this.#state.savedAt }
  }

  async readState(): Promise<StateRecord> {
    const { address, createdAt, savedAt, enclave } = this.#state
    const about = { accountAddress: address, isInitialized: true, lastAccessed: savedAt }
    return { id: STATE_ID, ...about, enclave, createdAt }
  }

  async isRestored(): Promise<boolean> {
    return false
  }

  async readTokens(): Promise<TokenRecord[]> {
    const tokens: TokenRecord[] = []
    for await (const page of this.#records.tokenPages()) tokens.push(...page)
    return tokens.sort(byNewest)
  }

  async findToken(issuer: string, cid: string): Promise<TokenRecord | undefined> {
    return (await this.readTokens()).find((each) => each.issuer === issuer && each.cid === cid)
  }

  async readToken(id: string): Promise<TokenRecord | undefined> {
    return this.#records.token(id)
  }

  readSessions(): Promise<SessionRecord[]> {
    return this.#records.readSessions()
  }

  async readMetadata(): Promise<MetadataRecord[]> {
    return this.#records.metadataUnder('')
  }

  async readMetadataUnder(prefix: string): Promise<MetadataRecord[]> {
    return this.#records.metadataUnder(prefix)
  }

  async metadataKeysUnder(prefix: string): Promise<string[]> {
    return this.#records.metadataUnder(prefix).map(({ key }) => key)
  }

  async readMetadataOf(key: string): Promise<MetadataRecord | undefined> {
    return this.#records.metadata(key)
  }

  async readEndedTokens(): Promise<TokenRecord[]> {
    return endedTokensOf(this.#records.metadataUnder(`${ENDED_PREFIX}tokens:`))
  }

  tokenPages(size?: number): AsyncGenerator<TokenRecord[]> {
    return this.#records.tokenPages(size)
  }

  metadataPages(size?: number): AsyncGenerator<MetadataRecord[]> {
    return this.#records.metadataPages(size)
  }

  async count(store: JournaledStore): Promise<number> {
    return this.#records.count(store)
  }

  /** Read-only storage has no clean-up. */
  async readExpired(): Promise<Expiry> {
    return { tokens: [], sessions: [], forgotten: [] }
  }

  expiryBatch(): StateBatch {
    return {}
  }

  async restoreUnexpired(): Promise<number> {
    return 0
  }

  async writeState(): Promise<void> {
    throw readOnlyError()
  }

  async setUnreadableStateAside(): Promise<boolean> {
    throw readOnlyError()
  }

  async clearState(): Promise<void> {
    throw readOnlyError()
  }

  async beginFilling(): Promise<void> {
    throw readOnlyError()
  }

  async dropUnfinished(): Promise<void> {
    throw readOnlyError()
  }

  async takeBackState(): Promise<void> {
    throw readOnlyError()
  }

  async addToken(): Promise<TokenRecord> {
    throw readOnlyError()
  }

  async removeToken(): Promise<void> {
    throw readOnlyError()
  }

  async putSession(): Promise<void> {
    throw readOnlyError()
  }

  async removeSession(): Promise<void> {
    throw readOnlyError()
  }

  async putMetadata(): Promise<void> {
    throw readOnlyError()
  }

  async writeBatch(): Promise<void> {
    throw readOnlyError()
  }

  async exchange(): Promise<void> {
    throw readOnlyError()
  }

  async sameTokens(): Promise<ReadonlyMap<string, TokenRecord>> {
    throw readOnlyError()
  }
}

/** Opens a lost account in an enclave from its second copy. @throws VaultError OPERATION_FAILED */
export async function openCopied(address: string, enclave: Enclave): Promise<OpenedAccount> {
  const storage = await CopiedStorage.open(address)
  const { enclave: sealed } = await storage.readState()
  const status = await openSealed(enclave, sealed)
  if (status.address === address) return { address, storage, sealed }
  throw refused('CopyOfOtherAccount')
}
