import type { Enclave } from '@keyhole/enclave'
import type { NewAccount } from './account-home.ts'
import { readAccount } from './accounts.ts'
import {
  BackupDesk,
  type BackupFile,
  type ExportRequest,
  type ImportRequest,
  type ImportResult,
} from './backup-desk.ts'
import type { VaultConfig, VaultDependencies } from './config.ts'
import { toKeyVaultError, VaultError } from './errors.ts'
import { VaultEvents } from './events.ts'
import {
  InvocationBook,
  type InvocationRequest,
  type ReceiptRequest,
  type RevocationRequest,
} from './invocation-book.ts'
import { readLastAccount, rememberLastAccount } from './last-account.ts'
import type { LastingToken } from './lasting-tokens.ts'
import {
  type EnclaveStatus,
  generateKeyResult,
  type KeyInfo,
  type KeyType,
  sealedResult,
  statusResult,
  toKeyInfo,
  unlockResult,
} from './lifecycle.ts'
import { withWriteLock } from './lock.ts'
import { checkNewPassphrase, normalisePassphrase } from './passphrase.ts'
import { type CallOptions, callPlugin } from './plugin.ts'
import type { InspectTokenResult, VerifyTokenRequest, VerifyTokenResult } from './protocol.ts'
import type { AccountInfo, VaultSnapshot } from './snapshot.ts'
import { type GrantRequest, type NarrowRequest, type StoredToken, TokenBook } from './token-book.ts'
import type {
  ValidateBatchRequest,
  ValidateBatchResult,
  ValidateInvocationRequest,
  ValidationResult,
} from './validation.ts'
import type { VaultClient } from './vault-client.ts'
import { noVault, VaultCore } from './vault-core.ts'

export interface CreateRequest {
  readonly passphrase: string
  /** What the person calls the account; sealed with it. */
  readonly label?: string
  /** Of the first key. Default `ed25519`. */
  readonly keyType?: KeyType
}

/**
 * The key vault: accounts with their keys, locked and unlocked, and what they sign. It is an `EventTarget` of
 * `VaultEventMap`, and a store for `useSyncExternalStore` by `subscribe` and `getSnapshot`.
 *
 * Every operation rejects with a `VaultError` of the nine codes and raises `vault:error`; a refusal changes nothing. A
 * caller's own abort rejects with its reason.
 */
export class KeyVault extends VaultEvents {
  readonly #core: VaultCore
  readonly #tokens: TokenBook
  readonly #invocations: InvocationBook
  readonly #backups: BackupDesk
  /** One object for each initialising, so that one that was cleaned up cannot undo its successor. */
  #initialised: object | undefined
  #lifecycle: Promise<unknown> = Promise.resolve()

  constructor(config: VaultConfig = {}, dependencies: VaultDependencies = {}) {
    super()
    this.#core = new VaultCore(config, dependencies, this)
    this.#tokens = new TokenBook(this.#core)
    this.#invocations = new InvocationBook(this.#core, this.#tokens)
    this.#backups = new BackupDesk(this.#core)
  }

  /** The layer below: the plugin and the storage of the account that is open. */
  get client(): VaultClient {
    return this.#core.client
  }

  get config(): VaultConfig {
    return this.#core.config
  }

  /** True from `initialize` until `cleanup`, also while either is still at work. */
  get isInitialized(): boolean {
    return this.#initialised !== undefined
  }

  /** The vault at this moment: the same object until something changes. */
  readonly getSnapshot = (): VaultSnapshot => this.#core.snapshot

  /** Calls `listener` after each change of the snapshot. @returns the unsubscribe */
  readonly subscribe = (listener: () => void): (() => void) => this.#core.subscribe(listener)

