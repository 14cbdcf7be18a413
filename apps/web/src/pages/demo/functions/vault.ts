import { toBase64Url } from '@keyhole/vault/base64url'
import { msg } from '@lingui/core/macro'
import { type Sandbox, textOf } from '../engine/sandbox.ts'
import type { FunctionGroup } from './function.ts'

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function randomBase64Url(length: number): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(length)))
}

/** The id of an unlock method, by its kind. */
async function methodId(sandbox: Sandbox, kind: string): Promise<unknown> {
  const methods = field(await sandbox.ask('list_unlock_methods'), 'methods')
  const found = Array.isArray(methods) ? methods.find((method) => field(method, 'kind') === kind) : undefined
  return field(found, 'id')
}

/** Starts a backup. @returns its head */
async function beginExport(sandbox: Sandbox): Promise<unknown> {
  const { proof, filePassphrase } = sandbox
  const contents = { version: 2, tokens: 0 }
  const begun = await sandbox.ask('begin_export', { proof, export_passphrase: filePassphrase, contents })
  return field(begun, 'backup')
}

/** An account's life: created, opened, unlocked, locked, closed. */
export const LIFE: FunctionGroup = {
  id: 'life',
  name: msg`The vault`,
  functions: [
    { name: 'vault_status', note: msg`Says whether a vault is open, and unlocked.`, input: () => ({}) },
    {
      name: 'create_vault',
      note: msg`Creates a vault. One is open here: to see it work, call close_vault first.`,
      input: () => ({ passphrase: 'four words nobody guesses', recovery_code: true, label: 'Another' }),
    },
    {
      name: 'open_vault',
      note: msg`Opens a sealed state that was stored. It stays locked until it is unlocked.`,
      input: ({ sealed }) => ({ enclave: sealed }),
    },
    {
      name: 'unlock_vault',
      note: msg`Derives the key from a passphrase with Argon2id (64 MiB, 3 passes), and opens the keys.`,
      input: ({ proof, sealed }) => ({ proof, enclave: sealed }),
    },
    {
      name: 'lock_vault',
      note: msg`Overwrites the keys; the whole memory is wiped after that.`,
      input: () => ({}),
    },
    {
      name: 'label_vault',
      note: msg`Gives the account a name.`,
      input: () => ({ label: 'Playground' }),
    },
    {
      name: 'rollback_vault',
      note: msg`Takes the last change back, for a host that could not store it.`,
      input: async (sandbox) => {
        const changed = await sandbox.ask('label_vault', { label: 'Once' })
        return { revision: field(field(changed, 'status'), 'revision') }
      },
    },
    {
      name: 'settle_payment',
      note: msg`Says that a state is stored: what it counts is taken back no more.`,
      input: async (sandbox) => {
        const { status } = Object(await sandbox.ask('vault_status'))
        return { revision: field(status, 'revision') }
      },
    },
    {
      name: 'leave_devices',
      note: msg`For a vault from a device’s file: drops that device’s keys. This one is on no device, so nothing changes.`,
      input: () => ({}),
    },
    { name: 'close_vault', note: msg`Closes the vault.`, input: () => ({}) },
    {
      name: 'pause_derivations',
      note: msg`Says after how many KiB of memory the making of a key pauses, so that a lock is heard.`,
      input: () => ({ blocks: 8192 }),
    },
    {
      name: 'warm',
      note: msg`Touches memory ahead of an unlock, so that it is fast.`,
      keyless: true,
      input: () => ({}),
    },
  ],
}

/** Unlock methods. */
export const UNLOCKING: FunctionGroup = {
  id: 'unlocking',
  name: msg`Ways to unlock`,
  functions: [
    { name: 'list_unlock_methods', note: msg`Lists the ways in, locked or not.`, input: () => ({}) },
    {
      name: 'set_passphrase',
      note: msg`Adds a passphrase or replaces it; the data key is replaced with it.`,
      input: ({ proof }) => ({ proof, passphrase: `${proof.passphrase} again` }),
    },
    {
      name: 'add_passkey',
      note: msg`Adds a passkey by its PRF output. These bytes are made up; a browser asks the authenticator.`,
      input: ({ proof }) => ({
        proof,
        passkey: {
          credential: randomBase64Url(16),
          relying_party: 'example.com',
          salt: randomBase64Url(64),
          prf: randomBase64Url(64),
          label: 'Laptop',
        },
      }),
    },
    {
      name: 'new_recovery_code',
      note: msg`Creates a recovery code, shown once; an older one ends.`,
      input: ({ proof }) => ({ proof }),
    },
    {
      name: 'label_unlock_method',
      note: msg`Names an unlock method.`,
      input: async (sandbox) => ({ method_id: await methodId(sandbox, 'passphrase'), label: 'By heart' }),
    },
    {
      name: 'remove_unlock_method',
      note: msg`Removes an unlock method. The last ones cannot be removed.`,
      input: async (sandbox) => ({
        proof: sandbox.proof,
        method_id: await methodId(sandbox, 'recovery_code'),
      }),
    },
  ],
}

