import { VaultError } from './errors.ts'
import type { InvokeRequest, IssueReceiptRequest, RevokeRequest } from './invocation.ts'
import { type LastingToken, type LastingType, openLasting } from './lasting-tokens.ts'
import type { CallOptions } from './plugin.ts'
import type { Labelled, StoredToken, TokenBook } from './token-book.ts'
import { noVault, type VaultCore } from './vault-core.ts'

export type InvocationRequest = InvokeRequest & Labelled
export type RevocationRequest = RevokeRequest & Labelled
export type ReceiptRequest = IssueReceiptRequest & Labelled

/** What the account has invoked, revoked and given receipts for. */
export class InvocationBook {
  readonly #core: VaultCore
  readonly #tokens: TokenBook

  constructor(core: VaultCore, tokens: TokenBook) {
    this.#core = core
    this.#tokens = tokens
  }

  async invoke({ label = '', ...request }: InvocationRequest, options?: CallOptions): Promise<StoredToken> {
    const made = await this.#core.client.invoke(request, options)
    return await this.#tokens.keep(made, { type: 'invocation', task: made.task, label })
  }

  async revoke({ label = '', ...request }: RevocationRequest, options?: CallOptions): Promise<StoredToken> {
    const made = await this.#core.client.revoke(request, options)
    return await this.#tokens.keep(made, { type: 'revocation', revokes: request.cid, label })
  }

  async issueReceipt(
    { label = '', ...request }: ReceiptRequest,
    options?: CallOptions,
  ): Promise<StoredToken> {
    const made = await this.#core.client.issueReceipt(request, options)
    return await this.#tokens.keep(made, { type: 'receipt', task: request.task, label })
  }

  /** Every one of that type that the account ever made, newest first; none without persistence. */
  async lasting(type: LastingType): Promise<LastingToken[]> {
    const { client, isPersistent, snapshot } = this.#core
    if (snapshot.address === undefined) throw noVault()
    if (snapshot.phase !== 'unlocked') {
      throw new VaultError('VAULT_LOCKED', 'The vault is locked. Unlock it to read what is sealed.')
    }
    if (!isPersistent) return []
    const { enclave, storage } = client
    return await openLasting(enclave, await storage.readMetadata(), type)
  }
}
