import { Trans } from '@lingui/react/macro'
import { useState, useSyncExternalStore } from 'react'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { applyUpdate, isUpdateReady, subscribeToUpdate } from '../shell/service-worker.ts'

/** Offers an installed new version. Nothing happens until the person accepts. */
export function UpdateOffer() {
  const ready = useSyncExternalStore(subscribeToUpdate, isUpdateReady, isUpdateReady)
  const [loading, setLoading] = useState(false)
  const [later, setLater] = useState(false)
  const load = () => {
    setLoading(true)
    applyUpdate().catch(() => setLoading(false))
  }
  return (
    <div role="status" className="empty:hidden">
      {ready && !later ? (
        <div className="flex flex-wrap items-center gap-3 rounded-card border border-line bg-surface px-4 py-3">
          <p className="mr-auto">
            {loading ? (
              <Trans>Loading the new version, as soon as nothing is being written…</Trans>
            ) : (
              <Trans>
                A new version of Keyhole is ready. Loading it locks the vault; what you have saved stays.
              </Trans>
            )}
          </p>
          <div className="flex gap-2">
            <Button size="small" onClick={load} busy={loading}>
              <Trans>Load it now</Trans>
            </Button>
            <Button size="small" tone="bare" onClick={() => setLater(true)} disabled={loading}>
              <Trans>Later</Trans>
            </Button>
          </div>
        </div>
      ) : null}
    </div>
  )
}
