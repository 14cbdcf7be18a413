import { Trans, useLingui } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { cx } from '../../shared/ui/cx.ts'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { AddDevice } from './add-device.tsx'
import { DeviceItem } from './device-item.tsx'
import { isOut } from './is-out.ts'
import { LimitedPanel } from './limited-panel.tsx'
import { LimitedStart } from './limited-start.tsx'
import { LimitedWaiting } from './limited-waiting.tsx'
import { RecoveryStanding } from './recovery-standing.tsx'
import { RelayWords } from './relay-words.tsx'
import { StartForm } from './start-form.tsx'
import { useDevices } from './use-devices.ts'
import { DevicesStanding } from './waiting-words.tsx'

/** The devices that the open vault is on. */
export default function DevicesPanel() {
  const { t } = useLingui()
  const { devices, state, failed } = useDevices()
  const [adding, setAdding] = useState(false)
  if (failed !== undefined) return <Failure error={failed} />
  if (!state) return <Progress label={t`Looking up your devices…`} value={null} />
  if (state.waitsWith) return <LimitedWaiting code={state.waitsWith} devices={devices} />
  if (state.limited) return <LimitedPanel limited={state.limited} devices={devices} />
  if (!state.isOn)
    return (
      <div className="flex flex-col gap-6">
        <StartForm devices={devices} />
        <LimitedStart devices={devices} />
      </div>
    )
  const { waitsFor, relay = '' } = state
  const canChange = !isOut(state) && waitsFor !== 'tab' && waitsFor !== 'unlock' && waitsFor !== 'unnamed'
  return (
    <div className="flex flex-col gap-6">
      <DevicesStanding state={state} onRetry={() => void devices.retry().catch(() => undefined)} />
      {state.devices.length > 0 ? (
        <ul
          aria-label={t`Your devices`}
          className={cx('flex flex-col', canChange && !adding && 'border-line border-b')}
        >
          {state.devices.map((device) => (
            <DeviceItem
              key={device.id}
              device={device}
              state={state}
              devices={devices}
              canChange={canChange}
            />
          ))}
        </ul>
      ) : null}
      {canChange && state.devices.length > 0 ? (
        adding ? (
          <AddDevice devices={devices} onDone={() => setAdding(false)} />
        ) : (
          <Button
            onClick={() => setAdding(true)}
            icon={<Plus className="size-4" aria-hidden />}
            className="self-start"
          >
            <Trans>Add a device</Trans>
          </Button>
        )
      ) : null}
      {canChange && state.devices.length > 0 ? <RecoveryStanding state={state} /> : null}
      {state.isRemoved ? null : (
        <Card level={3} title={t`Relay`}>
          <p className="text-ink-soft text-sm">
            <Trans>
              Your devices exchange encrypted records through{' '}
              <strong className="wrap-anywhere">{relay}</strong>.
            </Trans>{' '}
            <RelayWords knowsMethods={state.relayKnowsMethods} />
          </p>
        </Card>
      )}
    </div>
  )
}
