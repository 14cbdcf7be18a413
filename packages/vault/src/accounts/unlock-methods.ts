import { fromBase64Url } from '../base/base64url.ts'
import { noVault, refused } from '../base/errors.ts'
import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import {
  publicHalfOf,
  RECOVERY_CODE_ID,
  readRecoveryCodeConfirmed,
  recoveryCodeRecord,
} from '../storage/account/recovery-code.ts'
import type { NewPasskey } from '../unlock/passkey.ts'
import { checkNewPassphrase } from '../unlock/passphrase.ts'
import { passkeyInput, type UnlockMethodKind, type UnlockProof } from '../unlock/unlock-proof.ts'

/** One of the ways to unlock an account. */
export interface UnlockMethod {
  readonly id: string
  readonly kind: UnlockMethodKind
  /** Seconds since 1970. */
  readonly createdAt: number
  /** Only while unlocked. */
  readonly label?: string
  /** For a passkey: the credential's id, base64url. */
  readonly credential?: string
  /** For a passkey: the host name it belongs to. */
  readonly relyingParty?: string
  /** For a passkey: the two inputs to evaluate, 64 bytes. Not secret. */
  readonly salt?: Uint8Array
}

/**
 * How an account is unlocked: passphrase, passkeys, recovery code. Each change needs a fresh proof, checked in the
 * enclave.
 */
export class UnlockMethods {
  readonly #context: VaultContext
  readonly #changes: Changes
  /** The public half of the code that was last shown here. Another device may have replaced it since. */
  #shown: { readonly address: string | undefined; readonly of: string | undefined } | undefined

  constructor(context: VaultContext, changes: Changes) {
    this.#context = context
    this.#changes = changes
  }

