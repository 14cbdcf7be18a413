import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { isRelayOn, turnRelay } from '../../shared/relay/relay-setting.ts'
import { CheckBox } from '../../shared/ui/fields/check-box.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'

/** Whether revocations are sent to the vault's relay. */
export function RelayCard() {
  const { t } = useLingui()
  const [isOn, setOn] = useState(isRelayOn)
  const [isStored, setStored] = useState(true)
  return (
    <Card title={t`Revocations`}>
      <CheckBox
        label={t`Send revocations to this vault’s relay`}
        hint={t`Services that follow it refuse a revoked grant within a second. The relay sees that grant. Turn this off to send revocations yourself.`}
        checked={isOn}
        onCheckedChange={(on) => {
          setStored(turnRelay(on))
          setOn(isRelayOn())
        }}
      />
      {isStored ? null : (
        <p className="mt-3 text-bad text-sm" role="alert">
          <Trans>This browser can’t remember it, so nothing is sent.</Trans>
        </p>
      )}
    </Card>
  )
}
