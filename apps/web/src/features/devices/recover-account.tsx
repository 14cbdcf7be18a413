import { devicesOf } from '@keyhole/vault/devices'
import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useAction } from '../../shared/hooks/use-action.ts'
import { ownRelay } from '../../shared/relay/own-relay.ts'
import { buttonClass } from '../../shared/ui/buttons/button-class.ts'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { PassphraseField } from '../../shared/ui/fields/passphrase-field.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Form, FormEnd } from '../../shared/ui/layout/form.tsx'
import { ScanButton } from '../../shared/ui/sharing/scan-button.tsx'
import { OnThisDevice } from './on-this-device.tsx'

interface RecoverAccountProps {
  /** Whether the vault has come to this device. */
  isDone: boolean
  onDone: () => void
}

/** Opens a vault that was kept on several devices by its recovery code, from this site's relay. */
export default function RecoverAccount({ isDone, onDone }: RecoverAccountProps) {
  const { t } = useLingui()
  const devices = devicesOf(useVault())
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  const open = useAction(async (code: string) => {
    await devices.recover({ code, relay: ownRelay() })
    onDone()
  })
  const stop = () => void devices.cancelPairing().catch(() => undefined)
  // Whoever leaves takes the code's keys along.
  useEffect(() => () => void devices.cancelPairing().catch(() => undefined), [devices])
  const { host } = location
  if (isDone) return <Opened />
  const submit = () => {
    const code = input.current?.value ?? ''
    if (code.trim() === '') setProblem(t`Type the code from your sheet.`)
    else open.run(code)
  }
  const changed = () => {
    setProblem(undefined)
    open.clear()
  }
  return (
    <Card
      title={t`With the code alone`}
      description={t`If the vault was on several devices when you created the code, the code is enough. ${host} stores an encrypted copy.`}
    >
      <Form onSubmit={submit}>
        <PassphraseField
          label={t`Recovery code`}
          hint={t`Capitals, spaces and hyphens don’t matter.`}
          inputRef={input}
          autoComplete="off"
          disabled={open.pending}
          what={t`recovery code`}
          error={problem}
          onValueChange={changed}
          aside={
            <ScanButton
              what={t`the recovery code`}
              onText={(text) => {
                if (input.current) input.current.value = text
                changed()
              }}
            />
          }
        />
        <FormEnd
          action={open}
          progress={open.pending ? <Progress label={t`Looking for your vault…`} value={null} /> : null}
          onStop={stop}
        >
          <Trans>Open the vault</Trans>
        </FormEnd>
      </Form>
    </Card>
  )
}

function Opened() {
  const unlocks = (
    <Trans>
      It unlocks here with the recovery code, the passphrase, or a passkey that this device has too. You can
      use the code again.
    </Trans>
  )
  return (
    <OnThisDevice unlocks={unlocks}>
      <p className="text-ink-soft text-sm">
        <Trans>Remove the devices you lost, so they get nothing new.</Trans>{' '}
        <Trans>
          They keep your keys: if someone could unlock one, revoke your grants too, and use a new key.
        </Trans>
      </p>
      <div className="flex flex-wrap gap-2">
        <Link to="/identity" search={{ tab: 'devices' }} className={buttonClass('primary')}>
          <Trans>See your devices</Trans>
        </Link>
        <Link to="/" className={buttonClass()}>
          <Trans>Go to your vault</Trans>
        </Link>
      </div>
    </OnThisDevice>
  )
}
