import type { Enclave } from '@keyhole/enclave'
import { type ActivityAbout, short } from '../base/act.ts'
import { leftError, refused, VaultError } from '../base/errors.ts'
import type { CallOptions } from '../enclave/plugin.ts'
import type { AttenuatedTokenRequest, OriginTokenRequest, Policy } from '../enclave/protocol.ts'
import { type ContextText, openTexts, sealTexts, tokenLabelContext } from '../enclave/sealed-text.ts'
import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'
import type { TokenRecord, TokenType } from '../storage/schema.ts'
import { delegationOf, heldToken, type SignedToken } from '../storage/token-record.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import { sealLasting } from './lasting-tokens.ts'
import type { Revoked } from './revoked.ts'

/** A stored token. */
export interface StoredToken {
  readonly id: string
  /** The container text: the delegation with all its proofs. */
  readonly token: string
  readonly type: TokenType
  /** DID of the signer. */
  readonly issuer: string
  /** The audience's address, or its DID where it has none. */
  readonly audience: string
  readonly audienceDid: string
  readonly cid: string
  readonly command: string
  readonly policy: Policy
  /** DID of the resource's owner; null: any that its issuer may delegate. */
  readonly subject: string | null
  /** When the last link of its chain starts, in milliseconds since 1970. */
  readonly notBefore?: number
  /** When the first link of its chain expires, in milliseconds since 1970; absent: never expires. */
  readonly expiresAt?: number
  /** When it was stored, in milliseconds since 1970. */
  readonly createdAt: number
  /** Only while unlocked: labels are sealed. */
  readonly label?: string
  /** The account's key that signed it. */
  readonly keyId?: string
  /** For an invocation: the CID of its task. For a receipt: the CID of the task it is about. */
  readonly task?: string
  /** For a revocation: the CID of the revoked delegation. */
  readonly revokes?: string
}

/** What the caller adds to a token it stores. */
export interface KeepRequest extends Labelled, Pick<StoredToken, 'type' | 'task' | 'revokes'> {
  /** Instead of `label`: the token's id, and a label already sealed under it. */
  readonly sealed?: TokenLabel
}

/** A token's id and its sealed label, if it has one. */
interface TokenLabel {
  readonly id: string
  readonly sealedLabel: string | undefined
}

export interface Labelled {
  /** The person's name for it; sealed in storage. */
  readonly label?: string
}

/** What is written with a token, in the same transaction. */
export interface Beside {
  /** The log's name for the action, if it's more than signing the token. */
  readonly act: string
  readonly beside: (
    record: TokenRecord,
  ) => Promise<{ readonly batch: StateBatch; readonly about?: ActivityAbout }>
}

export type GrantRequest = OriginTokenRequest & Labelled
export type NarrowRequest = AttenuatedTokenRequest & Labelled

/** A token's label as it is stored. */
export interface SealedLabel {
  /** The token's id: a label only opens under its own token. */
  readonly id: string
  readonly sealedLabel: string
}

/** Types whose tokens have a nonce, so they can't already be stored. */
const UNIQUE: ReadonlySet<TokenType> = new Set<TokenType>(['origin', 'attenuated', 'invocation'])

/** Whether a token may be stored already. */
function mayBeStored({ type, cid }: TokenRecord): boolean {
  return !UNIQUE.has(type) && cid !== undefined
}

/** How many removed tokens can be restored. */
const MOST_REMOVED = 50

/** What the log says about a token: its CID and its audience's DID, never the token itself. */
function aboutOf({ id, cid, audience, audienceDid, command, task, revokes }: TokenRecord): ActivityAbout {
  return {
    ...{ id, audience: short(audienceDid ?? audience) },
    ...(cid !== undefined && { cid }),
    ...(command !== undefined && { command: short(command) }),
    ...(task !== undefined && { task }),
    ...(revokes !== undefined && { revokes }),
  }
}

/** The account's tokens: issued, narrowed, received and stored, with their labels. */
export class Tokens {
  readonly #context: VaultContext
  readonly #changes: Changes
  readonly #revoked: Revoked
  /** Labels by their sealed text, while unlocked. */
  readonly #labels = new Map<string, string>()
  /** What this tab removed, as it was stored, by id. */
  readonly #removed = new Map<string, { readonly address: string; readonly record: TokenRecord }>()

