import { type EnclaveExport, isRefusal } from '@keyhole/enclave'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sandbox } from '../engine/sandbox.ts'
import { FUNCTIONS } from './index.ts'

/** Each export once. The compiler rejects a list with one missing. */
const EXPORTS: Record<EnclaveExport, true> = {
  new_origin_token: true,
  new_attenuated_token: true,
  sign_data: true,
  verify_data: true,
  get_issuer_did: true,
  check_payment: true,
  authorize_payment: true,
  make_mandate: true,
  list_mandates: true,
  spend_mandate: true,
  countersign_payment: true,
  suspend_mandate: true,
  end_mandate: true,
  inspect_token: true,
  check_tokens: true,
  verify_token: true,
  validate_invocation: true,
  validate_batch: true,
  evaluate_policy: true,
  invoke: true,
  revoke: true,
  issue_receipt: true,
  seal_answer: true,
  create_vault: true,
  open_vault: true,
  unlock_vault: true,
  lock_vault: true,
  leave_devices: true,
  close_vault: true,
  vault_status: true,
  list_keys: true,
  generate_key: true,
  label_key: true,
  label_vault: true,
  delete_key: true,
  set_default_key: true,
  list_unlock_methods: true,
  set_passphrase: true,
  add_passkey: true,
  new_recovery_code: true,
  remove_unlock_method: true,
  label_unlock_method: true,
  rollback_vault: true,
  export_vault: true,
  import_vault: true,
  read_backup: true,
  check_backup: true,
  begin_export: true,
  seal_backup_chunk: true,
  begin_import: true,
  open_backup_chunk: true,
  finish_import: true,
  end_backup: true,
  preview_key: true,
  import_key: true,
  log_activity: true,
  read_activity: true,
  seal_records: true,
  open_records: true,
  warm: true,
  settle_payment: true,
  pause_derivations: true,
}

describe('the functions of the demo', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await Sandbox.make({})
  })
  afterAll(() => sandbox?.enclave.close())

  it('cover all exports of the plugin', () => {
    expect(FUNCTIONS.map(({ name }) => name).sort()).toEqual(Object.keys(EXPORTS).sort())
  })

  it.each(FUNCTIONS)('$name answers its initial input', async ({ name, input }) => {
    await sandbox.ready()
    const given = await input(sandbox)
    const answer = await sandbox.call(name, given)
    // An account is already open here, and the function says so. Its note explains what to do.
    if (name === 'create_vault') {
      expect(answer).toMatchObject({ code: 'VAULT_ALREADY_INITIALIZED' })
    } else expect(isRefusal(answer) ? answer : 'answered').toBe('answered')
  })
})
