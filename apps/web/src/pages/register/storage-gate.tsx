import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { probeStorage } from './probe-storage.ts'

/** Finds out whether a vault can be saved here before anyone types a passphrase for it. */
export function StorageGate({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const [works, setWorks] = useState(true)
  const probe = useCallback(() => void probeStorage().then(setWorks), [])
  useEffect(probe, [probe])
  if (works) return children
  return (
    <Notice
      tone="bad"
      title={t`This browser can’t save a vault right now.`}
      actions={
        <Button size="small" onClick={probe}>
          <Trans>Try again</Trans>
        </Button>
      }
    >
      <Trans>
        Its storage for this site is off, full or broken. Allow this site to store data, leave private
        browsing, free space, or switch browsers.
      </Trans>
    </Notice>
  )
}
