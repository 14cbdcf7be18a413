import type { EnclaveInput } from '@keyhole/enclave'
import { type KeyInfo, type KeyType, toKeyInfo } from '../enclave/enclave-status.ts'
import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import type { Named } from '../storage/devices/device-marks.ts'
import { deletedKeyId, deletedKeyRecord } from './deleted-keys.ts'
import type { ForeignKey, KeyPreview } from './key-import.ts'

/** Loaded on first use, because most visits don't need it. */
const loadKeyImport = () => import('./key-import.ts')

/** The account's keys. */
export class Keys {
  readonly #context: VaultContext
  readonly #changes: Changes

  constructor(context: VaultContext, changes: Changes) {
    this.#context = context
    this.#changes = changes
  }

  /** Creates another key. @throws VaultError VAULT_LOCKED, INVALID_KEY_TYPE, OPERATION_FAILED */
  async generate({ keyType, label }: { keyType?: KeyType; label?: string } = {}): Promise<KeyInfo> {
    const input = { ...(keyType && { key_type: keyType }), ...named(label) }
    return await this.#add('generateKey', 'generate_key', input, 'Failed to generate a key')
  }

  /**
   * Reads which key a text contains, without importing it. Needs no account. @throws VaultError OPERATION_FAILED,
   * INVALID_KEY_TYPE
   */
  async preview(key: ForeignKey): Promise<KeyPreview> {
    const { previewKey } = await loadKeyImport()
    return await previewKey(this.#context.client.enclave, key)
  }

  /**
   * Imports a key created elsewhere. @throws VaultError VAULT_LOCKED, INVALID_KEY_TYPE; OPERATION_FAILED, also if the
   * key is already here
   */
  async import(key: ForeignKey, label?: string): Promise<KeyInfo> {
    const { foreignKeyInput } = await loadKeyImport()
    const input = { key: foreignKeyInput(key), ...named(label) }
    return await this.#add('importKey', 'import_key', input, 'Failed to import the key')
  }

  /**
   * Deletes a key permanently. The first one can't be deleted. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND,
   * OPERATION_FAILED
   */
  async delete(keyId: string): Promise<void> {
    const { client, clock } = this.#context
    const { status } = await this.#changes.mutate({
      act: 'deleteKey',
      name: 'delete_key',
      input: { key_id: keyId },
      failure: 'Failed to delete the key',
      about: () => ({ key: keyId }),
      prepare: async ({ status: { address } }) => ({
        metadata: [await deletedKeyRecord(client.enclave, address ?? '', keyId, clock.now())],
      }),
    })
    this.#context.announce('vault:key_deleted', { ...addressOf(status.address), keyId })
  }

  /** Chooses the key that signs by default. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND */
  async setDefault(keyId: string): Promise<void> {
    await this.#change('setDefaultKey', 'set_default_key', { key_id: keyId }, 'default_key')
  }

  /** Names a key. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND */
  async label(keyId: string, label: string): Promise<void> {
    await this.#change('labelKey', 'label_key', { key_id: keyId, label: label.trim() }, 'key_label')
  }

  async labelAccount(label: string): Promise<void> {
    await this.#change('labelAccount', 'label_vault', { label: label.trim() }, 'account_label')
  }

  async #add<Name extends 'generate_key' | 'import_key'>(
    act: string,
    name: Name,
    input: EnclaveInput<Name>,
    failure: string,
  ) {
    const { status, key } = await this.#changes.mutate({
      ...{ act, name, input, failure },
      about: ({ key }) => ({ key: key.key_id, type: key.key_type }),
      // A key that was deleted before no longer counts as deleted.
      prepare: async ({ key }) => ({ removed: { metadata: [deletedKeyId(key.key_id)] } }),
    })
    this.#context.announce('vault:key_generated', { ...addressOf(status.address), keyId: key.key_id })
    return toKeyInfo(key)
  }

  async #change<Name extends 'set_default_key' | 'label_key' | 'label_vault'>(
    act: string,
    name: Name,
    input: EnclaveInput<Name>,
    change: 'default_key' | 'key_label' | 'account_label',
  ): Promise<void> {
    const key = 'key_id' in input ? input.key_id : undefined
    const { status } = await this.#changes.mutate({
      ...{ act, name, input, failure: 'Failed to change the account' },
      ...(key !== undefined && { about: () => ({ key }) }),
      prepare: async () => (name === 'set_default_key' ? {} : { named: namedBy(key) }),
    })
    this.#context.announce('vault:changed', { ...addressOf(status.address), change })
  }
}

function named(label: string | undefined): { label?: string } {
  const name = label?.trim()
  return name ? { label: name } : {}
}

function namedBy(key: string | undefined): Named {
  return key === undefined ? { of: 'account' } : { of: 'key', id: key }
}

function addressOf(address: string | null | undefined): { address?: string } {
  return address ? { address } : {}
}