  /**
   * The account's unlock methods; while it is locked, without their labels. @throws VaultError VAULT_NOT_INITIALIZED
   */
  async list(): Promise<UnlockMethod[]> {
    if (this.#context.snapshot.address === undefined) throw noVault()
    const failure = 'Failed to list the unlock methods'
    const { methods } = await this.#context.call('list_unlock_methods', {}, failure)
    return methods.map(({ id, kind, created_at: createdAt, label, credential, relying_party, salt }) => {
      const bytes = kind === 'passkey' && salt ? fromBase64Url(salt) : undefined
      return {
        ...{ id, kind, createdAt },
        ...(label && { label }),
        ...(credential && { credential }),
        ...(relying_party && { relyingParty: relying_party }),
        ...(bytes && { salt: bytes }),
      }
    })
  }

  /** Replaces the passphrase, and with it the data key. @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE */
  async changePassphrase(current: string, next: string): Promise<void> {
    await this.#replacePassphrase('changePassphrase', { passphrase: current }, next)
  }

  /**
   * Sets or replaces the account's passphrase. @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE, OPERATION_FAILED
   */
  async setPassphrase(proof: UnlockProof, next: string): Promise<void> {
    await this.#replacePassphrase('setPassphrase', proof, next)
  }

  async #replacePassphrase(act: string, proof: UnlockProof, next: string): Promise<void> {
    const passphrase = await checkNewPassphrase(next, this.#context.config.assessPassphrase)
    const failure = 'Failed to change the passphrase'
    await this.#changes.mutate({
      ...{ act, name: 'set_passphrase', input: { passphrase }, failure, proof },
    })
    this.#context.changed('passphrase')
  }

  /**
   * Adds a passkey; its bytes are overwritten.
   *
   * @returns the method's id
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE, OPERATION_FAILED
   */
  async addPasskey(proof: UnlockProof, passkey: NewPasskey): Promise<string> {
    const result = await this.#changes.mutate({
      act: 'addPasskey',
      name: 'add_passkey',
      input: { passkey: passkeyInput(passkey) },
      failure: 'Failed to add the passkey',
      proof,
      about: ({ method_id }) => ({ method: method_id, relyingParty: passkey.relyingParty }),
    })
    this.#context.changed('unlock_methods')
    return result.method_id
  }

  /**
   * Creates a recovery code, replacing any older one.
   * @param proof a passphrase or a passkey
   * @returns the code, which can't be shown again
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE
   */
  async newRecoveryCode(proof: UnlockProof): Promise<string> {
    const failure = 'Failed to make a recovery code'
    let made: string | undefined
    const { recovery_code } = await this.#changes.mutate({
      ...{ act: 'newRecoveryCode', name: 'new_recovery_code', input: {}, failure, proof },
      prepare: async ({ enclave }) => {
        made = publicHalfOf(enclave)
        return { metadata: [await this.#standing(false, made)] }
      },
    })
    this.#shown = { address: this.#context.snapshot.address, of: made }
    this.#context.changed('unlock_methods')
    return recovery_code
  }

  /**
   * Whether the person has shown that they kept the recovery code, by `confirmRecoveryCode` or by unlocking with it.
   * Sealed with the account, so backups and the second copy have it too. False for a code that another device, or a
   * backup that was merged, says this of. Undefined if there is no code, or nothing is recorded.
   * @throws VaultError VAULT_LOCKED
   */
  async recoveryCodeConfirmed(): Promise<boolean | undefined> {
    this.#context.requireUnlocked()
    const { client, isPersistent } = this.#context
    if (!isPersistent) return undefined
    return await readRecoveryCodeConfirmed(client.enclave, client.storage, await client.newestState())
  }

  /** Records that the person entered the recovery code they kept. @throws VaultError VAULT_LOCKED, OPERATION_FAILED */
  async confirmRecoveryCode(): Promise<void> {
    this.#context.requireUnlocked()
    const confirm = async () => {
      const { client, snapshot } = this.#context
      const shown = this.#shown?.address === snapshot.address ? this.#shown?.of : undefined
      return { metadata: [await this.#standing(true, shown ?? publicHalfOf(client.sealedState))] }
    }
    await this.#changes.record('keepRecoveryCode', {}, confirm, this.#context.client.enclave)
    this.#context.changed('unlock_methods')
  }

  async #standing(confirmed: boolean, of: string | undefined) {
    const { client, snapshot } = this.#context
    const standing = { confirmed, of }
    const now = await this.#context.laterThanStored(RECOVERY_CODE_ID)
    return await recoveryCodeRecord(client.enclave, snapshot.address ?? '', standing, now)
  }

  /**
   * Removes an unlock method and replaces the data key.
   * @param proof a passphrase or a passkey
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE; OPERATION_FAILED if too little would be left
   */
  async remove(proof: UnlockProof, id: string): Promise<void> {
    const isCode = (await this.list()).some((each) => each.id === id && each.kind === 'recovery_code')
    await this.#changes.mutate({
      act: 'removeUnlockMethod',
      name: 'remove_unlock_method',
      input: { method_id: id },
      failure: 'Failed to remove the unlock method',
      proof,
      about: () => ({ method: id }),
      prepare: async () => ({ removed: { metadata: isCode ? [RECOVERY_CODE_ID] : [] } }),
    })
    this.#context.changed('unlock_methods')
  }

  /** Names an unlock method. @throws VaultError VAULT_LOCKED, OPERATION_FAILED */
  async label(id: string, label: string): Promise<void> {
    await this.#changes.mutate({
      act: 'labelUnlockMethod',
      name: 'label_unlock_method',
      input: { method_id: id, label: label.trim() },
      failure: 'Failed to name the unlock method',
      about: () => ({ method: id }),
      prepare: async () => ({ named: { of: 'method', id } }),
    })
    this.#context.changed('unlock_methods')
  }
}

/** Checks that a new account has something to unlock it with. @throws VaultError OPERATION_FAILED */
export function requireSomeMethod(passphrase: string | undefined, passkey: NewPasskey | undefined): void {
  if (passphrase !== undefined || passkey !== undefined) return
  throw refused('MethodRequired')
}
