import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef } from 'react'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'

interface OnThisDeviceProps {
  /** How the vault unlocks here. */
  unlocks: ReactNode
  /** What to do next. */
  children: ReactNode
}

/** A vault that has come to this device. It takes the focus, because the step that had it is gone. */
export function OnThisDevice({ unlocks, children }: OnThisDeviceProps) {
  const { t } = useLingui()
  const { label } = useVaultSnapshot()
  const start = useRef<HTMLDivElement>(null)
  useEffect(() => start.current?.focus(), [])
  return (
    <div ref={start} tabIndex={-1} className="rounded-card outline-none">
      <Card title={label ?? t`Your vault`}>
        <div className="flex flex-col items-start gap-4">
          <Notice tone="good" title={t`Your vault is on this device now.`} className="self-stretch">
            {unlocks} <Trans>Grants and contacts arrive in a moment.</Trans>
          </Notice>
          {children}
        </div>
      </Card>
    </div>
  )
}
