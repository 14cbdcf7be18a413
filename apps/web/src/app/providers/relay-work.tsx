import DeviceSync from './device-sync.tsx'
import UseReports from './use-reports.tsx'

/** What asks relays while the vault is unlocked. */
export default function RelayWork() {
  return (
    <>
      <DeviceSync />
      <UseReports />
    </>
  )
}
