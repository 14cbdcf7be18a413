// Written by `npm run wasm:build` and compared by `npm run wasm:check`.

/** SHA-256 of `dist/enclave.wasm`, in lower-case hex. */
export const WASM_SHA256 = 'c80e84428fcc7456f418c7ec78462c36fdec5c373f275e671dac7c3ff19bdb28'

/** SHA-256 of `dist/enclave-devices.wasm`, in lower-case hex. */
export const DEVICES_WASM_SHA256 = '98744b7bb31cc4d73b611ce2e01c8913785a45b561ac7a9a81208c7f6c578306'

/** Version of this package, and of the plugin that belongs to it. */
export const ENCLAVE_VERSION = '0.1.0'

/** Every export, and what the plugin declares of it. */
export const EXPORTS = {
  add_passkey: { changesVault: true, holdsSecrets: true },
  authorize_payment: {},
  begin_export: { holdsSecrets: true },
  begin_import: { holdsSecrets: true },
  check_backup: { holdsSecrets: true },
  check_payment: { keyless: true },
  close_vault: { changesVault: true },
  countersign_payment: { changesVault: true, strangers: ['request', 'revocations'] },
  create_vault: { changesVault: true, holdsSecrets: true },
  delete_key: { changesVault: true },
  end_backup: {},
  end_mandate: { changesVault: true },
  evaluate_policy: { keyless: true },
  export_vault: { holdsSecrets: true },
  finish_import: { changesVault: true, holdsSecrets: true },
  generate_key: { changesVault: true },
  get_issuer_did: {},
  import_key: { changesVault: true, holdsSecrets: true },
  import_vault: { changesVault: true, holdsSecrets: true },
  inspect_token: { keyless: true, strangers: ['token'] },
  invoke: { strangers: ['proof_token'] },
  issue_receipt: {},
  label_key: { changesVault: true },
  label_unlock_method: { changesVault: true },
  label_vault: { changesVault: true },
  list_keys: {},
  list_mandates: {},
  list_unlock_methods: {},
  lock_vault: { changesVault: true },
  log_activity: { changesVault: true },
  make_mandate: { changesVault: true },
  new_attenuated_token: { strangers: ['parent_token'] },
  new_origin_token: {},
  new_recovery_code: { changesVault: true, holdsSecrets: true },
  open_backup_chunk: {},
  open_records: {},
  open_vault: { changesVault: true },
  pause_derivations: {},
  preview_key: { holdsSecrets: true },
  read_activity: {},
  read_backup: { keyless: true },
  remove_unlock_method: { changesVault: true, holdsSecrets: true },
  revoke: { strangers: ['proof_token', 'token'] },
  rollback_vault: { changesVault: true },
  seal_answer: { keyless: true },
  seal_backup_chunk: { holdsSecrets: true },
  seal_records: { holdsSecrets: true },
  set_default_key: { changesVault: true },
  set_passphrase: { changesVault: true, holdsSecrets: true },
  settle_payment: {},
  sign_data: {},
  spend_mandate: { changesVault: true },
  suspend_mandate: { changesVault: true },
  unlock_vault: { changesVault: true, holdsSecrets: true },
  validate_batch: { keyless: true, strangers: ['invocations', 'proofs', 'revocations'] },
  validate_invocation: { keyless: true, strangers: ['invocation', 'proofs', 'revocations'] },
  vault_status: {},
  verify_data: {},
  verify_token: { keyless: true, strangers: ['token', 'revocations'] },
  warm: { keyless: true },
} as const

/** The exports that only `dist/enclave-devices.wasm` has. */
export const DEVICE_EXPORTS = {
  adopt_head: { changesVault: true },
  join_devices: { changesVault: true },
  make_device: {},
  open_device: {},
  propose_head: { holdsSecrets: true },
  read_things: {},
  records_to_send: {},
  start_devices: { changesVault: true, holdsSecrets: true },
  take_records: {},
  write_again: {},
  write_change: { holdsSecrets: true },
} as const
