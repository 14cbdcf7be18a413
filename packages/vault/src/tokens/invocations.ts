import type { InvokeRequest, IssueReceiptRequest, RevokeRequest } from '../enclave/invocation.ts'
import type { CallOptions } from '../enclave/plugin.ts'
import type { VaultContext } from '../session/context.ts'
import { type LastingToken, type LastingType, openLasting } from './lasting-tokens.ts'
import type { Mandates } from './mandates.ts'
import type { Revoked } from './revoked.ts'
import type { Beside, Labelled, StoredToken, Tokens } from './tokens.ts'

export type InvocationRequest = InvokeRequest & Labelled
export type RevocationRequest = RevokeRequest & Labelled
export type ReceiptRequest = IssueReceiptRequest & Labelled

/** The account's invocations, revocations and receipts. */
export class Invocations {
  readonly #context: VaultContext
  readonly #tokens: Tokens
  readonly #mandates: Mandates
  readonly #revoked: Revoked

  constructor(context: VaultContext, tokens: Tokens, mandates: Mandates, revoked: Revoked) {
    this.#context = context
    this.#tokens = tokens
    this.#mandates = mandates
    this.#revoked = revoked
  }

  /**
   * Signs an invocation under a token that the account didn't revoke, and stores it until it expires.
   * @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND, OPERATION_FAILED
   */
  async invoke({ label = '', ...request }: InvocationRequest, options?: CallOptions): Promise<StoredToken> {
    const { proof_token: proof, leaf } = request
    if (proof != null) await this.#revoked.requireProof(proof, leaf, options)
    const make = () => this.#context.client.invoke(request, options)
    return await this.#tokens.keep('invoke', make, ({ task }) => ({ type: 'invocation', task, label }))
  }

  /**
   * Signs a revocation, which can't be undone, and stores it. It takes effect where it is delivered: see `token`. It
   * also ends a mandate, or the session of the app that had the token.
   * @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND; OPERATION_FAILED if a chain is given and the signer may not revoke
   *   in it
   */
  async revoke(request: RevocationRequest, options?: CallOptions): Promise<StoredToken> {
    return await this.revokeWith(request, options)
  }

  /**
   * Like `revoke`. Revoking a mandate ends it, so that this vault doesn't keep counting without authority. The session
   * of an app that had this token ends in the same write.
   * @param beside what is written with it, in the same transaction
   */
  async revokeWith(
    { label = '', ...request }: RevocationRequest,
    options?: CallOptions,
    beside?: Beside,
  ): Promise<StoredToken> {
    if (await this.#mandates.isLive(request.cid)) {
      const { revocation } = await this.#mandates.endWith({ cid: request.cid, label }, beside)
      if (revocation) return revocation
    }
    const make = () => this.#context.client.revoke(request, options)
    const revokes = request.cid
    const sessions = beside ?? (await this.#endSessionsOf(revokes))
    const revoked = await this.#tokens.keep(
      'revoke',
      make,
      () => ({ type: 'revocation', revokes, label }),
      sessions,
    )
    if (sessions) this.#context.changed('sessions')
    return revoked
  }

  /**
   * Signs a receipt for a task's result, and stores it. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND,
   * OPERATION_FAILED
   */
  async issueReceipt(
    { label = '', ...request }: ReceiptRequest,
    options?: CallOptions,
  ): Promise<StoredToken> {
    const make = () => this.#context.client.issueReceipt(request, options)
    const { task } = request
    return await this.#tokens.keep('issueReceipt', make, () => ({ type: 'receipt', task, label }))
  }

  /**
   * Every revocation the account signed, newest first, including those removed from the tokens. @throws VaultError
   * VAULT_LOCKED
   */
  async revocations(): Promise<LastingToken[]> {
    return await this.lasting('revocation')
  }

  /**
   * Every receipt the account signed, newest first, including those removed from the tokens. @throws VaultError
   * VAULT_LOCKED
   */
  async receipts(): Promise<LastingToken[]> {
    return await this.lasting('receipt')
  }

  /** Every token of that type the account ever made, newest first; empty without persistence. */
  async lasting(type: LastingType): Promise<LastingToken[]> {
    this.#context.requireUnlocked()
    const { client, isPersistent } = this.#context
    if (!isPersistent) return []
    const { enclave, storage } = client
    return await openLasting(enclave, await storage.readMetadataUnder(`${type}:`), type)
  }

  async #endSessionsOf(cid: string): Promise<Beside | undefined> {
    const { client, isPersistent } = this.#context
    if (!isPersistent) return undefined
    const sessions = (await client.getSessions()).filter((session) => session.cid === cid).map(({ id }) => id)
    if (sessions.length === 0) return undefined
    const beside = async () => ({ batch: { removed: { sessions } }, about: { sessions: sessions.length } })
    return { act: 'revoke', beside }
  }
}
