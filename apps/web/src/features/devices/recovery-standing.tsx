import type { DevicesState } from '@keyhole/vault/devices'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'

/** What the vault's recovery code opens on a new device. */
export function RecoveryStanding({ state: { recoveryCodeOpens, devices } }: { state: DevicesState }) {
  const { t } = useLingui()
  const { host } = location
  const isOlder = devices.some(({ isThis, isOutdated = false }) => isOutdated && !isThis)
  return (
    <Card level={3} title={t`If you lose all devices`}>
      {recoveryCodeOpens === undefined ? (
        <div className="flex flex-col gap-2 text-ink-soft text-sm">
          <p>
            <Trans>
              A new recovery code opens this vault in any browser: the code and this site are enough. With an
              older code, you also need a backup file.
            </Trans>{' '}
            <Link to="/identity" search={{ tab: 'unlock' }} className="underline">
              <Trans>Create one under Unlocking</Trans>
            </Link>
          </p>
          {isOlder ? (
            <p>
              <Trans>
                First open Keyhole once on each of your other devices, so that all have this version. Remove
                those you no longer have.
              </Trans>
            </p>
          ) : null}
        </div>
      ) : recoveryCodeOpens ? (
        <p className="text-ink-soft text-sm">
          <Trans>
            Your recovery code and the address of this site, <strong className="wrap-anywhere">{host}</strong>
            , open this vault in any browser. Anyone who has the code can do that too.
          </Trans>
        </p>
      ) : (
        <Notice tone="warn" title={t`Your recovery code doesn’t open the vault on a new device yet.`}>
          <Trans>The relay doesn’t have its part of the code yet. This device keeps sending it.</Trans>
        </Notice>
      )}
    </Card>
  )
}
