import type { Enclave } from '@keyhole/enclave'
import { type ActivityAbout, short } from '../base/act.ts'
import { leftError, refused, VaultError } from '../base/errors.ts'
import type { CallOptions } from '../enclave/plugin.ts'
import type { AttenuatedTokenRequest, OriginTokenRequest, Policy } from '../enclave/protocol.ts'
import { type ContextText, openTexts, sealTexts, tokenLabelContext } from '../enclave/sealed-text.ts'
import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import type { StateBatch } from '../storage/account/account-storage.ts'
import type { TokenRecord, TokenType } from '../storage/schema.ts'
import { delegationOf, heldToken, type SignedToken } from '../storage/token-record.ts'
import { sealLasting } from './lasting-tokens.ts'

/** A token that the vault keeps. */
export interface StoredToken {
  readonly id: string
  /** The container text: the delegation with all its proofs. */
  readonly token: string
  readonly type: TokenType
  /** DID of the one who signed it. */
  readonly issuer: string
  /** The audience's address, or its DID where it has none. */
  readonly audience: string
  readonly audienceDid: string
  readonly cid: string
  readonly command: string
  readonly policy: Policy
  /** DID of whose resource it is; null: any that its issuer may delegate. */
  readonly subject: string | null
  /** Milliseconds since 1970. */
  readonly notBefore?: number
  /** Milliseconds since 1970; absent: without end. */
  readonly expiresAt?: number
  /** When it was stored, in milliseconds since 1970. */
  readonly createdAt: number
  /** Only while unlocked: labels are sealed. */
  readonly label?: string
  /** The account's key that signed it. */
  readonly keyId?: string
  /** Of an invocation: the CID of what is to be done. Of a receipt: of what was done. */
  readonly task?: string
  /** Of a revocation: the CID of the delegation that holds no more. */
  readonly revokes?: string
}

/** What the one who keeps a token knows of it. */
export interface KeepRequest extends Labelled, Pick<StoredToken, 'type' | 'task' | 'revokes'> {
  /** In the place of `label`: the token's id, and the label that was sealed under it already. */
  readonly sealed?: TokenLabel
}

/** The id that a token is given, and its label as it is stored; none where it has none. */
interface TokenLabel {
  readonly id: string
  readonly sealedLabel: string | undefined
}

export interface Labelled {
  /** What the person calls it; sealed in storage. */
  readonly label?: string
}

/** What is written with a token, in the same transaction. */
export interface Beside {
  /** What was done, as the log names it, where it is more than the signing of that token. */
  readonly act: string
  readonly beside: (
    record: TokenRecord,
  ) => Promise<{ readonly batch: StateBatch; readonly about?: ActivityAbout }>
}

export type GrantRequest = OriginTokenRequest & Labelled
export type NarrowRequest = AttenuatedTokenRequest & Labelled

/** A token's label as it is stored. */
export interface SealedLabel {
  /** The token's id: a label opens under its own token alone. */
  readonly id: string
  readonly sealedLabel: string
}

/** Types whose tokens have a nonce of their own: none can be here already. */
const UNIQUE: ReadonlySet<TokenType> = new Set<TokenType>(['origin', 'attenuated', 'invocation'])

/** Removed tokens that can be put back. */
const MOST_REMOVED = 50

/** What the log says of a token: its CID and the DID of whom it is to, and never the token. */
function aboutOf({ id, cid, audience, audienceDid, command, task, revokes }: TokenRecord): ActivityAbout {
  return {
    ...{ id, audience: short(audienceDid ?? audience) },
    ...(cid !== undefined && { cid }),
    ...(command !== undefined && { command: short(command) }),
    ...(task !== undefined && { task }),
    ...(revokes !== undefined && { revokes }),
  }
}

