import type { CloseOptions } from '@keyhole/enclave'
import type { ResetAccount } from './accounts/account-reset.ts'
import { Accounts, type CreatedAccount, type CreateRequest } from './accounts/accounts.ts'
import type { CopyFile } from './accounts/copy-file.ts'
import type { Recovery, RestoredAccount, RestoreLostOptions } from './accounts/recovery.ts'
import { type UnlockMethod, UnlockMethods } from './accounts/unlock-methods.ts'
import type { Activity } from './activity/activity-log.ts'
import { readActivity } from './activity/activity-reader.ts'
import {
  BackupChecks,
  type BackupHealth,
  type VerifiedBackup,
  type VerifyRequest,
} from './backup/backup-health.ts'
import type { BackupFile, ExportRequest, ImportRequest, ImportResult } from './backup/backups.ts'
import { type LoadBackups, loadBackups } from './backup/load-backups.ts'
import { type Bytes, bytesOrRefusal } from './base/bytes.ts'
import type { VaultConfig, VaultDependencies } from './base/config.ts'
import { toKeyVaultError, VaultError } from './base/errors.ts'
import { passOn, VaultEvents } from './base/events.ts'
import type { AccountAct, VaultClient } from './client/vault-client.ts'
import type { KeyInfo, KeyType } from './enclave/enclave-status.ts'
import type { Mandate, MandateTerms } from './enclave/mandate.ts'
import type { AskedPayment, PaymentRecord, PaymentTerms } from './enclave/payment.ts'
import type { CallOptions } from './enclave/plugin.ts'
import type { InspectTokenResult, VerifyTokenRequest, VerifyTokenResult } from './enclave/protocol.ts'
import type {
  EvaluatePolicyRequest,
  EvaluatePolicyResult,
  ValidateBatchRequest,
  ValidateBatchResult,
  ValidateInvocationRequest,
  ValidationResult,
} from './enclave/validation.ts'
import { type ForeignKey, type KeyPreview, previewKey } from './keys/key-import.ts'
import { Keys } from './keys/keys.ts'
import type { PaymentExportFormat } from './payments/payment-export.ts'
import { type AuthorizeOptions, Payments } from './payments/payments.ts'
import type { VaultContext } from './session/context.ts'
import { hearCache } from './session/page-cache.ts'
import { Settings } from './session/settings.ts'
import type { AccountInfo, VaultSnapshot } from './session/snapshot.ts'
import { makeParts, type VaultParts } from './session/vault-parts.ts'
import { readStorageHealth, type StorageHealth } from './storage/account/storage-health.ts'
import type { TokenRecord } from './storage/schema.ts'
import { withWriteLock } from './storage/write-lock.ts'
import { type Connection, type ConnectionRequest, Connections, type Session } from './tokens/connections.ts'
import {
  type InvocationRequest,
  Invocations,
  type ReceiptRequest,
  type RevocationRequest,
} from './tokens/invocations.ts'
import type { LastingToken } from './tokens/lasting-tokens.ts'
import { type MadeMandate, Mandates } from './tokens/mandates.ts'
import {
  type GrantRequest,
  type NarrowRequest,
  type SealedLabel,
  type StoredToken,
  Tokens,
} from './tokens/tokens.ts'
import type { NewPasskey } from './unlock/passkey.ts'
import { asProof, overwriting, type Proof } from './unlock/unlock-proof.ts'

/**
 * The key vault: accounts with their keys, locked and unlocked, and what they sign. It is an `EventTarget` of
 * `VaultEventMap`, and a store for `useSyncExternalStore` by `subscribe` and `getSnapshot`.
 *
 * Every operation rejects with a `VaultError` of the nine codes and raises `vault:error`; a refusal changes nothing. A
 * caller's own abort rejects with its reason.
 */
export class KeyVault extends VaultEvents {
  readonly #parts: VaultParts
  readonly #context: VaultContext
  readonly #tokens: Tokens
  readonly #mandates: Mandates
  readonly #invocations: Invocations
  readonly #payments: Payments
  readonly #backups: LoadBackups
  readonly #health: BackupChecks
  readonly #keys: Keys
  readonly #methods: UnlockMethods
  readonly #settings: Settings
  readonly #sessions: Connections
  readonly #life: Accounts
  /** One object for each initialising, so that one that was cleaned up cannot undo its successor. */
  #initialised: object | undefined
  #leaveCache: (() => void) | undefined
  /** While the page is in the browser's cache: what was open. */
  #resting: { readonly address: string | undefined } | undefined