/** Backups, and records sealed for storage. */
export const KEEPING: FunctionGroup = {
  id: 'keeping',
  name: msg`Backups and records`,
  functions: [
    {
      name: 'export_vault',
      note: msg`Writes it all as one sealed file, and opens it again before it answers.`,
      input: ({ proof, filePassphrase }) => ({
        proof,
        export_passphrase: filePassphrase,
        contents: { note: 'Whatever belongs to the account.' },
      }),
    },
    {
      name: 'read_backup',
      note: msg`Says what a backup says of itself. Needs no vault.`,
      keyless: true,
      input: async (sandbox) => ({ backup: await sandbox.backup() }),
    },
    {
      name: 'check_backup',
      note: msg`Opens a backup and says what is in it, without taking it in. Needs no vault.`,
      keyless: true,
      input: async (sandbox) => ({
        backup: await sandbox.backup(),
        export_passphrase: sandbox.filePassphrase,
      }),
    },
    {
      name: 'import_vault',
      note: msg`Takes a backup in, all of it or nothing. What is there stays.`,
      input: async (sandbox) => ({
        backup: await sandbox.backup(),
        export_passphrase: sandbox.filePassphrase,
      }),
    },
    {
      name: 'begin_export',
      note: msg`Writes the head of a backup of any size: the keys. What belongs to the vault follows in chunks.`,
      input: ({ proof, filePassphrase }) => ({
        proof,
        export_passphrase: filePassphrase,
        contents: { version: 2, tokens: 0 },
      }),
    },
    {
      name: 'seal_backup_chunk',
      note: msg`Seals the next chunk of the backup that was begun.`,
      input: async (sandbox) => {
        await beginExport(sandbox)
        return { contents: { note: 'Whatever belongs to the account.' }, last: true }
      },
    },
    {
      name: 'begin_import',
      note: msg`Opens the head of a backup, or a backup of an older format.`,
      input: async (sandbox) => ({
        backup: await sandbox.backup(),
        export_passphrase: sandbox.filePassphrase,
      }),
    },
    {
      name: 'open_backup_chunk',
      note: msg`Opens the next chunk of that backup. One that is missing, moved or cut off is refused.`,
      input: async (sandbox) => {
        const backup = await beginExport(sandbox)
        const contents = { note: 'Whatever belongs to the account.' }
        const chunk = field(await sandbox.ask('seal_backup_chunk', { contents, last: true }), 'chunk')
        await sandbox.ask('begin_import', { backup, export_passphrase: sandbox.filePassphrase })
        return { chunk }
      },
    },
    {
      name: 'finish_import',
      note: msg`Imports the backup that was read to its end.`,
      input: async (sandbox) => {
        const backup = await sandbox.backup()
        await sandbox.ask('begin_import', { backup, export_passphrase: sandbox.filePassphrase })
        return {}
      },
    },
    {
      name: 'end_backup',
      note: msg`Lets go of the backups that are being written and read.`,
      input: () => ({}),
    },
    {
      name: 'seal_records',
      note: msg`Seals texts for storage, each bound to its place.`,
      input: () => ({ records: [{ context: 'notes/1', plaintext: 'The key is under the mat.' }] }),
    },
    {
      name: 'open_records',
      note: msg`Opens them again. At another place they do not open.`,
      input: async (sandbox) => {
        const record = { context: 'notes/1', plaintext: 'The key is under the mat.' }
        const sealed = field(await sandbox.ask('seal_records', { records: [record] }), 'records')
        const [first] = Array.isArray(sealed) ? sealed : []
        return { records: [{ context: record.context, sealed: textOf(first, 'sealed') }] }
      },
    },
    {
      name: 'log_activity',
      note: msg`Writes a line of activity with a number, so that a missing one is noticed. It is encrypted.`,
      input: () => ({ entries: [{ what: 'tried the demo', at: Math.floor(Date.now() / 1000) }] }),
    },
    {
      name: 'read_activity',
      note: msg`Reads the activity, and says which lines are missing or were altered.`,
      input: async (sandbox) => {
        const logged = await sandbox.ask('log_activity', { entries: [{ what: 'tried the demo' }] })
        return { records: field(logged, 'records') }
      },
    },
  ],
}
