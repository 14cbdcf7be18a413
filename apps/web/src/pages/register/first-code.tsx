import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { codeConfirmed, putOff, type Setup } from '../../features/account/setup.ts'
import { ConfirmRecoveryCode } from '../../features/unlock/confirm-recovery-code.tsx'
import { Button, buttonClass } from '../../shared/ui/buttons/button.tsx'
import { TextButton } from '../../shared/ui/buttons/text-button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'

/** The recovery code of a new vault: shown until it is given back, put off, or put away by a lock. */
export function FirstCode({ setup: { code, recoveryCode } }: { setup: Setup }) {
  const { t } = useLingui()
  const vault = useVault()
  const place = useRef<HTMLDivElement>(null)
  // The button that was pressed goes with what it belonged to.
  const then = (act: () => void) => () => {
    act()
    place.current?.focus()
  }
  if (code === undefined) return null
  return (
    <div ref={place} tabIndex={-1} className="rounded-card outline-none">
      {code === 'hidden' ? (
        <Notice
          tone="warn"
          title={t`The recovery code was put away when the vault locked.`}
          actions={
            <Link to="/identity" search={{ tab: 'unlock' }} className={buttonClass('quiet', 'small')}>
              <Trans>Make a new one</Trans>
            </Link>
          }
        >
          <Trans>If you did not keep it, make a new one: Identity, Unlock.</Trans>
        </Notice>
      ) : code === 'later' ? (
        <Notice
          tone="warn"
          title={t`The recovery code is not kept yet.`}
          actions={
            <Button size="small" onClick={then(() => putOff('code', false))}>
              <Trans>Show it</Trans>
            </Button>
          }
        >
          <Trans>It can be shown until the vault locks, and never again.</Trans>
        </Notice>
      ) : (
        <Card
          title={t`Keep your recovery code`}
          description={t`It opens the vault, and its backups, when every device and every word is lost.`}
        >
          {recoveryCode === undefined ? (
            <Notice tone="good" title={t`The recovery code is kept.`} />
          ) : (
            <div className="flex flex-col items-start gap-4 *:first:self-stretch">
              <ConfirmRecoveryCode code={recoveryCode} onConfirmed={then(() => codeConfirmed(vault))} />
              <TextButton onClick={then(() => putOff('code', true))}>
                <Trans>Later: take me to the next step</Trans>
              </TextButton>
            </div>
          )}
        </Card>
      )}
    </div>
  )
}
