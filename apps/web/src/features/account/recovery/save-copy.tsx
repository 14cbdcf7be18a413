import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Save } from 'lucide-react'
import { useState } from 'react'
import { announce } from '../../../shared/browser/announce.ts'
import { downloadFile } from '../../../shared/browser/download.ts'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'

/** Saves an account's second copy as a file, sealed as it is: nobody has to type anything. */
export function SaveCopy({ address }: { address: string }) {
  const { t } = useLingui()
  const vault = useVault()
  // No page learns whether a download was finished.
  const [saved, setSaved] = useState<string>()
  const save = useAction(async () => {
    setSaved(undefined)
    const { filename, file } = await vault.accounts.saveCopy(address)
    downloadFile(filename, file)
    announce(t`The download started`, filename)
    setSaved(filename)
  })
  return (
    <div className="mt-2 flex flex-col items-start gap-2">
      <Button
        size="small"
        onClick={() => save.run()}
        busy={save.pending}
        icon={<Save className="size-4" aria-hidden />}
      >
        <Trans>Save the copy as a file</Trans>
      </Button>
      <Failure error={save.error} />
      {saved ? (
        <p>
          <Trans>
            Look for <span className="break-all">{saved}</span> in your downloads. It’s encrypted: choose it
            under “Restore from a backup” in any browser, and unlock it as you did here.
          </Trans>
        </p>
      ) : null}
    </div>
  )
}
