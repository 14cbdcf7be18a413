import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { ScanLine } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { announce } from '../../browser/announce.ts'
import { Button } from '../buttons/button.tsx'
import { Spinner } from '../buttons/spinner.tsx'
import { Dialog } from '../dialogs/dialog.tsx'
import { Slow } from '../feedback/slow.tsx'

const Scanner = lazy(() => import('./scanner.tsx'))

interface ScanButtonProps {
  /** What is looked for: "a DID". */
  what: string
  onText: (text: string) => void
  /** The words on the button; "Scan" when left out. */
  label?: string
}

/** Reads a QR code by the camera or from a picture. Neither leaves this page, and the camera is off as soon as it closes. */
export function ScanButton({ what, onText, label }: ScanButtonProps) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const take = (text: string) => {
    setOpen(false)
    onText(text)
    const length = [...text].length
    announce(t`Code read`, plural(length, { one: '# character', other: '# characters' }))
  }
  return (
    <>
      <Button
        size="small"
        onClick={() => setOpen(true)}
        aria-label={t`Scan ${what}`}
        icon={<ScanLine className="size-4" aria-hidden />}
      >
        {label ?? <Trans>Scan</Trans>}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t`Scan ${what}`}
        description={t`The picture is read only in this tab. It isn’t sent or saved.`}
      >
        <Suspense
          fallback={
            <Slow>
              <p role="status" className="flex items-center justify-center gap-2 py-16 text-ink-soft">
                <Spinner /> <Trans>Getting ready…</Trans>
              </p>
            </Slow>
          }
        >
          <Scanner onText={take} />
        </Suspense>
      </Dialog>
    </>
  )
}
