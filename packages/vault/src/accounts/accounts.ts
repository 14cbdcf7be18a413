import type { Enclave } from '@keyhole/enclave'
import type { ImportRequest, ImportResult } from '../backup/backups.ts'
import type { LoadBackups } from '../backup/load-backups.ts'
import { refused, VaultError } from '../base/errors.ts'
import type { MadeAccount, NewAccount, TakenAccount } from '../client/open-account.ts'
import type { KeyType } from '../enclave/enclave-status.ts'
import { forgetDevices } from '../enclave/needs-devices.ts'
import { callPlugin, discard, empty } from '../enclave/plugin.ts'
import type { ForeignKey } from '../keys/key-import.ts'
import type { VaultContext } from '../session/context.ts'
import type { Following } from '../session/following.ts'
import type { Locking } from '../session/locking.ts'
import type { AccountInfo } from '../session/snapshot.ts'
import type { VaultParts } from '../session/vault-parts.ts'
import { readAccount, requireLost } from '../storage/account/account-list.ts'
import type { AccountStorage } from '../storage/account/account-storage.ts'
import { lostError } from '../storage/account/lost-accounts.ts'
import { publicHalfOf, recoveryCodeRecord } from '../storage/account/recovery-code.ts'
import { readLastAccount, rememberLastAccount } from '../storage/last-account.ts'
import type { NewPasskey } from '../unlock/passkey.ts'
import { checkNewPassphrase } from '../unlock/passphrase.ts'
import { passkeyInput } from '../unlock/unlock-proof.ts'
import type { ResetAccount } from './account-reset.ts'
import { requireSomeMethod } from './unlock-methods.ts'

export interface CreateRequest {
  /** One of `passphrase` and `passkey`, or both. A passkey alone needs `recoveryCode` too. */
  readonly passphrase?: string
  readonly passkey?: NewPasskey
  /** Make a recovery code. It's in the answer and can't be shown again. */
  readonly recoveryCode?: boolean
  /** The person's name for the account; sealed with it. */
  readonly label?: string
  /** Type of the first key. Default `ed25519`. */
  readonly keyType?: KeyType
  /** An imported first key, instead of a new one. */
  readonly key?: ForeignKey
}

/** A newly created account. */
export type CreatedAccount = AccountInfo & { readonly recoveryCode?: string }

/** Decides which account is open: starts, creates, opens, restores and removes accounts, one at a time. */
export class Accounts {
  readonly #context: VaultContext
  readonly #locking: Locking
  readonly #following: Following
  readonly #backups: LoadBackups
  #tail: Promise<unknown> = Promise.resolve()

  constructor({ context, locking, following }: VaultParts, backups: LoadBackups) {
    this.#context = context
    this.#locking = locking
    this.#following = following
    this.#backups = backups
  }

  /** Runs changes of account one at a time, in the order they were requested. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#tail.then(work, work)
    this.#tail = mine.catch(() => undefined)
    return mine
  }

  /** Loads the plugin with the account that was open last. If that can't be opened, `error` says why. */
  async start(): Promise<void> {
    const context = this.#context
    await context.refreshAccounts()
    const { accounts, lost } = context.snapshot
    // A vault without storage ignores what other vaults stored here.
    const remembered = context.isPersistent ? readLastAccount() : undefined
    // The person must see that this account is gone, not another account instead.
    const gone = lost.some(({ address }) => address === remembered)
    const last = context.config.enclave !== undefined || gone ? undefined : lastAccount(accounts, remembered)
    let failure: unknown = gone ? lostError() : undefined
    try {
      if (last !== undefined) await this.#requireStored(last)
      await context.lead(() => context.client.initialize(undefined, last))
    } catch (error) {
      if (last === undefined || (error instanceof VaultError && error.code === 'WASM_NOT_LOADED')) throw error
      failure = error
      await context.lead(() => context.client.initialize())
    }
    await this.arrive(undefined)
    if (failure !== undefined) context.report(failure, 'initialize')
  }

