import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans } from '@lingui/react/macro'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { useAction } from '../common/use-action.ts'
import { explain } from '../words/refusal.ts'

/** When the engine or the storage did not start: what happened, and another try. */
export function NotLoaded() {
  const vault = useVault()
  const { error } = useVaultSnapshot()
  const again = useAction(() => vault.initialize())
  const words = explain(again.error ?? error)
  return (
    <Notice
      tone="bad"
      title={words.title}
      actions={
        <Button size="small" onClick={() => again.run()} busy={again.pending}>
          <Trans>Try again</Trans>
        </Button>
      }
    >
      {words.advice}
    </Notice>
  )
}