  constructor(config: VaultConfig = {}, dependencies: VaultDependencies = {}) {
    super()
    const parts = makeParts(config, dependencies, this, {
      followClient: (act) => this.#life.alone(() => this.#followClient(act)),
      takeUp: () => this.#life.alone(() => this.#life.takeUp()),
    })
    const { context, changes } = parts
    this.#parts = parts
    this.#context = context
    this.#tokens = new Tokens(context, changes)
    this.#mandates = new Mandates(context, changes, this.#tokens)
    this.#invocations = new Invocations(context, this.#tokens, this.#mandates)
    this.#payments = new Payments(context, changes, this.#invocations)
    this.#backups = loadBackups(context, changes)
    this.#health = new BackupChecks(context, changes)
    this.#keys = new Keys(context, changes)
    this.#methods = new UnlockMethods(context, changes)
    this.#settings = new Settings(context, changes)
    this.#sessions = new Connections(context, changes, this.#tokens, this.#invocations)
    this.#life = new Accounts(parts, this.#backups)
    passOn(this, this.client)
  }

  /** The hosts that may be asked for the keys of a `did:web`: those of the configuration, or those allowed since. */
  get didWebHosts(): readonly string[] {
    return this.client.didWebHosts
  }

  /**
   * Lets these hosts, and no others, be asked for the keys of a `did:web` from now on, when tokens and receipts are checked. It holds for
   * this object and is stored nowhere. What is being checked meanwhile is given up.
   * @param hosts names such as `mybank.example`, without a scheme or a port
   */
  async allowDidWebHosts(hosts: readonly string[]): Promise<void> {
    await this.client.allowDidWebHosts(hosts)
  }