/** The tokens of the account: issued, narrowed, received and kept, with their labels. */
export class Tokens {
  readonly #context: VaultContext
  readonly #changes: Changes
  /** Labels by their sealed text, while unlocked. */
  readonly #labels = new Map<string, string>()
  /** What was removed in this tab, as it was stored, by its id. */
  readonly #removed = new Map<string, { readonly address: string; readonly record: TokenRecord }>()

  constructor(context: VaultContext, changes: Changes) {
    this.#context = context
    this.#changes = changes
    context.events.on('vault:locked', () => this.#labels.clear())
    context.events.on('vault:initialized', () => this.#labels.clear())
  }

  /** Issues a delegation and keeps it. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND, OPERATION_FAILED */
  async grant(request: GrantRequest, options?: CallOptions): Promise<StoredToken> {
    return await this.grantWith(request, options)
  }

  /** As `grant`. @param beside what is written with it, in the same transaction */
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

  /** Narrows a token that is held, and keeps what comes of it. @throws VaultError VAULT_LOCKED, OPERATION_FAILED */
  async narrow({ label = '', ...request }: NarrowRequest, options?: CallOptions): Promise<StoredToken> {
    const make = () => this.#context.client.newAttenuatedToken(request, options)
    return await this.keep('narrow', this.#labelled(make, label), ({ sealed }) => ({
      type: 'attenuated',
      sealed,
    }))
  }

