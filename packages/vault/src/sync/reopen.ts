import { leftError, toKeyVaultError } from '../base/errors.ts'
import { forgetDevices, rememberDevices } from '../enclave/needs-devices.ts'
import type { BehindVault } from '../session/vault-parts.ts'

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
