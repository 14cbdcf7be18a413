// Written by `npm run wasm:build` and compared by `npm run wasm:check`.

/** SHA-256 of `dist/enclave.wasm`, in lower-case hex. */
export const WASM_SHA256 = '4106c49a9e32e47bb23f29736c0dba32c8db156bccab4445a7f3560ad420018a'

/** SHA-256 of `dist/enclave-devices.wasm`, in lower-case hex. */
export const DEVICES_WASM_SHA256 = '53b10df14f01baaf6fe7724a911e6fe8526503205a69b1ecfe69ec7d9944baf1'

/** SHA-256 of `dist/enclave-service.wasm`, in lower-case hex. */
export const SERVICE_WASM_SHA256 = '057770811e2200ab296cb0c3821896ce0c4bf4777329fe01647ee94e74a2513a'

/** Version of this package, and of the plugin that belongs to it. */
export const ENCLAVE_VERSION = '0.1.0'

/** What the plugin declares of its exports, those for devices too, without those of which it declares nothing. */
export const DECLARED = {
  add_passkey: { changesVault: true, holdsSecrets: true, forAllDevices: ['unlock_methods'] },
  adopt_head: { changesVault: true },
  answer_pairing: { holdsSecrets: true },
  begin_export: { holdsSecrets: true },
  begin_import: { holdsSecrets: true },
  begin_recovery: { holdsSecrets: true },
  check_backup: { holdsSecrets: true },
  check_payment: { keyless: true },
  check_tokens: { keyless: true, strangers: ['tokens'] },
  close_vault: { changesVault: true },
  countersign_payment: { changesVault: true, strangers: ['request', 'revocations'] },
  create_vault: { changesVault: true, holdsSecrets: true },
  delete_key: { changesVault: true, forAllDevices: ['keys'] },
  end_mandate: { changesVault: true },
  evaluate_policy: { keyless: true },
  export_vault: { holdsSecrets: true },
  finish_import: { changesVault: true, holdsSecrets: true },
  generate_key: { changesVault: true, forAllDevices: ['keys'] },
  import_key: { changesVault: true, holdsSecrets: true, forAllDevices: ['keys'] },
  import_vault: { changesVault: true, holdsSecrets: true },
  inspect_token: { keyless: true, strangers: ['token'] },
  invoke: { strangers: ['proof_token'] },
  join_as_limited: { changesVault: true },
  join_devices: { changesVault: true },
  label_key: { changesVault: true },
  label_unlock_method: { changesVault: true },
  label_vault: { changesVault: true },
  leave_devices: { changesVault: true },
  lock_vault: { changesVault: true },
  log_activity: { changesVault: true },
  make_mandate: { changesVault: true },
  new_attenuated_token: { strangers: ['parent_token'] },
  new_recovery_code: { changesVault: true, holdsSecrets: true, forAllDevices: ['unlock_methods'] },
  open_vault: { changesVault: true },
  preview_key: { holdsSecrets: true },
  propose_head: { holdsSecrets: true },
  read_backup: { keyless: true },
  remove_unlock_method: { changesVault: true, holdsSecrets: true, forAllDevices: ['unlock_methods'] },
  revoke: { strangers: ['proof_token', 'token'] },
  rollback_vault: { changesVault: true },
  seal_answer: { keyless: true },
  seal_backup_chunk: { holdsSecrets: true },
  seal_records: { holdsSecrets: true },
  set_default_key: { changesVault: true, forAllDevices: ['keys'] },
  set_passphrase: { changesVault: true, holdsSecrets: true, forAllDevices: ['unlock_methods'] },
  sign_mailbox_call: { holdsSecrets: true },
  sign_relay_call: { strangers: ['permission'] },
  spend_mandate: { changesVault: true },
  start_devices: { changesVault: true, holdsSecrets: true },
  suspend_mandate: { changesVault: true },
  unlock_vault: { changesVault: true, holdsSecrets: true },
  validate_batch: { keyless: true, strangers: ['invocations', 'proofs', 'revocations'] },
  validate_invocation: { keyless: true, strangers: ['invocation', 'proofs', 'revocations'] },
  verify_token: { keyless: true, strangers: ['token', 'revocations'] },
  warm: { keyless: true },
  write_changes: { holdsSecrets: true },
} as const
