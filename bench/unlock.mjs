// Unlocking a vault with its passphrase: Argon2id at 64 MiB, 3 passes, 1 lane, compared with hash-wasm for the key derivation alone.
import { createEnclave } from '@keyhole/enclave'
import { argon2id } from 'hash-wasm'
import { expect, times } from './measure.mjs'

const PASSPHRASE = 'four words that nobody guesses'

export async function figures() {
  const enclave = await createEnclave()
  await enclave.call('create_vault', { passphrase: PASSPHRASE })
  const { methods } = await enclave.call('list_unlock_methods')
  const [{ memory_kib, passes, lanes }] = methods
  expect(memory_kib === 65_536 && passes === 3 && lanes === 1, 'the parameters are 64 MiB, 3 passes, 1 lane')
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const taken = await times({
    ours: {
      // Locking replaces the plugin. Its memory is prepared before anyone types a passphrase.
      before: async () => {
        await enclave.call('lock_vault')
        await enclave.call('warm')
      },
      run: () => enclave.call('unlock_vault', { proof: { passphrase: PASSPHRASE } }),
      after: async () => expect(!(await enclave.call('vault_status')).status.locked, 'the vault is unlocked'),
    },
    theirs: {
      run: () =>
        argon2id({
          password: PASSPHRASE,
          salt,
          memorySize: memory_kib,
          iterations: passes,
          parallelism: lanes,
          hashLength: 32,
          outputType: 'binary',
        }),
    },
  })
  await enclave.close()
  return [
    {
      title: 'Unlock: Argon2id 64 MiB, 3 passes, 1 lane',
      note: 'Ours opens the keys as well; theirs is the derivation alone.',
      better: 'less',
      rows: [
        { name: 'Keyhole, unlock_vault', unit: 'ms', value: taken.ours },
        { name: 'hash-wasm 4.13.0', unit: 'ms', value: taken.theirs },
      ],
    },
  ]
}
