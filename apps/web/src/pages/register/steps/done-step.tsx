import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { endSetup, markBackup, type Setup, skipCode } from '../../../features/account/setup.ts'
import { UnlockForm } from '../../../features/account/unlock-form.tsx'
import { useBackupHealth } from '../../../features/backup/use-backup-health.ts'
import { Button, buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { Fold } from '../../../shared/ui/layout/fold.tsx'
import { DidText } from '../../../shared/ui/text/did-text.tsx'
import { CheckLink } from './check-link.tsx'

interface DoneStepProps {
  setup: Setup
  isOpen: boolean
}

/** A vault that is ready: the first grant, and the steps that were skipped. */
export function DoneStep({ setup, isOpen }: DoneStepProps) {
  const { t } = useLingui()
  const { issuerDid, address, label } = useVaultSnapshot()
  const isHere = address === setup.address
  return (
    <div className="flex flex-col gap-6">
      <Card title={t`Your vault is ready`} description={isHere ? label : undefined}>
        <div className="flex flex-col gap-4">
          {isHere && !isOpen ? <UnlockForm /> : null}
          <div className="flex flex-wrap gap-2">
            <Link to="/identity" search={{ tab: 'grants' }} className={buttonClass('primary')}>
              <Trans>Create your first grant</Trans>
            </Link>
            <Link to="/" className={buttonClass()}>
              <Trans>Go to your vault</Trans>
            </Link>
          </div>
          <Skipped setup={setup} isOpen={isHere && isOpen} />
          <Fold title={t`Your address and DID`}>
            <div className="flex flex-col gap-3">
              <DidText text={setup.address} what={t`your address`} />
              {issuerDid && isHere ? <DidText text={issuerDid} what={t`your DID`} /> : null}
            </div>
          </Fold>
        </div>
      </Card>
      <Button size="small" tone="bare" className="-ms-3 self-start" onClick={endSetup}>
        <Trans>Create another vault</Trans>
      </Button>
    </div>
  )
}

/** What was skipped or not checked, with the way back to it. */
function Skipped({ setup: { code, backup, file }, isOpen }: DoneStepProps) {
  const { t } = useLingui()
  const { health } = useBackupHealth()
  if (code === 'hidden') {
    return (
      <Notice
        tone="warn"
        title={t`The vault locked before you saved your recovery code.`}
        actions={
          <Link to="/identity" search={{ tab: 'unlock' }} className={buttonClass('quiet', 'small')}>
            <Trans>Create a new one</Trans>
          </Link>
        }
      >
        <Trans>If you didn’t save it, create a new one. It replaces the old one.</Trans>
      </Notice>
    )
  }
  if (code === 'later') {
    return (
      <Notice
        tone="warn"
        title={t`Your recovery code isn’t saved yet.`}
        actions={
          <Button size="small" onClick={() => skipCode(false)}>
            <Trans>Show the code</Trans>
          </Button>
        }
      >
        <Trans>You can see it only in this tab, until you reload, close it or lock the vault.</Trans>{' '}
        {file ? null : <Trans>There’s no backup file yet either.</Trans>}
      </Notice>
    )
  }
  // Neither can be done before it is unlocked.
  if (!isOpen) return null
  if (backup === 'saved' && health?.verifiedAt === undefined)
    return <Notice tone="warn" title={t`The backup was not checked`} actions={<CheckLink />} />
  if (backup !== 'later') return null
  return (
    <Notice
      tone="warn"
      title={t`Your keys are only in this browser.`}
      actions={
        <Button size="small" onClick={() => markBackup('waits')}>
          <Trans>Back up now</Trans>
        </Button>
      }
    />
  )
}
