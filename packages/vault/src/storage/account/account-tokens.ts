import type { JournaledStore } from '../journal/journal-lines.ts'
import { JournaledRecords } from '../journal/journaled-records.ts'
import { MirrorWriter } from '../mirror/mirror-writer.ts'
import { UnfollowedTokens } from '../mirror/unfollowed-tokens.ts'
import {
  type AccountDatabase,
  type MetadataRecord,
  type StateRecord,
  type TokenRecord,
  tokenRecord,
} from '../schema.ts'
import { withStorageErrors } from '../storage-error.ts'
import { AccountWrites } from './account-writes.ts'
import { RecordParser } from './record-parser.ts'
import { sameTokens } from './same-tokens.ts'
import type { StorageListener } from './storage-listener.ts'

/** Records per page when there may be many. */
export const PAGE = 200

/** The tokens of an account's open database, with those that are only in its journal yet. */
export abstract class AccountTokens {
  readonly address: string
  /** The records, for the mirror. */
  readonly records: JournaledRecords
  protected readonly db: AccountDatabase
  protected readonly mirror: MirrorWriter
  protected readonly writes: AccountWrites
  protected readonly parser: RecordParser
  /** The tokens that the database may lack, while it follows the journal. */
  protected readonly rest: UnfollowedTokens

  protected constructor(address: string, db: AccountDatabase, listener: StorageListener) {
    this.address = address
    this.db = db
    this.records = new JournaledRecords(db)
    this.rest = new UnfollowedTokens(address, db.table('state'))
    this.mirror = new MirrorWriter(
      address,
      this.records,
      () => this.readState(),
      (report) => listener.reconciled?.(report),
    )
    this.writes = new AccountWrites(address, this.records, this.mirror)
    this.parser = new RecordParser(listener)
  }

  abstract readState(): Promise<StateRecord | undefined>

  /** Every token that parses, newest first. */
  readTokens(): Promise<TokenRecord[]> {
    return withStorageErrors('reading the tokens', async () => {
      const rest = await this.rest.read()
      const found: unknown[] = await this.db.tokens.orderBy('createdAt').reverse().toArray()
      const tokens = this.parser.parse('tokens', tokenRecord, found)
      return rest ? await rest.joined(tokens) : tokens
    })
  }

  /**
   * Stores a token unless one with its CID exists, with the record that is to outlive it, in one transaction.
   * @returns the stored record
   */
  async addToken(record: TokenRecord, lasting?: MetadataRecord): Promise<TokenRecord> {
    const stored = await this.#addToken(record, lasting)
    if (stored) return stored
    // The journal can't be read within a transaction.
    const rest = await withStorageErrors('reading the tokens', () => this.rest.read())
    return (await this.#addToken(record, lasting, { same: rest?.withCid(record.cid ?? '') })) ?? record
  }

  /**
   * @param unfollowed what the journal was found to have
   * @returns undefined, and nothing was stored, if the journal must be read first
   */
  async #addToken(
    record: TokenRecord,
    lasting: MetadataRecord | undefined,
    unfollowed?: { readonly same: TokenRecord | undefined },
  ): Promise<TokenRecord | undefined> {
    return await this.writes.change('saving the token', ['tokens', 'metadata'], async (changes) => {
      const stored =
        (await sameTokens(this.db.tokens, [record])).get(record.cid ?? '') ??
        (await this.stillIn(unfollowed?.same))
      const isUnknown = !stored && !unfollowed && record.cid !== undefined
      if (isUnknown && (await this.records.isFollowing())) return undefined
      if (lasting) {
        await this.db.metadata.put(lasting)
        changes.put('metadata', [lasting])
      }
      if (stored) return stored
      await this.db.tokens.add(record)
      changes.put('tokens', [record])
      return record
    })
  }

  /** A token of the journal, if it wasn't deleted since it was read. For use in a transaction. */
  protected async stillIn(found: TokenRecord | undefined): Promise<TokenRecord | undefined> {
    return found && (await this.records.isInJournal(found.id)) ? found : undefined
  }

  /** The stored tokens with the CIDs of these, by CID. Reads what tokens have in common once, however many there are. */
  async sameTokens(records: readonly TokenRecord[]): Promise<ReadonlyMap<string, TokenRecord>> {
    return await withStorageErrors('reading the tokens', async () => {
      const found = new Map(await sameTokens(this.db.tokens, records))
      const rest = await this.rest.read()
      for (const { cid } of rest ? records : []) {
        const same = cid === undefined || found.has(cid) ? undefined : rest?.withCid(cid)
        if (same?.cid !== undefined) found.set(same.cid, same)
      }
      return found
    })
  }

  /** The stored token with that issuer and CID, if any. */
  async findToken(issuer: string, cid: string): Promise<TokenRecord | undefined> {
    return await withStorageErrors('reading the tokens', async () => {
      const issued = this.db.tokens.where('issuer').equals(issuer)
      const found: unknown[] = await issued.filter((each) => each.cid === cid).toArray()
      const [stored] = this.parser.parse('tokens', tokenRecord, found)
      if (stored) return stored
      return (await this.rest.read())?.withCid(cid, issuer)
    })
  }

  /** The stored token with that id, if it exists and parses. */
  async readToken(id: string): Promise<TokenRecord | undefined> {
    return await withStorageErrors('reading the tokens', async () => {
      const found: unknown = await this.db.tokens.get(id)
      if (found === undefined) return (await this.rest.read())?.token(id)
      return this.parser.parse('tokens', tokenRecord, [found])[0]
    })
  }

  async removeToken(id: string): Promise<void> {
    await this.writes.change('removing the token', ['tokens'], async (changes) => {
      await this.db.tokens.delete(id)
      changes.delete('tokens', [id])
    })
  }

  /** Every token that parses, `size` at a time, in no particular order. */
  async *tokenPages(size = PAGE): AsyncGenerator<TokenRecord[]> {
    const rest = await withStorageErrors('reading the tokens', () => this.rest.read())
    const pages = this.parser.pages(this.db, 'tokens', tokenRecord, size)
    yield* rest ? rest.after(pages, size) : pages
  }

  /** How many records a store has, including those that don't parse. */
  async count(store: JournaledStore): Promise<number> {
    return await withStorageErrors('counting the records', async () => {
      const rest = store === 'tokens' ? await this.rest.read() : undefined
      if (!rest) return await this.records.count(store)
      return rest.idsWith(await this.db.tokens.toCollection().primaryKeys()).length
    })
  }
}