  /** Fetched when an account is lost: few ever are. */
  async #recovery(): Promise<Recovery> {
    const { Recovery } = await import('./accounts/recovery.ts')
    return new Recovery(this.client)
  }

  /** The layer below: the plugin and the storage of the account that is open. */
  get client(): VaultClient {
    return this.#context.client
  }

  get config(): VaultConfig {
    return this.#context.config
  }

  /** True from `initialize` until `cleanup`, also while either is still at work. */
  get isInitialized(): boolean {
    return this.#initialised !== undefined
  }

  /** The vault at this moment: the same object until something changes. */
  readonly getSnapshot = (): VaultSnapshot => this.#context.snapshot

  /** Calls `listener` after each change of the snapshot. @returns the unsubscribe */
  readonly subscribe = (listener: () => void): (() => void) => this.#context.subscribe(listener)

  /**
   * Loads the plugin, and opens the account that was open last, locked (or as another tab has left it). After a failure
   * it can be tried again.
   *
   * @throws VaultError VAULT_ALREADY_INITIALIZED, WASM_NOT_LOADED, TIMEOUT, OPERATION_FAILED
   */
  initialize(): Promise<void> {
    const context = this.#context
    return context.guard(
      'initialize',
      async () => {
        if (this.#initialised) {
          throw new VaultError('VAULT_ALREADY_INITIALIZED', 'The vault has been initialised already.')
        }
        const mine = {}
        this.#initialised = mine
        this.#hearCache()
        context.loading()
        await this.#life.alone(async () => {
          context.loading()
          try {
            await this.#life.start()
          } catch (error) {
            if (this.#initialised === mine) {
              this.#initialised = undefined
              context.fail(toKeyVaultError(error))
            }
            throw error
          }
        })
      },
      context.config.signal,
    )
  }

  #hearCache(): void {
    this.#leaveCache ??= hearCache(this.#parts.page, {
      rest: () => this.#rest(),
      wake: () => void this.#wake(),
    })
  }

  /** The client was started, moved to another account or closed by its own methods: so is this. */
  async #followClient(act: AccountAct): Promise<void> {
    if (act.type === 'closed') {
      this.#initialised = undefined
      this.#parts.following.detach()
      this.#context.detach()
      return
    }
    if (!this.client.isInitialized) return
    this.#initialised ??= {}
    this.#hearCache()
    if (act.type === 'opened') await this.#life.arrive(act.left)
    else await this.#life.removed(act.address, act.active)
  }

  /**
   * Makes an account, and leaves it unlocked. An account that was open is saved and locked.
   *
   * @throws VaultError VAULT_NOT_INITIALIZED before `initialize`; INVALID_PASSPHRASE, INVALID_KEY_TYPE;
   * OPERATION_FAILED where it has too few ways to be unlocked, or could not be stored: nothing was made then
   */
  create(request: CreateRequest): Promise<CreatedAccount> {
    return overwriting([request.passkey], () =>
      this.#context.guard('create', () => this.#life.create(request)),
    )
  }

  /** Opens another account of this browser, locked; the one that is left is saved and locked. @throws VaultError */
  openAccount(address: string): Promise<void> {
    return this.#context.guard('openAccount', () => this.#life.alone(() => this.#life.open(address)))
  }

  /**
   * Unlocks the account that is open, for every tab that shares its enclave.
   *
   * @param proof the passphrase, or any of the three
   * @throws VaultError INVALID_PASSPHRASE; OPERATION_FAILED where the sealed state is damaged, a character of a recovery
   * code is mistyped, or it is too soon after wrong attempts (`details.retryAt`)
   */
  unlock(proof: string | Proof): Promise<void> {
    const given = asProof(proof)
    return overwriting([given], () => this.#context.guard('unlock', () => this.#parts.locking.unlock(given)))
  }

  /** Locks the account in every tab: the keys are wiped from memory. Locking what is locked does nothing. */
  lock(): Promise<void> {
    return this.#context.guard('lock', () => this.#parts.locking.lock('by hand'))
  }

  /** A person has used the page: a pointer, a key, a wheel. Puts off the automatic lock in every tab. Cheap. */
  touch(): void {
    this.#context.autoLock.touch()
  }

  /** Puts off the automatic lock that `locksAt` announces. */
  stay(): void {
    this.#context.autoLock.touch()
  }

  /**
   * Sets how long the account stays unlocked without use; kept sealed, and true in every tab at once.
   *
   * @param milliseconds at least 60,000; null: for ever
   * @throws VaultError VAULT_LOCKED, OPERATION_FAILED
   */
  setAutoLock(milliseconds: number | null): Promise<void> {
    return this.#context.guard('setAutoLock', () => this.#settings.setAutoLock(milliseconds))
  }

  /** Deletes an account from this browser, for good. Where it is open, the vault is not initialised afterwards. */
  removeAccount(address: string): Promise<void> {
    return this.#context.guard('removeAccount', () =>
      this.#life.alone(async () => {
        if (!this.client.isCopy || this.client.accountAddress !== address)
          return await this.#life.remove(address)
        await this.#context.lead(() => this.client.releaseAccount())
        await (await this.#recovery()).forget(address)
        await this.#life.removed(address, true)
      }),
    )
  }

  /**
   * Brings an account of `snapshot.lost` back from its second copy, locked, and opens it where none is open. Ended in
   * the middle it is as lost as before, and can be begun again.
   *
   * @throws VaultError OPERATION_FAILED: the copy does not hold its keys, or is not sound. Nothing was written then
   */
  restoreLost(address: string, options: RestoreLostOptions = {}): Promise<RestoredAccount> {
    const context = this.#context
    const work = () =>
      this.#life.alone(async () => {
        const restored = await (await this.#recovery()).restore(address, options)
        if (context.snapshot.phase === 'empty') await this.#life.open(address)
        await context.accountsChanged()
        return restored
      })
    return context.guard('restoreLost', work, options.signal)
  }

  /**
   * Writes a backup of an account of `snapshot.lost` from its second copy alone, also where IndexedDB does not open any
   * more. Nothing is changed here.
   *
   * @throws VaultError INVALID_PASSPHRASE: the proof is wrong, or the file's passphrase is too weak; OPERATION_FAILED where
   * the copy does not hold the account's keys
   */
  backupLost(address: string, request: ExportRequest): Promise<BackupFile> {
    const work = async () =>
      (await import('./accounts/copy-backup.ts')).backupFromCopy(this.#context, address, request)
    return overwriting([request.proof], () => this.#context.guard('backupLost', work, request.signal))
  }

  /**
   * Opens an account of `snapshot.lost` from its second copy, in memory and locked, also where IndexedDB does not open any
   * more: `snapshot.fromCopy`. Everything can be read and backed up; what would change the account is refused by the name
   * `OpenFromCopy`.
   *
   * @throws VaultError OPERATION_FAILED where the copy does not hold the account's keys, or the account is not lost
   */
  openCopy(address: string): Promise<void> {
    return this.#context.guard('openCopy', () => this.#life.alone(() => this.#life.openCopy(address)))
  }

  /**
   * An account's second copy as a file, sealed as it is: needs no secret, and IndexedDB is not read. `restoreCopy` takes it.
   *
   * @throws VaultError OPERATION_FAILED where the copy does not hold the account's keys
   */
  saveCopy(address: string): Promise<CopyFile> {
    return this.#context.guard('saveCopy', async () => {
      const { writeCopyFile } = await import('./accounts/copy-file.ts')
      return await writeCopyFile(address, this.#context.clock.now())
    })
  }

  /**
   * Brings an account back from the file of a second copy, locked, and opens it where none is open. What opened the
   * vault when the copy was written opens it. Tokens whose signature does not hold are left out and counted as unreadable.
   *
   * @throws VaultError OPERATION_FAILED: the file is damaged, or this browser has the account. Nothing was written then
   */
  restoreCopy(file: Blob, options: RestoreLostOptions = {}): Promise<RestoredAccount & { address: string }> {
    const context = this.#context
    const work = () =>
      this.#life.alone(async () => {
        const { restoreCopyFile } = await import('./accounts/copy-file.ts')
        const restored = await restoreCopyFile(file, () => this.client.startEnclave(), options)
        if (context.snapshot.phase === 'empty') await this.#life.open(restored.address)
        await context.accountsChanged()
        return restored
      })
    return context.guard('restoreLost', work, options.signal)
  }

  /** Gives a lost account up, for good: its second copy goes, and what is left of it. @throws VaultError OPERATION_FAILED where it is not lost */
  forgetLost(address: string): Promise<void> {
    return this.#context.guard('forgetLost', () =>
      this.#life.alone(async () => {
        await (await this.#recovery()).forget(address)
        this.#context.forget(address)
        await this.#context.accountsChanged()
      }),
    )
  }

  /** How safely this browser keeps the account that is open: its promise, its room, and the second copy. */
  storageHealth(): Promise<StorageHealth> {
    return this.#context.guard('storageHealth', () => readStorageHealth(this.client.openStorage))
  }

  /** Writes the second copy of the account that is open anew, all of it. @returns how it stands afterwards */
  renewCopy(): Promise<StorageHealth> {
    return this.#context.guard('renewCopy', async () => {
      await this.client.openStorage?.renewMirror()
      return await readStorageHealth(this.client.openStorage)
    })
  }

  /** The accounts that this browser holds. */
  listAccounts(): Promise<AccountInfo[]> {
    return this.#context.guard('listAccounts', () => this.#context.listAccounts())
  }

  /** Makes another key. @throws VaultError VAULT_LOCKED, INVALID_KEY_TYPE, OPERATION_FAILED */
  generateKey(request: { keyType?: KeyType; label?: string } = {}): Promise<KeyInfo> {
    return this.#context.guard('generateKey', () => this.#keys.generate(request))
  }

  /** Which key a text holds, before anything is made of it. Needs no account. @throws VaultError OPERATION_FAILED, INVALID_KEY_TYPE */
  previewKey(key: ForeignKey): Promise<KeyPreview> {
    return this.#context.guard('previewKey', () => previewKey(this.client.enclave, key))
  }

  /** Takes in a key that was made elsewhere. @throws VaultError VAULT_LOCKED, INVALID_KEY_TYPE; OPERATION_FAILED, for one that is here too */
  importKey(key: ForeignKey, label?: string): Promise<KeyInfo> {
    return this.#context.guard('importKey', () => this.#keys.import(key, label))
  }

  /** Deletes a key for good. The first one cannot be deleted. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND, OPERATION_FAILED */
  deleteKey(keyId: string): Promise<void> {
    return this.#context.guard('deleteKey', () => this.#keys.delete(keyId))
  }

  /** Chooses the key that signs where none is named. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND */
  setDefaultKey(keyId: string): Promise<void> {
    return this.#context.guard('setDefaultKey', () => this.#keys.setDefault(keyId))
  }

  /** Names a key. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND */
  labelKey(keyId: string, label: string): Promise<void> {
    return this.#context.guard('labelKey', () => this.#keys.label(keyId, label))
  }

  /** Names the account. @throws VaultError VAULT_LOCKED */
  labelAccount(label: string): Promise<void> {
    return this.#context.guard('labelAccount', () => this.#keys.labelAccount(label))
  }

  /** The ways to unlock the account, also while it is locked (without their labels then). @throws VaultError VAULT_NOT_INITIALIZED */
  unlockMethods(): Promise<UnlockMethod[]> {
    return this.#context.guard('unlockMethods', () => this.#methods.list())
  }

  /** Replaces the passphrase, and the data key with it. @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE */
  changePassphrase(current: string, next: string): Promise<void> {
    const work = () => this.#methods.setPassphrase({ passphrase: current }, next, 'changePassphrase')
    return this.#context.guard('changePassphrase', work)
  }

  /** Gives the account a passphrase, or replaces the one it has. @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE, OPERATION_FAILED */
  setPassphrase(proof: Proof, next: string): Promise<void> {
    return overwriting([proof], () =>
      this.#context.guard('setPassphrase', () => this.#methods.setPassphrase(proof, next)),
    )
  }

  /**
   * Adds a passkey; its bytes are overwritten.
   *
   * @returns the method's id
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE, OPERATION_FAILED
   */
  addPasskey(proof: Proof, passkey: NewPasskey): Promise<string> {
    return overwriting([proof, passkey], () =>
      this.#context.guard('addPasskey', () => this.#methods.addPasskey(proof, passkey)),
    )
  }

  /**
   * Whether somebody has shown that the recovery code was kept: `confirmRecoveryCode`, or an unlock by it. Sealed with the
   * account, and so in its backups and its second copy. Undefined where there is no code, or it is older than this mark.
   *
   * @throws VaultError VAULT_LOCKED
   */
  recoveryCodeKept(): Promise<boolean | undefined> {
    return this.#context.guard('unlockMethods', () => this.#methods.recoveryCodeKept())
  }

  /** Somebody has given the recovery code back from where it is kept. @throws VaultError VAULT_LOCKED, OPERATION_FAILED */
  confirmRecoveryCode(): Promise<void> {
    return this.#context.guard('keepRecoveryCode', () => this.#methods.keepRecoveryCode())
  }

  /**
   * Makes a recovery code, in the place of an older one.
   *
   * @param proof a passphrase or a passkey
   * @returns the code: nothing can show it again
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE
   */
  newRecoveryCode(proof: Proof): Promise<string> {
    return overwriting([proof], () =>
      this.#context.guard('newRecoveryCode', () => this.#methods.newRecoveryCode(proof)),
    )
  }

  /**
   * Removes a way to unlock the account, and replaces the data key.
   *
   * @param proof a passphrase or a passkey
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE; OPERATION_FAILED where too little would be left
   */
  removeUnlockMethod(proof: Proof, id: string): Promise<void> {
    return overwriting([proof], () =>
      this.#context.guard('removeUnlockMethod', () => this.#methods.remove(proof, id)),
    )
  }

  /** Names a way to unlock the account. @throws VaultError VAULT_LOCKED, OPERATION_FAILED */
  labelUnlockMethod(id: string, label: string): Promise<void> {
    return this.#context.guard('labelUnlockMethod', () => this.#methods.label(id, label))
  }

  /**
   * Everything of the account as one sealed file. The account's recovery code, where it has one, opens it too.
   *
   * @throws VaultError VAULT_LOCKED; INVALID_PASSPHRASE: the proof is wrong, or the file's passphrase is too weak
   */
  exportVault(request: ExportRequest): Promise<BackupFile> {
    return overwriting([request.proof], () =>
      this.#context.guard('exportVault', async () => (await this.#backups()).export(request), request.signal),
    )
  }

  /**
   * Opens a backup file of the account that is open, and compares it with what the account holds. Nothing is imported;
   * where the account is unlocked, it is remembered that this was done.
   *
   * @throws VaultError VAULT_NOT_INITIALIZED, INVALID_PASSPHRASE; OPERATION_FAILED: damaged, or another account's
   */
  verifyBackup(request: VerifyRequest): Promise<VerifiedBackup> {
    return this.#context.guard('verifyBackup', () => this.#health.verify(request), request.signal)
  }

  /** When a backup was last written and verified, and whether keys or tokens have changed since. @throws VaultError VAULT_LOCKED */
  backupHealth(): Promise<BackupHealth> {
    return this.#context.guard('backupHealth', () => this.#health.read())
  }

  /**
   * Brings in a backup: merged into the account that is open where it is the same one (unlocked), else as another
   * account, which is then open and unlocked. Everything is checked before anything is written; a refusal leaves all as
   * it was.
   *
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE, OPERATION_FAILED
   */
  importVault(request: ImportRequest): Promise<ImportResult> {
    const context = this.#context
    return context.guard(
      'importVault',
      async () => {
        const backups = await this.#backups()
        const address = await backups.addressOf(request.text)
        const same = address === context.snapshot.address
        const imported = same ? await backups.merge(request) : await this.#life.restore(address, request)
        context.announce('vault:imported', { address, tokens: imported.tokens, keys: imported.keys })
        if (imported.tokens > 0) context.tokensChanged()
        // It was opened just now, and has all that is here.
        if (imported.created) await this.#health.restored()
        return imported
      },
      request.signal,
    )
  }

  /**
   * Opens an account that is in this browser and locked by its own backup, and what opens that: it is unlocked afterwards,
   * by the new passphrase alone. Tokens that only this browser has stay. What was sealed under keys that are not in the
   * file (`lostKeys`, and names given since a passphrase was changed) does not open any more; the sealed state of before
   * is kept beside the new one.
   *
   * @throws VaultError INVALID_PASSPHRASE; OPERATION_FAILED where the account is open, or not here. Nothing was changed then
   */
  resetAccount(request: ImportRequest): Promise<ResetAccount> {
    const context = this.#context
    const work = () =>
      this.#life.alone(async () => {
        const address = await (await this.#backups()).addressOf(request.text)
        const reset = await this.#life.reset(address, request)
        context.announce('vault:imported', { address, tokens: reset.tokens, keys: reset.keys })
        context.tokensChanged()
        await context.accountsChanged()
        return reset
      })
    return context.guard('reset', work, request.signal)
  }

  /** What was done with the account, checked: lines that are missing or were rewritten show. @throws VaultError VAULT_LOCKED */
  activity(): Promise<Activity> {
    return this.#context.guard('activity', async () => {
      this.#context.requireUnlocked()
      if (!this.#context.isPersistent) return { lines: [], missing: [], rewritten: [] }
      const { enclave, storage } = this.client
      return await withWriteLock(storage.address, async () => {
        const { log } = this.#context
        if (log.hasNotes(storage.address)) await this.#parts.changes.settle(enclave, storage.address)
        return await readActivity(enclave, storage)
      })
    })
  }

  /** Issues a delegation and keeps it. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND, OPERATION_FAILED */
  grant(request: GrantRequest, options?: CallOptions): Promise<StoredToken> {
    return this.#context.guard('grant', () => this.#tokens.grant(request, options), options?.signal)
  }

  /** Narrows a token that is held, and keeps what comes of it. @throws VaultError VAULT_LOCKED, OPERATION_FAILED */
  narrow(request: NarrowRequest, options?: CallOptions): Promise<StoredToken> {
    return this.#context.guard('narrow', () => this.#tokens.narrow(request, options), options?.signal)
  }

  /** Verifies a token that someone else gave, and keeps it. @throws VaultError OPERATION_FAILED, the token error's name in `details` */
  receive(text: string, about?: { label?: string }, options?: CallOptions): Promise<StoredToken> {
    return this.#context.guard('receive', () => this.#tokens.receive(text, about, options), options?.signal)
  }

  /** Signs an invocation, and keeps it until it expires. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND, OPERATION_FAILED */
  invoke(request: InvocationRequest, options?: CallOptions): Promise<StoredToken> {
    return this.#context.guard('invoke', () => this.#invocations.invoke(request, options), options?.signal)
  }

  /**
   * Signs a revocation, which nothing undoes, and keeps it. It takes effect where it is delivered to: see `token`.
   *
   * @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND; OPERATION_FAILED, where the chain is given also for one who may not revoke
   */
  revoke(request: RevocationRequest, options?: CallOptions): Promise<StoredToken> {
    return this.#context.guard('revoke', () => this.#invocations.revoke(request, options), options?.signal)
  }

  /** Signs a receipt of what came of a task, and keeps it. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND, OPERATION_FAILED */
  issueReceipt(request: ReceiptRequest, options?: CallOptions): Promise<StoredToken> {
    const work = () => this.#invocations.issueReceipt(request, options)
    return this.#context.guard('issueReceipt', work, options?.signal)
  }

  /** Every revocation that the account signed, newest first, those removed from the tokens too. @throws VaultError VAULT_LOCKED */
  revocations(): Promise<LastingToken[]> {
    return this.#context.guard('revocations', () => this.#invocations.lasting('revocation'))
  }

  /** Every receipt that the account signed, newest first, those removed from the tokens too. @throws VaultError VAULT_LOCKED */
  receipts(): Promise<LastingToken[]> {
    return this.#context.guard('receipts', () => this.#invocations.lasting('receipt'))
  }

  /**
   * A payment in the terms that would be signed. Needs no account.
   *
   * @throws VaultError OPERATION_FAILED, `InvalidPayment`: no site, no amount, no currency, or no order that can be paid
   */
  checkPayment(asked: AskedPayment): Promise<PaymentTerms> {
    return this.#context.guard('checkPayment', () => this.#payments.check(asked))
  }

  /**
   * Signs that the payee may collect a payment: as a person has approved it, or (`byItself`) under the vault's own mandate.
   * It is given out once count, signature and record are stored.
   *
   * @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND; OPERATION_FAILED by name: `InvalidPayment`, `UnknownMandate`,
   * `OutsideMandate`, `BudgetExceeded`, `MandateSuspended`, `MandateEnded`. Nothing is counted or kept then
   */
  authorizePayment(asked: AskedPayment, options?: AuthorizeOptions): Promise<PaymentRecord> {
    return this.#context.guard('authorizePayment', () => this.#payments.authorize(asked, options))
  }

  /**
   * Authorises what a holder of a mandate asks for, in an invocation of `/payment/request` made out to this account.
   *
   * @param request the invocation's text, with its proofs
   * @throws VaultError as `authorizePayment`; OPERATION_FAILED by the name of the rule that the request breaks, `Replayed`
   * for one that was answered before
   */
  countersignPayment(request: string, options?: Pick<AuthorizeOptions, 'minutes'>): Promise<PaymentRecord> {
    return this.#context.guard('countersignPayment', () => this.#payments.countersign(request, options))
  }

  /** Every payment that the account authorised, newest first; none without persistence. @throws VaultError VAULT_LOCKED */
  payments(): Promise<PaymentRecord[]> {
    return this.#context.guard('payments', () => this.#payments.list())
  }

  /**
   * Keeps what the payee says became of a payment: an invocation of `/ucan/assert` about its task, signed by the payee's
   * `did:web` (looked up at `didWebHosts`) or by the key that it named when it asked. The first one stands.
   *
   * @returns the payment with its receipt
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED by name: `InvalidReceipt`, `UnknownPayment`, `ReceiptExists`, or that
   * of the rule that the token breaks. Nothing is changed then
   */
  addReceipt(token: string): Promise<PaymentRecord> {
    return this.#context.guard('addReceipt', () => this.#payments.addReceipt(token))
  }

  /** The payments as CSV (RFC 4180) or JSON, newest first, without the texts of tokens. @throws VaultError VAULT_LOCKED */
  exportPayments(format: PaymentExportFormat): Promise<string> {
    return this.#context.guard('payments', () => this.#payments.export(format))
  }

  /**
   * Makes a mandate with a budget, which is good only together with this vault, and keeps its delegation among the tokens.
   *
   * @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND; OPERATION_FAILED, `InvalidMandate`, `InvalidPayment`
   */
  makeMandate(terms: MandateTerms): Promise<MadeMandate> {
    return this.#context.guard('makeMandate', () => this.#mandates.make(terms))
  }

  /** The mandates with a budget, the oldest first, those that are over too. @throws VaultError VAULT_LOCKED */
  mandates(): Promise<Mandate[]> {
    return this.#context.guard('mandates', () => this.#mandates.list())
  }

  /** Suspends a mandate, or confirms it again. @throws VaultError VAULT_LOCKED; OPERATION_FAILED, `UnknownMandate`, `MandateEnded` */
  suspendMandate(cid: string, suspended: boolean): Promise<Mandate> {
    const act = suspended ? 'suspendMandate' : 'confirmMandate'
    return this.#context.guard(act, () => this.#mandates.suspend(cid, suspended))
  }

  /**
   * Ends a mandate for good and revokes its delegation; the revocation is among `tokens()`, to be delivered. `revoke` does
   * the same for a mandate's CID.
   *
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED, `UnknownMandate`
   */
  endMandate(cid: string): Promise<Mandate> {
    return this.#context.guard('endMandate', async () => (await this.#mandates.end({ cid })).mandate)
  }

  /**
   * Signs bytes (under a prefix that no token has): those that are there when this is called.
   *
   * @returns 64 bytes
   * @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND; OPERATION_FAILED, `NotBytes` for anything but bytes
   */
  sign(data: Bytes, keyId?: string): Promise<Uint8Array> {
    const bytes = bytesOrRefusal(data, 'data')
    return this.#context.guard('sign', async () => {
      if (bytes instanceof VaultError) throw bytes
      const request = { data: bytes, ...(keyId !== undefined && { key_id: keyId }) }
      const { signature } = await this.client.signData(request)
      const key = keyId ?? this.#context.snapshot.defaultKey
      await this.#parts.changes.mention('sign', { bytes: bytes.length, ...(key !== undefined && { key }) })
      return Uint8Array.from(signature)
    })
  }

  /**
   * Whether `sign` made this signature, with the key of `did` (default: the account's default key).
   *
   * @throws VaultError OPERATION_FAILED, `NotBytes` where either is anything but bytes
   */
  verify(data: Bytes, signature: Bytes, did?: string): Promise<boolean> {
    const [bytes, signed] = [bytesOrRefusal(data, 'data'), bytesOrRefusal(signature, 'signature')]
    return this.#context.guard('verify', async () => {
      if (bytes instanceof VaultError) throw bytes
      if (signed instanceof VaultError) throw signed
      const request = { data: bytes, signature: signed, ...(did !== undefined && { did }) }
      const { valid } = await this.client.verifyData(request)
      return valid
    })
  }

  /** Decodes every token of a text. @throws VaultError OPERATION_FAILED, the token error's name in `details` */
  inspect(text: string, options?: CallOptions): Promise<InspectTokenResult> {
    return this.#context.guard('inspect', () => this.client.inspectToken(text, options), options?.signal)
  }

  /** Checks a token's whole chain; one that does not hold is a result. @throws VaultError OPERATION_FAILED */
  verifyToken(request: VerifyTokenRequest, options?: CallOptions): Promise<VerifyTokenResult> {
    return this.#context.guard(
      'verifyToken',
      () => this.client.verifyToken(request, options),
      options?.signal,
    )
  }

  /** Checks an invocation and its proofs; one that does not hold is a result. Needs no account. @throws VaultError OPERATION_FAILED */
  validateInvocation(request: ValidateInvocationRequest, options?: CallOptions): Promise<ValidationResult> {
    const work = () => this.client.validateInvocation(request, options)
    return this.#context.guard('validateInvocation', work, options?.signal)
  }

  /** Checks many invocations, one result each, in order. Needs no account. @throws VaultError OPERATION_FAILED */
  validateBatch(request: ValidateBatchRequest, options?: CallOptions): Promise<ValidateBatchResult> {
    const work = () => this.client.validateBatch(request, options)
    return this.#context.guard('validateBatch', work, options?.signal)
  }

  /** Whether a call is allowed by policies, and why. Needs no account and no token. @throws VaultError OPERATION_FAILED */
  evaluatePolicy(request: EvaluatePolicyRequest, options?: CallOptions): Promise<EvaluatePolicyResult> {
    const work = () => this.client.evaluatePolicy(request, options)
    return this.#context.guard('evaluatePolicy', work, options?.signal)
  }

  /** Every stored token that can be read, newest first; labels while unlocked. */
  tokens(): Promise<StoredToken[]> {
    return this.#context.guard('tokens', () => this.#tokens.list())
  }

  /**
   * Grants given and received that have ended: a clean-up took them from the stored tokens, and they are kept whole until 90
   * days after their end. The last to end first; labels while unlocked.
   */
  endedTokens(): Promise<StoredToken[]> {
    return this.#context.guard('tokens', () => this.#tokens.ended())
  }

  /**
   * Opens labels for one who reads the stored tokens by `@keyhole/vault/token-reader`, in order; undefined for what does
   * not open, and for all while locked.
   */
  openLabels(labels: readonly SealedLabel[]): Promise<(string | undefined)[]> {
    return this.#context.guard('tokens', () => this.#tokens.openLabels(labels))
  }

  /** A stored record with what older ones do not say of themselves; undefined where its token cannot be read. */
  completeToken(record: TokenRecord): Promise<StoredToken | undefined> {
    return this.#context.guard('tokens', () => this.#tokens.complete(record))
  }

  /** Forgets a token. What was given away with it stays valid. */
  removeToken(id: string): Promise<void> {
    return this.#context.guard('removeToken', () => this.#tokens.remove(id))
  }

  /** Puts a token back that was removed in this tab, as it was. @throws VaultError OPERATION_FAILED where it cannot any more */
  restoreToken(id: string): Promise<void> {
    return this.#context.guard('restoreToken', () => this.#tokens.restore(id))
  }

  /**
   * Grants what an app asked for, and makes a session of it, in one write. Ending the session revokes the grant.
   *
   * @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND, OPERATION_FAILED
   */
  connect(request: ConnectionRequest, options?: CallOptions): Promise<Connection> {
    return this.#context.guard('connect', () => this.#sessions.connect(request, options), options?.signal)
  }

  /** The sessions whose time is not up, newest first: connected apps. Who they are only while unlocked. */
  sessions(): Promise<Session[]> {
    return this.#context.guard('sessions', () => this.#sessions.list())
  }

  /**
   * Ends a session for good, and revokes what it was granted.
   *
   * @returns the revocation, where there was something to revoke: hand it to every service where the grant could be used
   * @throws VaultError VAULT_LOCKED, OPERATION_FAILED
   */
  endSession(id: string): Promise<StoredToken | undefined> {
    return this.#context.guard('endSession', async () => {
      const [revocation] = await this.#sessions.end([id])
      return revocation
    })
  }

  /**
   * Ends every session of the account for good, and revokes what they were granted: see {@link revocations}.
   *
   * @returns how many
   * @throws VaultError VAULT_LOCKED, OPERATION_FAILED
   */
  endSessions(): Promise<number> {
    return this.#context.guard('endSession', async () => {
      const ids = (await this.client.getSessions()).map(({ id }) => id)
      await this.#sessions.end(ids)
      return ids.length
    })
  }

  /**
   * Ends another tab of `snapshot.tabs`: it leaves the account at once, and says so; the account stays as it is here.
   * Reloading that tab, or a press of a button in it, opens the account again.
   *
   * @throws VaultError VAULT_NOT_INITIALIZED; OPERATION_FAILED where that tab is not there
   */
  endTab(id: string): Promise<void> {
    const context = this.#context
    return context.guard('endTab', async () => {
      if (!(await this.#parts.openTabs.end(id))) {
        throw new VaultError('OPERATION_FAILED', 'This tab is not open any more.', { id })
      }
      await this.#parts.changes.mention('endTab', { ended: id })
    })
  }

  /** Ends every other tab of the account. @returns how many there were */
  endOtherTabs(): Promise<number> {
    const context = this.#context
    return context.guard('endTab', async () => {
      const tabs = await this.#parts.openTabs.endOthers()
      if (tabs > 0) await this.#parts.changes.mention('endTab', { tabs })
      return tabs
    })
  }

  /** Closes the plugin, the storage and the channels: not initialised. Listeners stay. */
  async cleanup(): Promise<void> {
    this.#leaveCache?.()
    this.#leaveCache = undefined
    this.#resting = undefined
    await this.#close()
  }

  async #close(options?: CloseOptions): Promise<void> {
    this.#initialised = undefined
    const closed = this.#context.lead(() => this.client.cleanup(options))
    await this.#life.alone(async () => {
      await closed
      this.#parts.following.detach()
      this.#context.detach()
    })
  }

  /**
   * The page is put away: its place in the enclave is given up, at once, and the last tab that does so wipes the keys. A Worker of its own
   * ends with them.
   */
  #rest(): void {
    if (!this.#initialised) return
    this.#parts.openTabs.leave()
    if (this.#context.isPersistent) {
      this.#resting = { address: this.#context.snapshot.address }
      void this.#close({ wait: false })
    } else {
      // There is no other copy of it than the one in there.
      void this.lock().catch(() => undefined)
    }
  }

  /** The page is back: the account that it had is opened again, locked or as the other tabs have it. */
  async #wake(): Promise<void> {
    const resting = this.#resting
    this.#resting = undefined
    if (!resting || this.#initialised) return
    try {
      await this.initialize()
      const { address } = resting
      if (address !== undefined && this.#context.snapshot.address !== address) await this.openAccount(address)
    } catch {
      // It is in the snapshot, and was raised as `vault:error`.
    }
  }
}
