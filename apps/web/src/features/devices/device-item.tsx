import type { DevicesState, KnownDevice, VaultDevices } from '@keyhole/vault/devices'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx'
import { DialogEnd } from '../../shared/ui/dialogs/dialog-end.tsx'
import { Badge } from '../../shared/ui/feedback/badge.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { Form } from '../../shared/ui/layout/form.tsx'
import { TimeText } from '../../shared/ui/text/time-text.tsx'
import { ProveDialog } from '../../shared/unlock-proof/prove-dialog.tsx'
import { NAME_MAX } from './device-name.ts'
import { isOut } from './is-out.ts'

interface DeviceItemProps {
  device: KnownDevice
  state: DevicesState
  devices: VaultDevices
  /** Whether devices can be named and removed from here now. */
  canChange: boolean
}

/** One of the vault's devices: its name, when it was last heard of, and what can be done with it. */
export function DeviceItem({ device, state, devices, canChange }: DeviceItemProps) {
  const { t } = useLingui()
  const [naming, setNaming] = useState(false)
  const [removing, setRemoving] = useState(false)
  // A clock that is ahead, or one minute to the next.
  const now = useNow()
  const { id, isThis, lastHeard, isLimited = false } = device
  const end = id.slice(-4)
  const name = device.name ?? t`Unnamed device (…${end})`
  return (
    <li className="flex flex-col gap-3 border-line border-t py-4">
      <div className="flex items-start gap-3">
        <MonitorSmartphone className="mt-0.5 size-5 shrink-0 text-ink-soft" aria-hidden />
        <div className="min-w-0">
          <p className="wrap-anywhere flex flex-wrap items-center gap-2 font-semibold">
            {name}
            {isThis ? (
              <Badge tone="good">
                <Trans>This device</Trans>
              </Badge>
            ) : null}
            {isLimited ? (
              <Badge>
                <Trans>Limited</Trans>
              </Badge>
            ) : null}
          </p>
          <p className="text-ink-faint text-sm">
            {isThis ? (
              <OwnStanding state={state} />
            ) : isLimited ? (
              <>
                {lastHeard === undefined ? (
                  <>
                    <Trans>Not heard from yet. It may run an older version, or adding it failed.</Trans>{' '}
                  </>
                ) : null}
                <Trans>It has its own key, and none of this vault’s. It can do only what you grant it.</Trans>
              </>
            ) : lastHeard === undefined ? (
              <Trans>Not heard from yet. If adding it failed, remove it.</Trans>
            ) : (
              <Trans>
                Last heard from <TimeText at={Math.min(lastHeard, now)} />, by that device’s clock
              </Trans>
            )}
          </p>
        </div>
      </div>
      {canChange ? (
        <div className="flex flex-wrap gap-2">
          <Button size="small" onClick={() => setNaming(true)} aria-label={t`Rename ${name}`}>
            <Trans>Rename</Trans>
          </Button>
          {isThis ? null : (
            <Button size="small" tone="bare" onClick={() => setRemoving(true)} aria-label={t`Remove ${name}`}>
              <Trans>Remove</Trans>
            </Button>
          )}
        </div>
      ) : null}
      <Dialog open={naming} onOpenChange={setNaming} title={t`Rename ${name}`}>
        <NameForm device={device} devices={devices} onDone={() => setNaming(false)} />
      </Dialog>
      <ProveDialog
        open={removing}
        onOpenChange={setRemoving}
        title={t`Remove ${name}?`}
        description={
          isLimited ? (
            <Trans>
              It never had this vault’s keys. What you granted to its key still works until it expires: revoke
              those grants too.
            </Trans>
          ) : (
            <>
              <Trans>
                It keeps what it has, including this vault’s keys. Anyone who can unlock it can still sign
                with them.
              </Trans>{' '}
              <Trans>
                From now on it gets nothing new. If it’s lost or stolen, revoke your grants too, and use a new
                key.
              </Trans>
            </>
          )
        }
        action={t`Remove the device`}
        tone="danger"
        perform={async (proof) => {
          await devices.remove({ device: id, proof })
          announce(t`Removed`, t`${name} gets nothing new from now on.`)
        }}
      />
    </li>
  )
}

/** How far this device is. */
function OwnStanding({ state }: { state: DevicesState }) {
  const { toSend, tooLong, missing, untold = 0, unread = 0 } = state
  return (
    <>
      {toSend > 0 && isOut(state) ? (
        <Plural value={toSend} one="# change was not sent." other="# changes were not sent." />
      ) : toSend > 0 ? (
        <Plural
          value={toSend}
          one="# change hasn’t been sent yet."
          other="# changes haven’t been sent yet."
        />
      ) : (
        <Trans>Everything has been sent.</Trans>
      )}
      {missing > 0 ? (
        <>
          {' '}
          <Plural
            value={missing}
            one="# change of another device hasn’t arrived."
            other="# changes of other devices haven’t arrived."
          />
        </>
      ) : null}
      {unread > 0 ? (
        <>
          {' '}
          <Trans>
            Keys or unlock methods that another device changed can’t be read here yet. Open Keyhole on that
            device. If you lost it, remove it here.
          </Trans>
        </>
      ) : null}
      {untold > 0 ? (
        <>
          {' '}
          <Plural
            value={untold}
            one="The relay doesn’t know yet that # device was removed."
            other="The relay doesn’t know yet that # devices were removed."
          />
        </>
      ) : null}
      {tooLong > 0 ? (
        <>
          {' '}
          <Plural
            value={tooLong}
            one="# change is too long to be sent and stays here."
            other="# changes are too long to be sent and stay here."
          />
        </>
      ) : null}
    </>
  )
}

interface NameFormProps {
  device: KnownDevice
  devices: VaultDevices
  onDone: () => void
}

function NameForm({ device, devices, onDone }: NameFormProps) {
  const { t } = useLingui()
  const [name, setName] = useState(device.name ?? '')
  const rename = useAction(async () => {
    await devices.rename(device.id, name)
    announce(t`Renamed`, name.trim())
    onDone()
  })
  return (
    <Form onSubmit={rename.run}>
      <TextField
        label={t`Name`}
        hint={t`All your devices show it. The relay can’t read it.`}
        maxLength={NAME_MAX}
        value={name}
        onValueChange={setName}
        autoFocus
      />
      <DialogEnd action={rename}>
        <Trans>Save the name</Trans>
      </DialogEnd>
    </Form>
  )
}
