import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'

/** What a tab shows whose place in an account was ended by another one: why, and the way back in. */
export default function EndedHere({ address }: { address: string }) {
  const { t } = useLingui()
  const vault = useVault()
  const heading = useRef<HTMLHeadingElement>(null)
  // What had the focus is gone with the page that was here.
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
            Another tab of this browser ended this one, so it has left your vault. Nothing was lost: the vault
            is where it was, and other tabs keep it as it is.
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
