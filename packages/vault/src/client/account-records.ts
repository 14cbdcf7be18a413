import type { VaultConfig, VaultDependencies } from '../base/config.ts'
import { browserValues, memoryValues } from '../base/local-values.ts'
import type { SessionRecord, TokenRecord } from '../storage/schema.ts'
import { payloadOf, type SaveTokenExtra, type SignedToken, toTokenRecord } from '../storage/token-record.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import { AccountState } from './account-state.ts'
import type { ClientListener } from './client-listener.ts'
import { ClockWitness } from './clock-witness.ts'
import { ExpiryCleanup } from './expiry-cleanup.ts'
import type { OpenedAccount } from './open-account.ts'

/** The tokens and the sessions of the account that a client has open. */
export abstract class AccountRecords extends AccountState {
  protected readonly expiry: ExpiryCleanup
  readonly #witness: ClockWitness

  constructor(config: VaultConfig, dependencies: VaultDependencies, listener: ClientListener) {
    super(config, dependencies, listener)
    const values = this.isPersistent ? browserValues() : memoryValues()
    this.#witness = new ClockWitness(this.clock, values, dependencies.serverTime)
    this.expiry = new ExpiryCleanup(this.clock, this.#witness, listener, () => this.openStorage)
  }

  /** Every readable stored token, newest first. */
  async getPersistedTokens(): Promise<TokenRecord[]> {
    return await this.storage.readTokens()
  }

  /**
   * Stores a token as returned by the plugin. A token with the same CID is stored only once.
   * @returns the stored record
   */
  async saveToken(result: SignedToken, extra: SaveTokenExtra = {}): Promise<TokenRecord> {
    const { storage } = this
    const described = await this.describeToken(result, extra)
    const record = await withWriteLock(storage.address, () => storage.addToken(described))
    await this.acted({ type: 'stored', what: 'tokens' })
    return record
  }

  /** The record that `saveToken` would store. */
  async describeToken(result: SignedToken, extra: SaveTokenExtra = {}): Promise<TokenRecord> {
    // A token made here comes with its payload. Any other is read in an enclave without keys.
    const said = result.payload ?? payloadOf(await this.inspectToken(result.token), result.cid)
    return toTokenRecord(result, said, extra, this.clock.now())
  }

  async removeToken(id: string): Promise<void> {
    const { storage } = this
    await withWriteLock(storage.address, () => storage.removeToken(id))
    await this.acted({ type: 'stored', what: 'tokens' })
  }

  /**
   * Deletes expired tokens and sessions and returns how many. Grants given and received, and sessions, stay in the
   * metadata for 90 days after they end. While the clock isn't trusted, nothing is deleted, and what was removed by a
   * clock that was ahead is restored.
   */
  async removeExpiredTokens(): Promise<number> {
    const removed = await this.expiry.remove(this.storage)
    if (removed > 0)
      for (const what of ['tokens', 'sessions'] as const) await this.acted({ type: 'stored', what })
    return removed
  }

  /** Every readable stored session, newest first. */
  async getSessions(): Promise<SessionRecord[]> {
    return await this.storage.readSessions()
  }

  /** Stores a session of this account. @param expiresAt milliseconds since 1970 */
  async saveSession(expiresAt: number): Promise<SessionRecord> {
    const { storage } = this
    const record = {
      id: crypto.randomUUID(),
      accountAddress: storage.address,
      expiresAt,
      createdAt: this.clock.now(),
    }
    await storage.putSession(record)
    await this.acted({ type: 'stored', what: 'sessions' })
    return record
  }

  async removeSession(id: string): Promise<void> {
    await this.storage.removeSession(id)
    await this.acted({ type: 'stored', what: 'sessions' })
  }

  /** Forgets the trusted time of a removed account. */
  forgetClock(address: string): void {
    this.#witness.forget(address)
  }

  protected override moveInto(account: OpenedAccount): void {
    super.moveInto(account)
    const { storage } = account
    if (storage && !storage.isCopy) void this.expiry.attend(storage)
  }
}
