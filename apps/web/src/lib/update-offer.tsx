import { useSyncExternalStore } from 'react'
import { Button } from '../components/button.tsx'
import { applyUpdate, isUpdateReady, subscribeToUpdate } from './service-worker.ts'

/** Offers a new version that has been installed; nothing happens until the person says so. */
export function UpdateOffer() {
  const ready = useSyncExternalStore(subscribeToUpdate, isUpdateReady, isUpdateReady)
  return (
    <div role="status" className="empty:hidden">
      {ready ? (
        <div className="flex flex-wrap items-center gap-3 rounded-card border border-line bg-surface px-4 py-3 shadow-card">
          <p className="mr-auto">
            A new version of Keyhole is ready. Loading it locks the vault; what you have saved stays.
          </p>
          <Button size="small" onClick={() => void applyUpdate()}>
            Load it now
          </Button>
        </div>
      ) : null}
    </div>
  )
}