  constructor(context: VaultContext, changes: Changes, revoked: Revoked) {
    this.#context = context
    this.#changes = changes
    this.#revoked = revoked
    context.events.on('vault:locked', () => this.#labels.clear())
    context.events.on('vault:initialized', () => this.#labels.clear())
  }

  /** Issues a delegation and stores it. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND, OPERATION_FAILED */
  async grant(request: GrantRequest, options?: CallOptions): Promise<StoredToken> {
    return await this.grantWith(request, options)
  }

  /** Like `grant`. @param beside what is written with it, in the same transaction */
  async grantWith(
    { label = '', ...request }: GrantRequest,
    options?: CallOptions,
    beside?: Beside,
  ): Promise<StoredToken> {
    const make = () => this.#context.client.newOriginToken(request, options)
    return await this.keep(
      'grant',
      this.#labelled(make, label),
      ({ sealed }) => ({ type: 'origin', sealed }),
      beside,
    )
  }

  /**
   * Narrows a token that the account didn't revoke, and stores the result.
   * @throws VaultError VAULT_LOCKED, OPERATION_FAILED
   */
  async narrow({ label = '', ...request }: NarrowRequest, options?: CallOptions): Promise<StoredToken> {
    await this.#revoked.requireProof(request.parent_token, request.leaf, options)
    const make = () => this.#context.client.newAttenuatedToken(request, options)
    return await this.keep('narrow', this.#labelled(make, label), ({ sealed }) => ({
      type: 'attenuated',
      sealed,
    }))
  }

  /**
   * Stores a token from someone else after verifying its whole chain. Accepts one that isn't valid yet.
   * @throws VaultError OPERATION_FAILED, the token error's name in `details`
   */
  async receive(text: string, { label = '' }: Labelled = {}, options?: CallOptions): Promise<StoredToken> {
    const verify = async () => {
      const { client } = this.#context
      const verified = await client.verifyToken({ token: text }, options)
      if (verified.valid || verified.error.name !== 'TooEarly') return heldToken(verified)
      const { tokens } = await client.inspectToken(text, options)
      const now = Math.max(...tokens.map(({ payload }) => Number(payload.nbf ?? 0)))
      return heldToken(await client.verifyToken({ token: text, now }, options))
    }
    return await this.keep('receive', verify, () => ({ type: 'received', label }))
  }

