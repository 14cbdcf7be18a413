import { Trans, useLingui } from '@lingui/react/macro'
import { QrCode as QrIcon } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../buttons/button.tsx'
import { CopyButton } from '../buttons/copy-button.tsx'
import { Spinner } from '../buttons/spinner.tsx'
import { Dialog } from '../dialogs/dialog.tsx'
import { Slow } from '../feedback/slow.tsx'
import { ShareButton } from './share-button.tsx'

const QrCode = lazy(() => import('./qr-code.tsx'))

interface QrButtonProps {
  text: string
  /** What the code holds: "the address". */
  what: string
  /** The words on the button; only an icon when left out. */
  label?: string
  /** Called once it is shown. */
  onTaken?: () => void
}

/** Shows a text as a QR code, for another machine's camera. */
export function QrButton({ text, what, label, onTaken }: QrButtonProps) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        tone={label ? 'quiet' : 'bare'}
        size="small"
        onClick={() => {
          setOpen(true)
          onTaken?.()
        }}
        aria-label={t`Show a QR code of ${what}`}
        className={label ? undefined : 'shrink-0 px-2 pointer-coarse:min-w-11'}
        icon={<QrIcon className="size-4" aria-hidden />}
      >
        {label}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t`QR code of ${what}`}
        description={t`Point the camera of another device at it.`}
      >
        <div className="flex flex-col gap-4">
          <Suspense
            fallback={
              <Slow>
                <p role="status" className="flex items-center justify-center gap-2 py-16 text-ink-soft">
                  <Spinner /> <Trans>Drawing the code…</Trans>
                </p>
              </Slow>
            }
          >
            <QrCode text={text} what={what} />
          </Suspense>
          <p className="max-h-24 overflow-y-auto break-all text-center font-mono text-ink-soft text-xs">
            {text}
          </p>
          <div className="flex flex-wrap justify-center gap-2">
            <CopyButton text={text} what={what} label={t`Copy`} />
            <ShareButton title={what} text={text} />
          </div>
        </div>
      </Dialog>
    </>
  )
}
