import type { UnlockMethod } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Term } from '../../shared/glossary/term.tsx'
import { useCanUsePasskeys } from '../../shared/hooks/use-can-use-passkeys.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Spinner } from '../../shared/ui/buttons/spinner.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { useMethods } from '../../shared/unlock-proof/use-methods.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { UNLOCKING } from '../../shared/words/unlock-kinds.ts'
import { AddPasskey } from './add-passkey.tsx'
import { MethodItem } from './method-item.tsx'

/** Everything that opens this vault: add a passkey, name, remove. */
export function MethodsCard() {
  const { t } = useLingui()
  const lacking = useCanUsePasskeys() ? undefined : t`Passkeys can’t unlock a vault in this browser.`
  const why = whyFixed(useVaultSnapshot()) ?? lacking
  const { methods, failed } = useMethods()
  const [adding, setAdding] = useState(false)
  return (
    <Card
      title={t`Ways to unlock`}
      description={
        <>
          <Trans>
            Any one of these opens your vault. Have at least two, in case you lose a device or forget your
            passphrase.
          </Trans>{' '}
          <Term of="unlockMethod">
            <Trans>What’s an unlock method?</Trans>
          </Term>
        </>
      }
      actions={
        <Button
          size="small"
          why={why}
          disabled={methods === undefined}
          onClick={() => setAdding(true)}
          icon={<Plus className="size-4" aria-hidden />}
        >
          <Trans>Add a passkey</Trans>
        </Button>
      }
    >
      <Failure error={failed} />
      {methods === undefined ? (
        failed === undefined ? (
          <p role="status" className="flex items-center gap-2 text-ink-soft text-sm">
            <Spinner /> <Trans>Loading…</Trans>
          </p>
        ) : null
      ) : (
        <ul className="flex flex-col">
          {sorted(methods).map((method) => (
            <MethodItem key={method.id} method={method} methods={methods} />
          ))}
        </ul>
      )}
      {lacking === undefined ? null : <p className="text-ink-soft text-sm">{lacking}</p>}
      <AddPasskey open={adding} onOpenChange={setAdding} known={methods ?? []} />
    </Card>
  )
}

function sorted(methods: readonly UnlockMethod[]): UnlockMethod[] {
  return methods.toSorted(
    (a, b) => UNLOCKING.indexOf(a.kind) - UNLOCKING.indexOf(b.kind) || a.createdAt - b.createdAt,
  )
}
