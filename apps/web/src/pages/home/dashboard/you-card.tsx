import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { UnlockForm } from '../../../features/account/unlock-form.tsx'
import { Badge } from '../../../shared/ui/feedback/badge.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { QrButton } from '../../../shared/ui/sharing/qr-button.tsx'
import { DidText } from '../../../shared/ui/text/did-text.tsx'
import { Identicon } from '../../../shared/ui/text/identicon.tsx'

/** Who the account is to others, and whether it is open; locked, the way to open it. */
export function YouCard() {
  const { t } = useLingui()
  const { phase, address, issuerDid } = useVaultSnapshot()
  const open = phase === 'unlocked'
  return (
    <Card
      title={t`You`}
      actions={<Badge tone={open ? 'unlocked' : 'plain'}>{open ? t`Unlocked` : t`Locked`}</Badge>}
    >
      <div className="flex flex-col gap-5">
        <div className="flex items-start gap-4">
          {issuerDid ? <Identicon text={issuerDid} className="size-14 max-sm:hidden" /> : null}
          <dl className="flex min-w-0 flex-1 flex-col gap-2 text-sm">
            {issuerDid ? (
              <Fact name={t`DID`} aside={<QrButton text={issuerDid} what={t`your DID`} />}>
                <DidText text={issuerDid} what={t`your DID`} />
              </Fact>
            ) : null}
            {address ? (
              <Fact name={t`Address`} aside={<QrButton text={address} what={t`your address`} />}>
                <DidText text={address} what={t`your address`} />
              </Fact>
            ) : null}
          </dl>
        </div>
        {open ? (
          <p className="text-ink-soft text-sm">
            <Trans>Give your DID to whoever is to grant you something. Neither of the two is secret.</Trans>
          </p>
        ) : (
          <UnlockForm />
        )}
      </div>
    </Card>
  )
}

function Fact({ name, aside, children }: { name: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-faint text-xs">{name}</dt>
      <dd className="flex min-w-0 items-center gap-x-1 max-sm:[&_code]:text-xs">
        {children}
        {aside}
      </dd>
    </div>
  )
}