  /**
   * Keeps a token that someone else gave, after its whole chain has been verified. One whose time is still to come is kept
   * too.
   *
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

  /** Every stored token that can be read, newest first; labels while unlocked. */
  async list(): Promise<StoredToken[]> {
    if (!this.#context.isPersistent) return []
    const records = await this.#context.client.getPersistedTokens()
    await this.#openLabels(records)
    return (await Promise.all(records.map((record) => this.#complete(record)))).filter(
      (token) => token !== undefined,
    )
  }

  /**
   * Grants given and received that have ended: a clean-up took them from the stored tokens, and they are kept whole until 90
   * days after their end. The last to end first; labels while unlocked.
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
   * Opens labels for one who reads the stored tokens by `@keyhole/vault/token-reader`, in order; undefined for what does
   * not open, and for all while locked. Keeps none.
   */
  async openLabels(labels: readonly SealedLabel[]): Promise<(string | undefined)[]> {
    return await this.openWhileUnlocked(
      labels.map(({ id, sealedLabel }) => ({ context: tokenLabelContext(id), text: sealedLabel })),
    )
  }

  /** Opens texts, in order; undefined for what does not open, and for all while locked. */
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

  /** A stored record with what it does not say of itself, without its label; undefined where the token cannot be read. */
  async complete({ sealedLabel: _, ...record }: TokenRecord): Promise<StoredToken | undefined> {
    return await this.#complete(record)
  }

  /** Forgets a token. What was given away with it stays valid. */
  async remove(id: string): Promise<void> {
    const { client, log, snapshot } = this.#context
    const { address, phase } = snapshot
    const record = await client.openStorage?.readToken(id)
    if (phase === 'unlocked') {
      await this.#changes.record('removeToken', { id }, { removed: { tokens: [id] } })
    } else {
      await client.storage.removeToken(id)
      if (address !== undefined) log.note(address, { act: 'removeToken', outcome: 'done', about: { id } })
    }
    if (record && address !== undefined) this.#rememberRemoved(address, record)
    this.#context.tokensChanged()
  }

  /** Puts back what this tab has removed, as it was. @throws VaultError OPERATION_FAILED where it cannot any more */
  async restore(id: string): Promise<void> {
    const { client, log, snapshot } = this.#context
    const { address, phase } = snapshot
    const removed = this.#removed.get(id)
    if (!removed || removed.address !== address) {
      throw refused('TokenNotRestorable', {}, { details: { id } })
    }
    const about = aboutOf(removed.record)
    if (phase === 'unlocked') {
      await this.#changes.record('restoreToken', about, { tokens: [removed.record] })
    } else {
      await client.storage.addToken(removed.record)
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
   * Makes a token and keeps it, under its label; a revocation or receipt past what deletes tokens, too. It is kept in the
   * account that it was made in: where another one was opened meanwhile, nowhere.
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

  /** Has a token made and its label sealed in one go, so that both travel in one message. */
  #labelled<R extends SignedToken>(make: () => Promise<R>, label: string) {
    return async (): Promise<R & { readonly sealed: TokenLabel }> => {
      const id = crypto.randomUUID()
      const [made, sealedLabel] = await Promise.all([make(), this.#sealLabel(id, label.trim())])
      return { ...made, sealed: { id, sealedLabel } }
    }
  }

  /** The record of a token that was just made, with its label and the key that signed it. Nothing is stored. */
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

  /** A label under the account's key; kept in mind as if it had been opened. Undefined where there is none. */
  async #sealLabel(id: string, label = ''): Promise<string | undefined> {
    if (label === '') return undefined
    const { client } = this.#context
    const { enclave } = client
    const [sealed] = await sealTexts(enclave, [{ context: tokenLabelContext(id), text: label }])
    // Locked or left in the meantime: nothing of it stays here.
    const isOpen = client.holds(enclave) && this.#context.snapshot.phase === 'unlocked'
    if (sealed !== undefined && isOpen) this.#labels.set(sealed, label)
    return sealed
  }

  /** A record as the account shows it. @throws VaultError OPERATION_FAILED where its token cannot be read */
  async shown(record: TokenRecord): Promise<StoredToken> {
    await this.#openLabels([record])
    const stored = await this.#complete(record)
    if (stored) return stored
    throw refused('TokenUnreadable', {}, { details: { id: record.id } })
  }

  /** What is to be written for a token, and the record that is stored then: the one that is here already, where there is one. */
  async toStore(record: TokenRecord): Promise<{ record: TokenRecord; batch: StateBatch }> {
    const { client, isPersistent } = this.#context
    if (!isPersistent) return { record, batch: {} }
    const { enclave, storage } = client
    const lasting = await sealLasting(enclave, storage.address, record)
    const { cid } = record
    const here =
      UNIQUE.has(record.type) || cid === undefined ? undefined : await storage.findToken(record.issuer, cid)
    const tokens = here === undefined ? { tokens: [record] } : {}
    return { record: here ?? record, batch: { ...tokens, ...(lasting && { metadata: [lasting] }) } }
  }

  /** Stores a token that is not here yet, with its line in the log; while locked the line is noted. */
  async #store(act: string, record: TokenRecord, enclave: Enclave, beside?: Beside): Promise<TokenRecord> {
    const { client, log, snapshot } = this.#context
    if (!client.holds(enclave)) throw leftError()
    const { storage } = client
    const about = aboutOf(record)
    if (beside) this.#context.requireUnlocked()
    if (snapshot.phase !== 'unlocked') {
      const stored = await storage.addToken(record, await sealLasting(enclave, storage.address, record))
      log.note(storage.address, { act, outcome: 'done', about })
      return stored
    }
    const { record: stored, batch } = await this.toStore(record)
    const more = await beside?.beside(stored)
    const entire = { ...more?.batch, ...batch }
    await this.#changes.record(beside?.act ?? act, { ...about, ...more?.about }, entire, enclave)
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
      // Locked in the meantime: the tokens are shown without their labels.
      if (!(error instanceof VaultError && error.details?.code === 'VAULT_LOCKED')) throw error
    }
  }

  /** The token in full; what the record does not say is read from the token itself. Undefined where that cannot be read. */
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
      // It held when it was stored, and what it says has not changed since.
      const now = Math.floor(createdAt / 1000)
      const held = heldToken(await this.#context.client.verifyToken({ token, now }))
      const { cmd, pol, sub, aud } = delegationOf(await this.#context.client.inspectToken(token), held.cid)
      return { cid: held.cid, command: cmd, policy: pol, subject: sub, audienceDid: aud }
    } catch {
      return undefined
    }
  }
}
