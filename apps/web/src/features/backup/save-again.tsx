import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { announce } from '../../shared/browser/announce.ts'
import { downloadFile } from '../../shared/browser/download.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'

interface SaveAgainProps {
  filename: string
  file: Blob
}

/** Saves a backup file once more, since a download can be cancelled and no page learns of it. */
export function SaveAgain({ filename, file }: SaveAgainProps) {
  const { t } = useLingui()
  return (
    <Button
      className="self-start"
      onClick={() => {
        downloadFile(filename, file)
        announce(t`The download started again`, filename)
      }}
      icon={<Download className="size-4" aria-hidden />}
    >
      <Trans>Save it again</Trans>
    </Button>
  )
}
