import { useVaultSnapshot } from '@keyhole/vault-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { buttonClass } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { NotLoaded, Opening } from '../account/gate.tsx'
import { ImportForm } from '../backup/import-form.tsx'

/** Brings an account back from a backup file. */
export function RestoreTab() {
  const { phase, address } = useVaultSnapshot()
  const [restored, setRestored] = useState(false)
  if (phase === 'loading') return <Opening />
  if (phase === 'failed') return <NotLoaded />
  return (
    <div className="flex flex-col gap-4">
      <ImportForm into="restore" onImported={() => setRestored(true)} />
      {restored && address ? (
        <Notice
          tone="good"
          title="Your vault is back, and open."
          actions={
            <Link to="/" className={buttonClass('quiet', 'small')}>
              Go to your vault
            </Link>
          }
        >
          <span className="break-all">{address}</span>
        </Notice>
      ) : null}
    </div>
  )
}
