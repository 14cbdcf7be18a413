import { devicesOf, type PairingCode } from '@keyhole/vault/devices'
import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useAction } from '../../shared/hooks/use-action.ts'
import { ownRelay } from '../../shared/relay/own-relay.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { buttonClass } from '../../shared/ui/buttons/button-class.ts'
import { CopyButton } from '../../shared/ui/buttons/copy-button.tsx'
import { Spinner } from '../../shared/ui/buttons/spinner.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { TimeText } from '../../shared/ui/text/time-text.tsx'
import { Digits } from './digits.tsx'
import { OnThisDevice } from './on-this-device.tsx'

const QrCode = lazy(() => import('../../shared/ui/sharing/qr-code.tsx'))

type Step =
  | { readonly at: 'start' }
  | { readonly at: 'code'; readonly code: PairingCode }
  | { readonly at: 'digits'; readonly digits: string }
  | { readonly at: 'joining' }
  | { readonly at: 'done' }

/** Adds this device to a vault that another one has: shows a code, then digits to compare. */
export default function JoinDevice() {
  const { t } = useLingui()
  const vault = useVault()
  const devices = devicesOf(vault)
  const [step, setStep] = useState<Step>({ at: 'start' })
  const wait = useAction(async () => setStep({ at: 'digits', digits: await devices.joiningDigits() }))
  const begin = useAction(async () => {
    wait.clear()
    join.clear()
    setStep({ at: 'code', code: await devices.beginJoining({ relay: ownRelay() }) })
    wait.run()
  })
  const join = useAction(async () => {
    setStep({ at: 'joining' })
    await devices.join()
    setStep({ at: 'done' })
  })
  const stop = () => {
    void devices.cancelPairing().catch(() => undefined)
    setStep({ at: 'start' })
  }
  // Whoever leaves has stopped.
  useEffect(() => () => void devices.cancelPairing().catch(() => undefined), [devices])
  if (step.at === 'done') return <Joined />
  // Stopping ends what waits, which is no failure.
  const failure = step.at === 'start' ? undefined : (wait.error ?? join.error)
  if (failure !== undefined)
    return (
      <Card title={t`Add this device`}>
        <div className="flex flex-col items-start gap-4">
          <Failure error={failure} />
          <Button tone="primary" onClick={stop} autoFocus>
            <Trans>Begin again</Trans>
          </Button>
        </div>
      </Card>
    )
  return (
    <Card
      title={t`Add this device`}
      description={t`It gets a vault from another device of yours: its keys, grants and contacts.`}
      actions={
        step.at === 'start' ? undefined : (
          <Button size="small" tone="bare" onClick={stop}>
            <Trans>Stop</Trans>
          </Button>
        )
      }
    >
      {step.at === 'start' ? (
        <div className="flex flex-col items-start gap-4">
          <Failure error={begin.error} />
          <Button tone="primary" onClick={() => begin.run()} busy={begin.pending}>
            <Trans>Show a code</Trans>
          </Button>
        </div>
      ) : null}
      {step.at === 'code' ? <Code code={step.code} /> : null}
      {step.at === 'digits' ? (
        <Digits digits={step.digits}>
          <div className="flex flex-wrap gap-2">
            <Button tone="primary" onClick={() => join.run()}>
              <Trans>They are the same</Trans>
            </Button>
            <Button onClick={stop}>
              <Trans>They differ</Trans>
            </Button>
          </div>
        </Digits>
      ) : null}
      {step.at === 'joining' ? (
        <div className="flex flex-col gap-4">
          <p>
            <Trans>Now confirm on the other device.</Trans>
          </p>
          <Progress label={t`Waiting for the other device…`} value={null} />
        </div>
      ) : null}
    </Card>
  )
}

/** The code, for the other device's camera or keyboard. */
function Code({ code: { text, code, expiresAt } }: { code: PairingCode }) {
  const { t } = useLingui()
  const start = useRef<HTMLDivElement>(null)
  // The button that had the focus is gone.
  useEffect(() => start.current?.focus(), [])
  return (
    <div ref={start} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      <ol className="flex list-decimal flex-col gap-2 pl-5 text-sm">
        <li>
          <Trans>On a device that has the vault, open Settings, Devices.</Trans>
        </li>
        <li>
          <Trans>Choose “Add a device”, and scan this code or type it.</Trans>
        </li>
      </ol>
      <Suspense
        fallback={
          <p role="status" className="flex items-center justify-center gap-2 py-16 text-ink-soft">
            <Spinner /> <Trans>Drawing the code…</Trans>
          </p>
        }
      >
        <QrCode text={text} what={t`the code of this device`} />
      </Suspense>
      <div className="flex flex-wrap items-center gap-2">
        <output className="wrap-anywhere font-mono text-lg" aria-label={t`The code of this device`}>
          {code}
        </output>
        <CopyButton text={text} what={t`the code of this device`} label={t`Copy`} />
      </div>
      <p className="text-ink-soft text-sm">
        <Trans>
          It can be used once, and ends <TimeText at={expiresAt} />. If someone else sees it, they get nothing
          without you: both devices then show six digits.
        </Trans>
      </p>
      <Progress label={t`Waiting for the other device…`} value={null} />
    </div>
  )
}

function Joined() {
  const unlocks = (
    <Trans>
      It unlocks here as on your other devices. Use the passphrase, the recovery code, or a passkey that this
      device has too.
    </Trans>
  )
  return (
    <OnThisDevice unlocks={unlocks}>
      <Link to="/" className={buttonClass('primary')}>
        <Trans>Go to your vault</Trans>
      </Link>
    </OnThisDevice>
  )
}
