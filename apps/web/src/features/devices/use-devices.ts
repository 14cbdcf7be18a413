import { type DevicesState, devicesOf, type VaultDevices } from '@keyhole/vault/devices'
import { useVault } from '@keyhole/vault-react'
import { useVaultQuery } from '../../shared/vault/vault-query.ts'

/** The vault's devices, and what can be done with them. `vault:changed` with `devices` reads their state again. */
export function useDevices(): {
  readonly devices: VaultDevices
  readonly state: DevicesState | undefined
  readonly failed: unknown
} {
  const devices = devicesOf(useVault())
  const { data, failed } = useVaultQuery('devices', () => devices.state())
  return { devices, state: data, failed }
}
