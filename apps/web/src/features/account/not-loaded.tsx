import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans } from '@lingui/react/macro'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { explain } from '../../shared/words/explain-refusal.ts'

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
