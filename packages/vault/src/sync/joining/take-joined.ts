import type { Enclave } from '@keyhole/enclave'
import { refused } from '../../base/errors.ts'
import { forgetDevices, needsDevices, rememberDevices } from '../../enclave/needs-devices.ts'
import type { AccountInfo } from '../../session/snapshot.ts'
import type { BehindVault } from '../../session/vault-parts.ts'
import type { DeviceAnswer } from '../device-calls.ts'
import { linkRecord } from '../device-link.ts'

/** An account that a new device has opened in its enclave. */
export interface JoinedAccount {
  readonly enclave: Enclave
  readonly relay: string
  readonly account: string
  readonly root: string
  readonly made: DeviceAnswer<'join_devices'>
}

/**
 * Stores an account that this device has joined, and makes it the active one. From then on its enclave is the account's,
 * or is ended with it.
 * @param act its line of the log
 * @throws VaultError. Nothing was stored
 */
export async function takeJoined(
  { parts, life }: BehindVault,
  { enclave, relay, account, root, made }: JoinedAccount,
  act: string,
): Promise<AccountInfo> {
  const { address } = made.status
  if (!address) throw refused('StateWithoutAddress')
  const { clock, client } = parts.context
  // Nothing is here that the others don't have.
  const link = linkRecord(address, { relay, account, root, isComplete: true }, clock.now())
  const hadDevices = needsDevices(address)
  rememberDevices(address)
  try {
    return await life.take({ enclave, address, sealed: made.enclave, batch: { metadata: [link] } }, act)
  } catch (error) {
    if (!hadDevices && !client.holds(enclave)) forgetDevices(address)
    throw error
  }
}
