import type { VaultDevices } from '@keyhole/vault/devices'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Form, FormEnd } from '../../shared/ui/layout/form.tsx'
import { ScanButton } from '../../shared/ui/sharing/scan-button.tsx'
import { ProveDialog } from '../../shared/unlock-proof/prove-dialog.tsx'
import { NAME_MAX } from './device-name.ts'
import { Digits } from './digits.tsx'

interface AddDeviceProps {
  devices: VaultDevices
  /** It was added, or the person stopped. */
  onDone: () => void
}

/** Adds a device: reads the code that it shows, compares the digits, and asks for a proof. */
export function AddDevice({ devices, onDone }: AddDeviceProps) {
  const { t } = useLingui()
  const [code, setCode] = useState('')
  const [name, setName] = useState('')
  const [digits, setDigits] = useState<string>()
  const [asking, setAsking] = useState(false)
  const read = useAction(async (text: string) => setDigits(await devices.readPairingCode(text)))
  // Whoever leaves has stopped.
  useEffect(() => () => void devices.cancelPairing().catch(() => undefined), [devices])
  const { host } = location
  return (
    <Card
      level={3}
      title={t`Add a device`}
      actions={
        <Button size="small" tone="bare" onClick={onDone}>
          <Trans>Stop</Trans>
        </Button>
      }
    >
      {digits === undefined ? (
        <div className="flex max-w-prose flex-col gap-4">
          <ol className="flex list-decimal flex-col gap-2 pl-5 text-sm">
            <li>
              <Trans>
                On the new device, open <strong>{host}</strong>.
              </Trans>
            </li>
            <li>
              <Trans>Choose “Restore”, then “Another device”. It shows a code.</Trans>
            </li>
            <li>
              <Trans>Scan the code here, or paste or type it.</Trans>
            </li>
          </ol>
          <Form onSubmit={() => read.run(code)}>
            <TextField
              label={t`The new device’s code`}
              mono
              autoFocus
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              disabled={read.pending}
              value={code}
              onValueChange={(text) => {
                setCode(text)
                read.clear()
              }}
              aside={
                <ScanButton
                  what={t`the new device’s code`}
                  onText={(text) => {
                    setCode(text)
                    read.run(text)
                  }}
                />
              }
            />
            <FormEnd
              action={read}
              disabled={code.trim() === ''}
              progress={
                read.pending ? <Progress label={t`Waiting for the new device…`} value={null} /> : null
              }
              onStop={() => void devices.cancelPairing().catch(() => undefined)}
            >
              <Trans>Continue</Trans>
            </FormEnd>
          </Form>
        </div>
      ) : (
        <Digits digits={digits}>
          <TextField
            label={t`Name of the new device`}
            hint={t`All your devices show it. The relay can’t read it.`}
            maxLength={NAME_MAX}
            value={name}
            onValueChange={setName}
            className="self-stretch"
          />
          <div className="flex flex-wrap gap-2">
            <Button tone="primary" onClick={() => setAsking(true)}>
              <Trans>They are the same</Trans>
            </Button>
            <Button onClick={onDone}>
              <Trans>They differ</Trans>
            </Button>
          </div>
          <ProveDialog
            open={asking}
            onOpenChange={setAsking}
            title={t`Add this device?`}
            description={t`Confirm it’s you: the new device gets your keys, grants and contacts, and can use them all.`}
            action={t`Add the device`}
            perform={async (proof) => {
              await devices.add({ proof, name })
              announce(t`Added`, t`The new device is getting your vault now.`)
              onDone()
            }}
          />
        </Digits>
      )}
    </Card>
  )
}