  /** Every readable stored token, newest first; with labels while unlocked. */
  async list(): Promise<StoredToken[]> {
    if (!this.#context.isPersistent) return []
    const records = await this.#context.client.getPersistedTokens()
    await this.#openLabels(records)
    return (await Promise.all(records.map((record) => this.#complete(record)))).filter(
      (token) => token !== undefined,
    )
  }

  /**
   * Grants given and received that have expired. A clean-up moved them out of the stored tokens, and they are kept for
   * 90 days after they ended. Last to end first; with labels while unlocked.
   */
  async ended(): Promise<StoredToken[]> {
    if (!this.#context.isPersistent) return []
    const records = await this.#context.client.storage.readEndedTokens()
    await this.#openLabels(records)
    return (await Promise.all(records.map((record) => this.#complete(record)))).filter(
      (token) => token !== undefined,
    )
  }

  /**
   * Opens labels for code that reads the stored tokens through `@keyhole/vault/token-reader`, in order; undefined for
   * what doesn't open, and for all while locked. Doesn't cache them.
   */
  async openLabels(labels: readonly SealedLabel[]): Promise<(string | undefined)[]> {
    return await this.openWhileUnlocked(
      labels.map(({ id, sealedLabel }) => ({ context: tokenLabelContext(id), text: sealedLabel })),
    )
  }

  /** Opens texts, in order; undefined for what doesn't open, and for all while locked. */
  async openWhileUnlocked(texts: readonly ContextText[]): Promise<(string | undefined)[]> {
    if (this.#context.snapshot.phase !== 'unlocked') return texts.map(() => undefined)
    try {
      return await openTexts(this.#context.client.enclave, texts)
    } catch (error) {
      if (error instanceof VaultError && error.details?.code === 'VAULT_LOCKED')
        return texts.map(() => undefined)
      throw error
    }
  }

  /** A stored record completed from its token, without its label; undefined if the token can't be read. */
  async complete({ sealedLabel: _, ...record }: TokenRecord): Promise<StoredToken | undefined> {
    return await this.#complete(record)
  }

  /** Removes a stored token. Grants made with it stay valid. */
  async remove(id: string): Promise<void> {
    const { client, log, snapshot } = this.#context
    const { address, phase } = snapshot
    const { enclave, openStorage } = client
    const record = await openStorage?.readToken(id)
    if (!client.holds(enclave)) throw leftError()
    if (phase === 'unlocked') {
      await this.#changes.record('removeToken', { id }, { removed: { tokens: [id] } }, enclave)
    } else {
      const { storage } = client
      await withWriteLock(storage.address, () => storage.removeToken(id))
      if (address !== undefined) log.note(address, { act: 'removeToken', outcome: 'done', about: { id } })
    }
    if (record && address !== undefined) this.#rememberRemoved(address, record)
    this.#context.tokensChanged()
  }

  /** Restores a token that this tab removed. @throws VaultError OPERATION_FAILED if that's no longer possible */
  async restore(id: string): Promise<void> {
    const { client, log, snapshot } = this.#context
    const { address, phase } = snapshot
    const removed = this.#removed.get(id)
    if (!removed || removed.address !== address) {
      throw refused('TokenNotRestorable', {}, { details: { id } })
    }
    const about = aboutOf(removed.record)
    if (phase === 'unlocked') {
      await this.#changes.record('restoreToken', about, { tokens: [removed.record] }, client.enclave)
    } else {
      const { storage } = client
      await withWriteLock(storage.address, () => storage.addToken(removed.record))
      log.note(address, { act: 'restoreToken', outcome: 'done', about })
    }
    this.#removed.delete(id)
    this.#context.tokensChanged()
  }

  #rememberRemoved(address: string, record: TokenRecord): void {
    this.#removed.set(record.id, { address, record })
    const [oldest] = this.#removed.keys()
    if (this.#removed.size > MOST_REMOVED && oldest !== undefined) this.#removed.delete(oldest)
  }

  /**
   * Makes a token and stores it under its label; a revocation or receipt also goes where removing tokens doesn't reach.
   * It is stored in the account that made it, or nowhere if another one was opened in the meantime.
   */
  async keep<R extends SignedToken>(
    act: string,
    make: () => Promise<R>,
    describe: (made: R) => KeepRequest,
    beside?: Beside,
  ): Promise<StoredToken> {
    const { client, isPersistent } = this.#context
    const enclave = client.enclave
    const result = await make()
    if (!client.holds(enclave)) throw leftError()
    let record = await this.describe(result, describe(result))
    if (isPersistent) {
      record = await this.#store(act, record, enclave, beside)
    }
    this.#context.tokensChanged()
    return await this.shown(record)
  }

  /** Makes a token and seals its label at the same time, so that both travel in one message. */
  #labelled<R extends SignedToken>(make: () => Promise<R>, label: string) {
    return async (): Promise<R & { readonly sealed: TokenLabel }> => {
      const id = crypto.randomUUID()
      const [made, sealedLabel] = await Promise.all([make(), this.#sealLabel(id, label.trim())])
      return { ...made, sealed: { id, sealedLabel } }
    }
  }

  /** The record of a new token, with its label and the key that signed it. Stores nothing. */
  async describe(result: SignedToken, { label, sealed, ...about }: KeepRequest): Promise<TokenRecord> {
    const { client, snapshot } = this.#context
    const id = sealed?.id ?? crypto.randomUUID()
    const [sealedLabel, described] = await Promise.all([
      sealed ? sealed.sealedLabel : this.#sealLabel(id, label?.trim()),
      client.describeToken(result, { id, ...about }),
    ])
    const keyId = snapshot.keys.find((key) => key.did === described.issuer)?.key_id
    return {
      ...described,
      ...(sealedLabel !== undefined && { sealedLabel }),
      ...(keyId !== undefined && { keyId }),
    }
  }

  /** Seals a label under the account's key, and caches it as if it had been opened. Undefined if there is none. */
  async #sealLabel(id: string, label = ''): Promise<string | undefined> {
    if (label === '') return undefined
    const { client } = this.#context
    const { enclave } = client
    const [sealed] = await sealTexts(enclave, [{ context: tokenLabelContext(id), text: label }])
    // If the account was locked or left in the meantime, don't cache it.
    const isOpen = client.holds(enclave) && this.#context.snapshot.phase === 'unlocked'
    if (sealed !== undefined && isOpen) this.#labels.set(sealed, label)
    return sealed
  }

  /** A record as the account shows it. @throws VaultError OPERATION_FAILED if its token can't be read */
  async shown(record: TokenRecord): Promise<StoredToken> {
    await this.#openLabels([record])
    const stored = await this.#complete(record)
    if (stored) return stored
    throw refused('TokenUnreadable', {}, { details: { id: record.id } })
  }

  /**
   * What to write for a token, and the record stored afterwards: the existing one, if there is one. The caller holds the
   * write lock until it is written, or the token may be removed or stored by someone else in between.
   */
  async toStore(record: TokenRecord): Promise<{ record: TokenRecord; batch: StateBatch }> {
    const { client, isPersistent } = this.#context
    if (!isPersistent) return { record, batch: {} }
    const { enclave, storage } = client
    const lasting = await sealLasting(enclave, storage.address, record)
    const { cid } = record
    const here =
      cid !== undefined && mayBeStored(record) ? await storage.findToken(record.issuer, cid) : undefined
    const tokens = here === undefined ? { tokens: [record] } : {}
    return { record: here ?? record, batch: { ...tokens, ...(lasting && { metadata: [lasting] }) } }
  }

  /** Stores a new token with its log line; while locked, the line is only noted. */
  async #store(act: string, record: TokenRecord, enclave: Enclave, beside?: Beside): Promise<TokenRecord> {
    const { client, log, snapshot } = this.#context
    if (!client.holds(enclave)) throw leftError()
    const { storage } = client
    if (beside) this.#context.requireUnlocked()
    if (snapshot.phase !== 'unlocked') {
      const lasting = await sealLasting(enclave, storage.address, record)
      const stored = await withWriteLock(storage.address, () => storage.addToken(record, lasting))
      log.note(storage.address, { act, outcome: 'done', about: aboutOf(record) })
      return stored
    }
    let stored = record
    // Filled in below; the log line is built after the records.
    const about: Record<string, string | number | boolean> = {}
    const batch = async (): Promise<StateBatch> => {
      const own = await this.toStore(record)
      stored = own.record
      const more = await beside?.beside(stored)
      Object.assign(about, aboutOf(record), more?.about)
      return { ...more?.batch, ...own.batch }
    }
    // A new one isn't looked up, so it needn't wait for the lock, and shares a transaction with others.
    const records = mayBeStored(record) ? batch : await batch()
    await this.#changes.record(beside?.act ?? act, about, records, enclave)
    return stored
  }

  async #openLabels(records: readonly TokenRecord[]): Promise<void> {
    if (this.#context.snapshot.phase !== 'unlocked') return
    const sealed = records.flatMap(({ id, sealedLabel }) =>
      sealedLabel === undefined || this.#labels.has(sealedLabel)
        ? []
        : [{ context: tokenLabelContext(id), text: sealedLabel }],
    )
    if (sealed.length === 0) return
    try {
      const opened = await openTexts(this.#context.client.enclave, sealed)
      if (this.#context.snapshot.phase !== 'unlocked') return
      sealed.forEach(({ text }, index) => {
        const label = opened[index]
        if (label !== undefined) this.#labels.set(text, label)
      })
    } catch (error) {
      // Locked in the meantime: show the tokens without labels.
      if (!(error instanceof VaultError && error.details?.code === 'VAULT_LOCKED')) throw error
    }
  }

  /** The complete token; fields missing in the record are read from the token itself. Undefined if it can't be read. */
  async #complete(record: TokenRecord): Promise<StoredToken | undefined> {
    const { id, token, type, issuer, audience, expiresAt, createdAt, notBefore, keyId, sealedLabel } = record
    const { task, revokes } = record
    const facts = await this.#factsOf(record)
    if (!facts) return undefined
    const label = sealedLabel === undefined ? undefined : this.#labels.get(sealedLabel)
    return {
      ...{ id, token, type, issuer, audience, createdAt, ...facts },
      ...(expiresAt !== undefined && { expiresAt }),
      ...(notBefore !== undefined && { notBefore }),
      ...(keyId !== undefined && { keyId }),
      ...(task !== undefined && { task }),
      ...(revokes !== undefined && { revokes }),
      ...(label !== undefined && { label }),
    }
  }

  async #factsOf(record: TokenRecord) {
    const { token, createdAt, cid, command, policy, subject, audienceDid } = record
    if (
      cid !== undefined &&
      command !== undefined &&
      policy &&
      subject !== undefined &&
      audienceDid !== undefined
    ) {
      return { cid, command, policy, subject, audienceDid }
    }
    try {
      // It was valid when it was stored, so check it at that time.
      const now = Math.floor(createdAt / 1000)
      const held = heldToken(await this.#context.client.verifyToken({ token, now }))
      const { cmd, pol, sub, aud } = delegationOf(await this.#context.client.inspectToken(token), held.cid)
      return { cid: held.cid, command: cmd, policy: pol, subject: sub, audienceDid: aud }
    } catch {
      return undefined
    }
  }
}