  /**
   * Loads the plugin, and opens the account that was open last, locked (or as another tab has left it). After a failure
   * it can be tried again.
   *
   * @throws VaultError VAULT_ALREADY_INITIALIZED, WASM_NOT_LOADED, TIMEOUT, OPERATION_FAILED
   */
  initialize(): Promise<void> {
    const core = this.#core
    return core.guard('initialize', async () => {
      if (this.#initialised) {
        throw new VaultError('VAULT_ALREADY_INITIALIZED', 'The vault has been initialised already.')
      }
      const mine = {}
      this.#initialised = mine
      await this.#alone(async () => {
        core.loading()
        try {
          await this.#start()
        } catch (error) {
          if (this.#initialised === mine) {
            this.#initialised = undefined
            core.fail(toKeyVaultError(error))
          }
          throw error
        }
      })
    })
  }

  /**
   * Makes an account behind a passphrase, and leaves it unlocked. An account that was open is saved and locked.
   *
   * @throws VaultError VAULT_NOT_INITIALIZED before `initialize`; INVALID_PASSPHRASE, INVALID_KEY_TYPE;
   * OPERATION_FAILED where it could not be stored: nothing was made then
   */
  create({ passphrase, label, keyType }: CreateRequest): Promise<AccountInfo> {
    const core = this.#core
    return core.guard('create', async () => {
      const { chainId } = core.config
      const checked = await checkNewPassphrase(passphrase, core.config.assessPassphrase)
      const name = label?.trim()
      const input = {
        passphrase: checked,
        ...(keyType && { key_type: keyType }),
        ...(name && { label: name }),
        ...(chainId && { chain_id: chainId }),
      }
      return await this.#become(async (enclave) => {
        const made = await callPlugin(
          enclave,
          'create_vault',
          input,
          sealedResult,
          'Failed to create the vault',
        )
        const { address } = made.status
        if (!address) throw new VaultError('OPERATION_FAILED', 'Failed to create the vault')
        return { account: { enclave, address, sealed: made.enclave }, result: undefined }
      })
    })
  }

  /** Opens another account of this browser, locked; the one that is left is saved and locked. @throws VaultError */
  openAccount(address: string): Promise<void> {
    return this.#core.guard('openAccount', () => this.#alone(() => this.#open(address)))
  }

  /**
   * Unlocks the account that is open, for every tab that shares its enclave.
   *
   * @throws VaultError INVALID_PASSPHRASE; OPERATION_FAILED where the sealed state is damaged
   */
  unlock(passphrase: string): Promise<void> {
    const core = this.#core
    return core.guard('unlock', async () => {
      const { address } = core.snapshot
      if (address === undefined) throw noVault()
      const input = { passphrase: normalisePassphrase(passphrase) }
      await withWriteLock(address, async () => {
        await core.follow()
        const { status, enclave } = await core.call(
          'unlock_vault',
          input,
          unlockResult,
          'Failed to unlock the vault',
        )
        core.apply(status)
        // The sealing was strengthened; should that not be saved, the older one opens as well.
        if (enclave) await core.client.saveSealedState(enclave).catch((error) => core.report(error, 'unlock'))
      })
    })
  }

  /** Locks the account in every tab: the keys are wiped from memory. Locking what is locked does nothing. */
  lock(): Promise<void> {
    const core = this.#core
    return core.guard('lock', async () => {
      if (core.snapshot.phase === 'locked') await core.follow()
      if (core.snapshot.phase === 'locked') return
      const { status } = await core.call('lock_vault', {}, statusResult, 'Failed to lock the vault')
      core.apply(status)
    })
  }

  /** Deletes an account from this browser, for good. Where it is open, the vault is not initialised afterwards. */
  removeAccount(address: string): Promise<void> {
    const core = this.#core
    return core.guard('removeAccount', () =>
      this.#alone(async () => {
        const active = core.snapshot.address === address
        await core.client.removeAccount(address)
        if (readLastAccount() === address) rememberLastAccount(undefined)
        if (active) {
          core.announce('vault:changed', { address, change: 'removed' })
          await core.attach()
        }
        await core.accountsChanged()
      }),
    )
  }

  /** The accounts that this browser holds. */
  listAccounts(): Promise<AccountInfo[]> {
    return this.#core.guard('listAccounts', () => this.#core.listAccounts())
  }

  /** Makes another key. @throws VaultError VAULT_LOCKED, INVALID_KEY_TYPE, OPERATION_FAILED */
  generateKey({ keyType, label }: { keyType?: KeyType; label?: string } = {}): Promise<KeyInfo> {
    const core = this.#core
    return core.guard('generateKey', async () => {
      const name = label?.trim()
      const input = { ...(keyType && { key_type: keyType }), ...(name && { label: name }) }
      const failure = 'Failed to generate a key'
      const { status, key } = await core.mutate('generate_key', input, generateKeyResult, failure)
      core.announce('vault:key_generated', { ...addressOf(status.address), keyId: key.key_id })
      return toKeyInfo(key)
    })
  }

  /** Deletes a key for good. The first one cannot be deleted. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND, OPERATION_FAILED */
  deleteKey(keyId: string): Promise<void> {
    const core = this.#core
    return core.guard('deleteKey', async () => {
      const failure = 'Failed to delete the key'
      const { status } = await core.mutate('delete_key', { key_id: keyId }, sealedResult, failure)
      core.announce('vault:key_deleted', { ...addressOf(status.address), keyId })
    })
  }

  /** Chooses the key that signs where none is named. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND */
  setDefaultKey(keyId: string): Promise<void> {
    return this.#change('setDefaultKey', 'set_default_key', { key_id: keyId }, 'default_key')
  }

  /** Names a key. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND */
  labelKey(keyId: string, label: string): Promise<void> {
    return this.#change('labelKey', 'label_key', { key_id: keyId, label: label.trim() }, 'key_label')
  }

  /** Names the account. @throws VaultError VAULT_LOCKED */
  labelAccount(label: string): Promise<void> {
    return this.#change('labelAccount', 'label_vault', { label: label.trim() }, 'account_label')
  }

  /** Replaces the passphrase, and the data key with it. @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE */
  changePassphrase(current: string, next: string): Promise<void> {
    const core = this.#core
    return core.guard('changePassphrase', async () => {
      const input = {
        passphrase: normalisePassphrase(current),
        new_passphrase: await checkNewPassphrase(next, core.config.assessPassphrase),
      }
      const failure = 'Failed to change the passphrase'
      const { status } = await core.mutate('change_passphrase', input, sealedResult, failure)
      core.announce('vault:changed', { ...addressOf(status.address), change: 'passphrase' })
    })
  }

  /**
   * Everything of the account as one sealed file.
   *
   * @throws VaultError VAULT_LOCKED; INVALID_PASSPHRASE: the account's is wrong, or the file's is too weak
   */
  exportVault(request: ExportRequest): Promise<BackupFile> {
    return this.#core.guard('exportVault', () => this.#backups.export(request))
  }

  /**
   * Brings in a backup: merged into the account that is open where it is the same one (unlocked), else as another
   * account, which is then open and unlocked. Everything is checked before anything is written; a refusal leaves all as
   * it was.
   *
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE, OPERATION_FAILED
   */
  importVault(request: ImportRequest): Promise<ImportResult> {
    const core = this.#core
    return core.guard(
      'importVault',
      async () => {
        const address = await this.#backups.addressOf(request.text)
        const same = address === core.snapshot.address
        const imported = same ? await this.#backups.merge(request) : await this.#restore(address, request)
        core.announce('vault:imported', { address, tokens: imported.tokens, keys: imported.keys })
        if (imported.tokens > 0) core.tokensChanged()
        return imported
      },
      request.signal,
    )
  }

  /** Issues a delegation and keeps it. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND, OPERATION_FAILED */
  grant(request: GrantRequest, options?: CallOptions): Promise<StoredToken> {
    return this.#core.guard('grant', () => this.#tokens.grant(request, options), options?.signal)
  }

  /** Narrows a token that is held, and keeps what comes of it. @throws VaultError VAULT_LOCKED, OPERATION_FAILED */
  narrow(request: NarrowRequest, options?: CallOptions): Promise<StoredToken> {
    return this.#core.guard('narrow', () => this.#tokens.narrow(request, options), options?.signal)
  }

  /** Verifies a token that someone else gave, and keeps it. @throws VaultError OPERATION_FAILED, the token error's name in `details` */
  receive(text: string, about?: { label?: string }, options?: CallOptions): Promise<StoredToken> {
    return this.#core.guard('receive', () => this.#tokens.receive(text, about, options), options?.signal)
  }

  /** Signs an invocation, and keeps it until it expires. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND, OPERATION_FAILED */
  invoke(request: InvocationRequest, options?: CallOptions): Promise<StoredToken> {
    return this.#core.guard('invoke', () => this.#invocations.invoke(request, options), options?.signal)
  }

  /**
   * Signs a revocation, which nothing undoes, and keeps it. It takes effect where it is delivered to: see `token`.
   *
   * @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND; OPERATION_FAILED, where the chain is given also for one who may not revoke
   */
  revoke(request: RevocationRequest, options?: CallOptions): Promise<StoredToken> {
    return this.#core.guard('revoke', () => this.#invocations.revoke(request, options), options?.signal)
  }

  /** Signs a receipt of what came of a task, and keeps it. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND, OPERATION_FAILED */
  issueReceipt(request: ReceiptRequest, options?: CallOptions): Promise<StoredToken> {
    const work = () => this.#invocations.issueReceipt(request, options)
    return this.#core.guard('issueReceipt', work, options?.signal)
  }

  /** Every revocation that the account signed, newest first, those removed from the tokens too. @throws VaultError VAULT_LOCKED */
  revocations(): Promise<LastingToken[]> {
    return this.#core.guard('revocations', () => this.#invocations.lasting('revocation'))
  }

  /** Every receipt that the account signed, newest first, those removed from the tokens too. @throws VaultError VAULT_LOCKED */
  receipts(): Promise<LastingToken[]> {
    return this.#core.guard('receipts', () => this.#invocations.lasting('receipt'))
  }

  /** Signs bytes (under a prefix that no token has). @returns 64 bytes. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND */
  sign(data: Uint8Array, keyId?: string): Promise<Uint8Array> {
    return this.#core.guard('sign', async () => {
      const { signature } = await this.client.signData({
        data,
        ...(keyId !== undefined && { key_id: keyId }),
      })
      return Uint8Array.from(signature)
    })
  }

  /** Whether `sign` made this signature, with the key of `did` (default: the account's default key). */
  verify(data: Uint8Array, signature: Uint8Array, did?: string): Promise<boolean> {
    return this.#core.guard('verify', async () => {
      const { valid } = await this.client.verifyData({ data, signature, ...(did !== undefined && { did }) })
      return valid
    })
  }

  /** Decodes every token of a text. @throws VaultError OPERATION_FAILED, the token error's name in `details` */
  inspect(text: string, options?: CallOptions): Promise<InspectTokenResult> {
    return this.#core.guard('inspect', () => this.client.inspectToken(text, options), options?.signal)
  }

  /** Checks a token's whole chain; one that does not hold is a result. @throws VaultError OPERATION_FAILED */
  verifyToken(request: VerifyTokenRequest, options?: CallOptions): Promise<VerifyTokenResult> {
    return this.#core.guard('verifyToken', () => this.client.verifyToken(request, options), options?.signal)
  }

  /** Checks an invocation and its proofs; one that does not hold is a result. Needs no account. @throws VaultError OPERATION_FAILED */
  validateInvocation(request: ValidateInvocationRequest, options?: CallOptions): Promise<ValidationResult> {
    const work = () => this.client.validateInvocation(request, options)
    return this.#core.guard('validateInvocation', work, options?.signal)
  }

  /** Checks many invocations, one result each, in order. Needs no account. @throws VaultError OPERATION_FAILED */
  validateBatch(request: ValidateBatchRequest, options?: CallOptions): Promise<ValidateBatchResult> {
    const work = () => this.client.validateBatch(request, options)
    return this.#core.guard('validateBatch', work, options?.signal)
  }

  /** Every stored token that can be read, newest first; labels while unlocked. */
  tokens(): Promise<StoredToken[]> {
    return this.#core.guard('tokens', () => this.#tokens.list())
  }

  /** Forgets a token. What was given away with it stays valid. */
  removeToken(id: string): Promise<void> {
    return this.#core.guard('removeToken', () => this.#tokens.remove(id))
  }

  /** Closes the plugin, the storage and the channels: not initialised. Listeners stay. */
  async cleanup(): Promise<void> {
    this.#initialised = undefined
    const closed = this.client.cleanup()
    await this.#alone(async () => {
      await closed
      this.#core.detach()
    })
  }

  /** One change of account at a time, in the order they were asked for. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#lifecycle.then(work, work)
    this.#lifecycle = mine.catch(() => undefined)
    return mine
  }

  #change(
    operation: string,
    name: 'set_default_key' | 'label_key' | 'label_vault',
    input: object,
    change: 'default_key' | 'key_label' | 'account_label',
  ): Promise<void> {
    const core = this.#core
    return core.guard(operation, async () => {
      const { status } = await core.mutate(name, input, sealedResult, 'Failed to change the account')
      core.announce('vault:changed', { ...addressOf(status.address), change })
    })
  }

  /** Loads the plugin with the account that was open last. Where that one cannot be opened, `error` says why. */
  async #start(): Promise<void> {
    const core = this.#core
    await core.refreshAccounts()
    const last = core.config.enclave === undefined ? lastAccount(core.snapshot.accounts) : undefined
    let failure: unknown
    try {
      if (last !== undefined) await this.#requireStored(last)
      await core.client.initialize(undefined, last)
    } catch (error) {
      if (last === undefined || (error instanceof VaultError && error.code === 'WASM_NOT_LOADED')) throw error
      failure = error
      await core.client.initialize()
    }
    await this.#arrive(undefined)
    if (failure !== undefined) core.report(failure, 'initialize')
  }

  /** What cannot be opened is found out first, and leaves everything as it was. */
  async #requireStored(address: string): Promise<void> {
    if (address.trim() === '') throw new VaultError('OPERATION_FAILED', 'Account address is required')
    if ((await readAccount(address, this.client.openStorage)) !== undefined) return
    throw new VaultError(
      'OPERATION_FAILED',
      'The state of this account is missing. Restore it from a backup.',
    )
  }

  async #open(address: string): Promise<void> {
    const core = this.#core
    const { address: left } = core.snapshot
    if (!core.client.isInitialized) throw new VaultError('VAULT_NOT_INITIALIZED', 'Call initialize() first.')
    await this.#requireStored(address)
    await core.client.switchAccount(address)
    await this.#arrive(left)
  }

  /** Makes a new account in an enclave that holds none, and makes it the active one; or leaves everything as it was. */
  async #become<T>(
    make: (enclave: Enclave) => Promise<{ account: NewAccount; result: T }>,
  ): Promise<AccountInfo & { result: T }> {
    const core = this.#core
    return await this.#alone(async () => {
      const { address: left } = core.snapshot
      const home = left === undefined ? core.client.enclave : await core.client.startEnclave()
      try {
        const { account, result } = await make(home)
        await core.client.adopt(account)
        // The first key is the moment to ask again for storage that stays.
        if (core.isPersistent) void core.client.requestPersistentStorage()
        await this.#arrive(left)
        const { address } = account
        for (const { key_id: keyId } of core.snapshot.keys)
          core.announce('vault:key_generated', { address, keyId })
        await core.accountsChanged()
        const info = core.snapshot.accounts.find((each) => each.address === address)
        const { label } = core.snapshot
        return { ...(info ?? { address, active: true, ...(label !== undefined && { label }) }), result }
      } catch (error) {
        if (home !== core.client.enclave) await home.close()
        else if (left === undefined) await home.call('close_vault', {}).catch(() => undefined)
        throw error
      }
    })
  }

  async #restore(address: string, request: ImportRequest): Promise<ImportResult> {
    const kept = await this.#core.listAccounts()
    if (kept.some((account) => account.address === address && account.createdAt !== undefined)) {
      const message =
        'This backup is of an account that is in this browser already. Open and unlock it, then import.'
      throw new VaultError('OPERATION_FAILED', message)
    }
    return (await this.#become((enclave) => this.#backups.restore(enclave, request))).result
  }

  /** After the client has changed its account. */
  async #arrive(left: string | undefined): Promise<void> {
    const core = this.#core
    const status = await core.attach()
    if (left !== undefined && left !== status.address) core.tellLocked(left)
    if (status.address && core.isPersistent) rememberLastAccount(status.address)
    await core.refreshAccounts()
    this.#announceAccount(status)
  }

  #announceAccount({ address, locked }: EnclaveStatus): void {
    this.#core.announce('vault:initialized', { ...addressOf(address), locked })
  }
}

function addressOf(address: string | null | undefined): { address?: string } {
  return address ? { address } : {}
}

/** The account to open: the one that was open last, else the one that was used last. */
function lastAccount(accounts: readonly AccountInfo[]): string | undefined {
  const remembered = readLastAccount()
  if (remembered !== undefined && accounts.length === 0) return remembered
  if (accounts.some(({ address }) => address === remembered)) return remembered
  return accounts.toSorted((a, b) => (b.lastAccessed ?? 0) - (a.lastAccessed ?? 0))[0]?.address
}