  async create({
    recoveryCode,
    key,
    keyType,
    label,
    passkey,
    ...request
  }: CreateRequest): Promise<CreatedAccount> {
    const { config } = this.#context
    requireSomeMethod(request.passphrase, passkey)
    const passphrase =
      request.passphrase === undefined
        ? undefined
        : await checkNewPassphrase(request.passphrase, config.assessPassphrase)
    const name = label?.trim()
    const input = {
      ...(passphrase !== undefined && { passphrase }),
      ...(passkey && { passkey: passkeyInput(passkey) }),
      ...(recoveryCode && { recovery_code: true }),
      ...(keyType && { key_type: keyType }),
      ...(key && { key: (await import('../keys/key-import.ts')).foreignKeyInput(key) }),
      ...(name && { label: name }),
      ...(config.chainId && { chain_id: config.chainId }),
    }
    const failure = 'Failed to create the vault'
    const { result, ...account } = await this.#become(async (enclave) => {
      const made = await callPlugin(enclave, 'create_vault', input, failure)
      const { address } = made.status
      if (!address) throw refused('CallFailed', { failure })
      const about = {
        ...(passphrase !== undefined && { passphrase: true }),
        ...(passkey && { passkey: true }),
        ...(recoveryCode && { recoveryCode: true }),
        ...(key && { imported: true }),
      }
      const now = this.#context.clock.now()
      const unkept = { confirmed: false, of: publicHalfOf(made.enclave) }
      const metadata = recoveryCode ? [await recoveryCodeRecord(enclave, address, unkept, now)] : []
      const make = async () => ({ sealed: made.enclave, batch: { metadata } })
      const account = { enclave, address, fills: false, make }
      return { account: this.#logged(account, 'create', () => about), result: made.recovery_code }
    })
    return { ...account, ...(result !== undefined && { recoveryCode: result }) }
  }

  async open(address: string): Promise<void> {
    const context = this.#context
    const { address: left } = context.snapshot
    this.#requireInitialized()
    await this.#requireStored(address)
    await context.lead(() => context.client.switchAccount(address))
    await this.arrive(left)
  }

  /** Opens a lost account from its second copy, in memory. @throws VaultError OPERATION_FAILED if it isn't lost */
  async openCopy(address: string): Promise<void> {
    const context = this.#context
    const { address: left } = context.snapshot
    this.#requireInitialized()
    await requireLost(address)
    await context.lead(() => context.client.openCopy(address))
    await this.arrive(left)
  }

  /** If no account is open, opens one that another tab created, so that work waiting for a vault can go on. */
  async takeUp(): Promise<void> {
    const { phase, accounts } = this.#context.snapshot
    const address = lastAccount(accounts, readLastAccount())
    if (phase === 'empty' && address !== undefined) await this.open(address)
  }

  async restore(address: string, request: ImportRequest): Promise<ImportResult> {
    const stored = await this.#context.listAccounts()
    if (stored.some((account) => account.address === address && account.createdAt !== undefined)) {
      throw refused('BackupOfAccountHere')
    }
    const { withProgressHeartbeat } = await import('../backup/progress-heartbeat.ts')
    return await withProgressHeartbeat(request, async (beating) => {
      const { result } = await this.#become(async (enclave) => {
        const { account, result } = await (await this.#backups()).restore(enclave, beating)
        const about = () => ({ tokens: result.tokens, keys: result.keys })
        return { account: this.#logged(account, 'restore', about), result }
      })
      // If it was on several devices, this one is none of them any more.
      forgetDevices(address)
      return result
    })
  }

  /** Makes an account that its enclave has open the active one, with a line of the log. */
  async take({ enclave, address, ...made }: TakenAccount, act: string): Promise<AccountInfo> {
    const account = { enclave, address, fills: false, make: async () => made }
    const make = async () => ({ account: this.#logged(account, act, () => ({})), result: undefined })
    return await this.#become(make, enclave)
  }

  /** Resets a locked account with its backup and a new passphrase, and leaves it unlocked. */
  async reset(address: string, request: ImportRequest): Promise<ResetAccount> {
    const context = this.#context
    this.#requireInitialized()
    if (!context.isPersistent) {
      throw refused('StoresNothing')
    }
    const isActive = context.snapshot.address === address
    if (isActive && context.snapshot.phase === 'unlocked') {
      throw refused('AccountOpen')
    }
    if (!isActive) await this.#requireStored(address)
    const { resetByBackup } = await import('./account-reset.ts')
    const reset = await resetByBackup(context, address, request)
    // Opening the file proves ownership, so earlier wrong attempts don't cause a wait.
    context.forgiveAttempts(address)
    if (isActive) await this.#following.refresh(false)
    else await this.open(address)
    await this.#locking.unlock({ passphrase: request.passphrase ?? '' })
    return reset
  }

  async remove(address: string): Promise<void> {
    const context = this.#context
    const active = context.snapshot.address === address
    await context.lead(() => context.client.removeAccount(address))
    await this.removed(address, active)
  }

  /** After an account was removed. @param active whether it was open */
  async removed(address: string, active: boolean): Promise<void> {
    const context = this.#context
    if (readLastAccount() === address) rememberLastAccount(undefined)
    context.forget(address)
    if (active) {
      context.announce('vault:changed', { address, change: 'removed' })
      await this.#following.attach()
    }
    await context.accountsChanged()
  }

  /** The account with a log line, sealed once it is made and stored with it. */
  #logged(account: NewAccount, act: string, about: () => Record<string, number | boolean>): NewAccount {
    const { log, isPersistent } = this.#context
    if (!isPersistent) return account
    const { address, enclave } = account
    const make = async (storage: AccountStorage | undefined): Promise<MadeAccount> => {
      const made = await account.make(storage)
      const lines = await log.seal(enclave, address, [{ act, outcome: 'done', about: about() }])
      const metadata = [...(made.batch.metadata ?? []), ...lines.metadata]
      return { ...made, sealed: lines.enclave, batch: { ...made.batch, metadata } }
    }
    return { ...account, make }
  }

  /** @throws VaultError VAULT_NOT_INITIALIZED */
  #requireInitialized(): void {
    if (this.#context.client.isInitialized) return
    throw refused('NotStarted')
  }

  /** Checks first that the account can be opened, so that a failure changes nothing. */
  async #requireStored(address: string): Promise<void> {
    if (address.trim() === '') throw refused('AddressRequired')
    const { client, isPersistent } = this.#context
    // The client knows this page's accounts and refuses any other.
    if (!isPersistent || (await readAccount(address, client.openStorage)) !== undefined) return
    throw refused('AccountStateMissing')
  }

  /** Creates an account in an empty enclave and makes it the active one, or leaves everything as it was. @param given that enclave */
  async #become<T>(
    make: (enclave: Enclave) => Promise<{ account: NewAccount; result: T }>,
    given?: Enclave,
  ): Promise<AccountInfo & { result: T }> {
    const context = this.#context
    return await this.alone(async () => {
      const { address: left } = context.snapshot
      const enclave =
        given ?? (left === undefined ? context.client.enclave : await context.client.startEnclave())
      try {
        const { account, result } = await make(enclave)
        await context.lead(() => context.client.adopt(account))
        // A first key is a good reason to ask for persistent storage again.
        if (context.isPersistent) void context.client.requestPersistentStorage()
        await this.arrive(left)
        const { address } = account
        context.autoLock.use()
        for (const { key_id: keyId } of context.snapshot.keys)
          context.announce('vault:key_generated', { address, keyId })
        await context.accountsChanged()
        const info = context.snapshot.accounts.find((each) => each.address === address)
        const { label } = context.snapshot
        return { ...(info ?? { address, active: true, ...(label !== undefined && { label }) }), result }
      } catch (error) {
        if (enclave !== context.client.enclave) await discard(enclave)
        else if (left === undefined) await empty(enclave)
        throw error
      }
    })
  }

  /** Updates everything after the client changed accounts. */
  async arrive(left: string | undefined): Promise<void> {
    const context = this.#context
    const { address, locked } = await this.#following.attach()
    if (left !== undefined && left !== address) this.#following.tellLocked(left)
    if (address && context.isPersistent) rememberLastAccount(address)
    await context.refreshAccounts()
    context.announce('vault:initialized', { ...(address && { address }), locked })
  }
}

/** The account to open: the one that was open last, or else the one used last. */
function lastAccount(accounts: readonly AccountInfo[], remembered: string | undefined): string | undefined {
  if (remembered !== undefined && accounts.length === 0) return remembered
  if (accounts.some(({ address }) => address === remembered)) return remembered
  return accounts.toSorted((a, b) => (b.lastAccessed ?? 0) - (a.lastAccessed ?? 0))[0]?.address
}
