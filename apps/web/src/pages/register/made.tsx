import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { endSetup, type Setup } from '../../features/account/setup.ts'
import { UnlockForm } from '../../features/account/unlock-form.tsx'
import { useBackupHealth } from '../../features/backup/use-backup-health.ts'
import { Button, buttonClass } from '../../shared/ui/buttons/button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { FirstBackup } from './first-backup.tsx'
import { FirstCode } from './first-code.tsx'
import { type Step, Steps } from './steps.tsx'

/** A new vault: what it is, its recovery code given back, its backup written and checked. */
export function Made({ setup }: { setup: Setup }) {
  const { t } = useLingui()
  const { address, phase } = useVaultSnapshot()
  const { health } = useBackupHealth()
  const start = useRef<HTMLDivElement>(null)
  // The form that had the focus is gone.
  useEffect(() => start.current?.focus(), [])

  const open = phase === 'unlocked' && address === setup.address
  const codeOpen = setup.code === 'waits'
  const checked = open && health?.verifiedAt !== undefined
  const backup: Step['state'] = checked ? 'done' : codeOpen ? 'ahead' : setup.backupLater ? 'later' : 'now'
  const steps: Step[] = [
    { words: t`Make it`, state: 'done' },
    ...(setup.code === undefined ? [] : [{ words: t`Recovery code`, state: codeState(setup.code) }]),
    { words: t`Backup`, state: backup },
  ]
  return (
    <div className="flex flex-col gap-6">
      <Steps steps={steps} />
      <div ref={start} tabIndex={-1} className="rounded-card outline-none">
        <Ready setup={setup} open={open} />
      </div>
      <FirstCode setup={setup} />
      {open && !codeOpen ? <FirstBackup checked={checked} putOff={setup.backupLater === true} /> : null}
      <p className="text-ink-soft text-sm">
        <Trans>Is this one done, and do you want another beside it?</Trans>{' '}
        <Button size="small" tone="bare" onClick={endSetup}>
          <Trans>Make another vault</Trans>
        </Button>
      </p>
    </div>
  )
}

function codeState(code: NonNullable<Setup['code']>): Step['state'] {
  return code === 'waits' ? 'now' : code === 'kept' ? 'done' : 'later'
}

function Ready({ setup, open }: { setup: Setup; open: boolean }) {
  const { t } = useLingui()
  const { issuerDid, address } = useVaultSnapshot()
  return (
    <Card title={t`Your vault is ready`}>
      <div className="flex flex-col gap-4">
        {open ? (
          <Notice tone="good" title={t`It is open now, in every tab of this browser.`}>
            <Trans>Reload the page or press Lock, and only you open it again.</Trans>
          </Notice>
        ) : address === setup.address ? (
          <UnlockForm />
        ) : null}
        <div>
          <p className="text-ink-faint text-sm">
            <Trans>Its address</Trans>
          </p>
          <DidText text={setup.address} what={t`your address`} />
        </div>
        {issuerDid && address === setup.address ? (
          <div>
            <p className="text-ink-faint text-sm">
              <Trans>Your DID: what others grant things to</Trans>
            </p>
            <DidText text={issuerDid} what={t`your DID`} />
          </div>
        ) : null}
        <div className="flex flex-wrap gap-2">
          <Link to="/identity" search={{ tab: 'grants' }} className={buttonClass('primary')}>
            <Trans>Grant something</Trans>
          </Link>
          <Link to="/" className={buttonClass()}>
            <Trans>Go to your vault</Trans>
          </Link>
        </div>
      </div>
    </Card>
  )
}
