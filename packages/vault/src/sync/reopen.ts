import { leftError, toKeyVaultError } from '../base/errors.ts'
import { forgetDevices, rememberDevices } from '../enclave/needs-devices.ts'
import type { BehindVault } from '../session/vault-parts.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import type { UnlockProof } from '../unlock/unlock-proof.ts'
import { FAILURE } from './device-calls.ts'

/**
 * Opens the account again, locked, with the plugin with devices or the other one. Other tabs must have left it.
 * @throws VaultError WASM_NOT_LOADED: then it's open with the plugin that it had, locked. OPERATION_FAILED if another
 *   account is open by now
 */
export async function reopen({ parts, life }: BehindVault, address: string, devices: boolean): Promise<void> {
  const { context, following } = parts
  const { client } = context
  const open = async (isWithDevices: boolean) => {
    if (isWithDevices) rememberDevices(address)
    else forgetDevices(address)
    await client.switchAccount(address)
  }
  await life.alone(async () => {
    if (client.accountAddress !== address) throw leftError()
    await client.persistState()
    // What the two plugins say meanwhile is not about the account.
    following.detach()
    try {
      await context.lead(async () => {
        await client.enclave.call('lock_vault', {}).catch(() => undefined)
        await client.leaveAccount()
        try {
          await open(devices)
        } catch (error) {
          await open(!devices)
          throw error
        }
      })
    } finally {
      if (client.accountAddress === undefined) context.fail(toKeyVaultError(leftError()))
      else await following.attach()
    }
  })
}

/**
 * Opens the account again with the plugin with devices, unlocks it, and does what needs that. Every other tab leaves the
 * account. If the work fails, it is open again with the plugin without devices, locked.
 * @throws VaultError INVALID_PASSPHRASE: then nothing was left or locked
 */
export async function withDevicesPlugin<T>(
  behind: BehindVault,
  address: string,
  proof: UnlockProof,
  work: () => Promise<T>,
): Promise<T> {
  const { context, locking, openTabs } = behind.parts
  // An unlocked account stays as it is: only the proof is checked, before anything is left or locked.
  await withWriteLock(address, () =>
    context.prove(address, proof, (given) => context.call('unlock_vault', { proof: given }, FAILURE)),
  )
  await openTabs.endOthers()
  await reopen(behind, address, true)
  try {
    await locking.unlock(proof)
    return await work()
  } catch (error) {
    if (context.client.accountAddress === address) await reopen(behind, address, false)
    else forgetDevices(address)
    throw error
  }
}
