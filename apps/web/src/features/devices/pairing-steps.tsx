import { devicesOf, type PairingCode } from '@keyhole/vault/devices'
import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { CopyButton } from '../../shared/ui/buttons/copy-button.tsx'
import { Spinner } from '../../shared/ui/buttons/spinner.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { TimeText } from '../../shared/ui/text/time-text.tsx'
import { Digits } from './digits.tsx'

const QrCode = lazy(() => import('../../shared/ui/sharing/qr-code.tsx'))

interface PairingStepsProps {
  title: string
  description: string
  /** What this device shows. */
  code: PairingCode
  /** Joins, once the digits were compared. */
  join: () => Promise<void>
  /** It was joined. */
  onJoined: () => void
  /** The person stopped, or begins again. Nothing was changed. */
  onStop: () => void
}

/** A new device, from its code to the moment it has joined: the code, six digits to compare, and the other device's word. */
export function PairingSteps({ title, description, code, join, onJoined, onStop }: PairingStepsProps) {
  const { t } = useLingui()
  const devices = devicesOf(useVault())
  const [digits, setDigits] = useState<string>()
  const wait = useAction(async () => setDigits(await devices.joiningDigits()))
  const joining = useAction(async () => {
    await join()
    onJoined()
  })
  const { run } = wait
  // Once, when the code is shown.
  const begun = useRef(false)
  useEffect(() => {
    if (!begun.current) run()
    begun.current = true
  }, [run])
  const stop = () => {
    void devices.cancelPairing().catch(() => undefined)
    onStop()
  }
  const failure = wait.error ?? joining.error
  if (failure !== undefined)
    return (
      <Card title={title}>
        <div className="flex flex-col items-start gap-4">
          <Failure error={failure} />
          <Button tone="primary" onClick={stop} autoFocus>
            <Trans>Start again</Trans>
          </Button>
        </div>
      </Card>
    )
  return (
    <Card
      title={title}
      description={description}
      actions={
        <Button size="small" tone="bare" onClick={stop}>
          <Trans>Stop</Trans>
        </Button>
      }
    >
      {joining.pending ? (
        <div className="flex flex-col gap-4">
          <p>
            <Trans>Now confirm on the other device.</Trans>
          </p>
          <Progress label={t`Waiting for the other device…`} value={null} />
        </div>
      ) : digits === undefined ? (
        <Code code={code} />
      ) : (
        <Digits digits={digits} onSame={() => joining.run()} onDiffer={stop} />
      )}
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
          <Trans>
            On a device that has the vault, open Settings, Devices. If you see “Use on several devices”, press
            that first.
          </Trans>
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
          It can be used once, and expires <TimeText at={expiresAt} />. If someone else sees it, they get
          nothing without you: both devices then show six digits.
        </Trans>
      </p>
      <Progress label={t`Waiting for the other device…`} value={null} />
    </div>
  )
}
