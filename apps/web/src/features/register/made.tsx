import { useVaultSnapshot } from '@keyhole/vault-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { DidText } from '../../components/did-text.tsx'
import { Notice } from '../../components/notice.tsx'
import { ExportForm } from '../backup/export-form.tsx'
import { useBackupHealth } from '../backup/use-backup-health.ts'
import { VerifyForm } from '../backup/verify-form.tsx'
import { KeepRecoveryCode } from '../unlock/keep-recovery-code.tsx'
import type { Made as MadeVault } from './create-form.tsx'

/** A new vault: what it is, its recovery code given back, its backup written and checked. */
export function Made({ made }: { made: MadeVault }) {
  const { issuerDid, phase } = useVaultSnapshot()
  const [kept, setKept] = useState(false)
  return (
    <div className="flex flex-col gap-6">
      <Card title="Your vault is ready">
        <div className="flex flex-col gap-4">
          <Notice tone="good" title="It is open now, in every tab of this browser.">
            Reload the page or press Lock, and only you open it again.
          </Notice>
          <div>
            <p className="text-ink-faint text-sm">Its address</p>
            <DidText text={made.address} what="your address" />
          </div>
          {issuerDid ? (
            <div>
              <p className="text-ink-faint text-sm">Your DID: what others grant things to</p>
              <DidText text={issuerDid} what="your DID" />
            </div>
          ) : null}
          <div className="flex flex-wrap gap-2">
            <Link to="/identity" search={{ tab: 'grants' }} className={buttonClass('primary')}>
              Grant something
            </Link>
            <Link to="/" className={buttonClass()}>
              Go to your vault
            </Link>
          </div>
        </div>
      </Card>
      {made.hidden && !kept ? (
        <Notice tone="warn" title="The recovery code was put away when the vault locked.">
          If you did not keep it, make a new one: Identity, Unlock.
        </Notice>
      ) : null}
      {made.recoveryCode === undefined ? null : (
        <Card
          title="Keep your recovery code"
          description="It opens the vault, and its backups, when every device and every word is lost."
        >
          {kept ? (
            <Notice tone="good" title="The recovery code is kept." />
          ) : (
            <KeepRecoveryCode code={made.recoveryCode} onKept={() => setKept(true)} />
          )}
        </Card>
      )}
      {phase === 'unlocked' ? <FirstBackup /> : null}
    </div>
  )
}

/** Written, then chosen again from where it is kept: only that shows that it is there. */
function FirstBackup() {
  const { health } = useBackupHealth()
  const [later, setLater] = useState(false)
  const written = health?.writtenAt !== undefined
  if (later) return null
  return (
    <>
      <Card
        title="Make a backup now"
        description="This browser has the only copy. One encrypted file brings it back if the device is lost or the browser is cleared."
        actions={
          written ? undefined : (
            <Button tone="bare" size="small" onClick={() => setLater(true)}>
              Later
            </Button>
          )
        }
      >
        <ExportForm />
      </Card>
      {written ? (
        <Card
          title="Check the backup"
          description="Choose the file again, from where you keep it. Only that shows that it is there and opens."
        >
          <VerifyForm />
        </Card>
      ) : null}
    </>
  )
}
