import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'

/** Shown in a tab that another tab has signed out of an account: why, and how to get back in. */
export default function EndedHere({ address }: { address: string }) {
  const { t } = useLingui()
  const vault = useVault()
  const heading = useRef<HTMLHeadingElement>(null)
  // The page that had the focus is gone.
  useEffect(() => heading.current?.focus(), [])
  const open = useAction(() => vault.accounts.open(address))
  return (
    <Card>
      <div className="flex flex-col items-start gap-4" role="alert">
        <h1 ref={heading} tabIndex={-1} className="font-semibold text-2xl outline-none">
          <Trans>This tab was ended</Trans>
        </h1>
        <p className="max-w-prose text-ink-soft">
          <Trans>
            Another tab ended this one, so it left your vault. Nothing was lost: the vault and your other tabs
            are as they were.
          </Trans>
        </p>
        <DidText text={address} what={t`your address`} />
        <Failure error={open.error} />
        <Button tone="primary" onClick={() => open.run()} busy={open.pending}>
          <Trans>Open the vault here again</Trans>
        </Button>
      </div>
    </Card>
  )
}
