import type { KeyVault } from '@keyhole/vault'
import { type DeviceRole, readPairingText, type VaultDevices } from '@keyhole/vault/devices'
import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { RadioCards } from '../../shared/ui/fields/radio-cards.tsx'
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
  const [chosen, setChosen] = useState<DeviceRole>('full')
  const [pairing, setPairing] = useState<{ readonly digits: string; readonly did: string | undefined }>()
  const [asking, setAsking] = useState(false)
  const vault = useVault()
  const read = useAction(async (text: string) => {
    const { did, relay } = readPairingText(text)
    const digits = await devices.readPairingCode(text)
    // What was scanned says what the new device waits for.
    if (did !== undefined) setChosen('limited')
    else if (relay !== undefined) setChosen('full')
    setPairing({ digits, did })
  })
  const isLimited = chosen === 'limited'
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
      {pairing === undefined ? (
        <div className="flex max-w-prose flex-col gap-4">
          <RadioCards
            label={t`What kind of device`}
            value={chosen}
            onValueChange={setChosen}
            disabled={read.pending}
            options={[
              {
                value: 'full',
                label: t`Full`,
                note: t`Gets your keys, grants and contacts. It can do what you do here, but not pay from mandates made here.`,
              },
              {
                value: 'limited',
                label: t`Limited`,
                note: t`Keeps its own key and gets nothing from here. It can do only what you grant it.`,
              },
            ]}
          />
          <ol className="flex list-decimal flex-col gap-2 pl-5 text-sm">
            <li>
              <Trans>
                On the new device, open <strong>{host}</strong>.
              </Trans>
            </li>
            <li>
              {isLimited ? (
                <Trans>
                  Create a vault there, or open one. In its settings, choose “Devices”, then “Show a code for
                  a limited device”.
                </Trans>
              ) : (
                <Trans>Choose “Restore vault”, “Another device”, then “Show a code”.</Trans>
              )}
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
        <Digits digits={pairing.digits} onSame={() => setAsking(true)} onDiffer={onDone}>
          <TextField
            label={t`Name of the new device`}
            hint={t`All your devices show it. The relay can’t read it.`}
            maxLength={NAME_MAX}
            value={name}
            onValueChange={setName}
            className="self-stretch"
          />
          <ProveDialog
            open={asking}
            onOpenChange={setAsking}
            title={isLimited ? t`Add this limited device?` : t`Add this device?`}
            description={
              isLimited
                ? t`Confirm it’s you: the new device is listed here, and gets none of your keys, grants or contacts.`
                : t`Confirm it’s you: the new device gets your keys, grants and contacts, and can use them all.`
            }
            action={t`Add the device`}
            perform={async (proof) => {
              await devices.add({ proof, name, role: chosen })
              if (isLimited) {
                const isSaved = await saveContact(vault, name, pairing.did)
                announce(
                  t`Added`,
                  isSaved
                    ? t`It’s in your contacts now, so you can give it grants.`
                    : t`Save its key as a contact, so you can give it grants.`,
                )
              } else announce(t`Added`, t`The new device is getting your vault now.`)
              onDone()
            }}
          />
        </Digits>
      )}
    </Card>
  )
}

/** Saves a limited device's own key as a contact, by the device's name. @returns whether that was done */
async function saveContact(vault: KeyVault, name: string, did: string | undefined): Promise<boolean> {
  if (did === undefined || name.trim() === '') return false
  // The device was added. A contact can be saved by hand, also if its name is taken.
  return await vault.contacts.save({ name: name.trim(), kind: 'device', dids: [did] }).then(
    () => true,
    () => false,
  )
}
