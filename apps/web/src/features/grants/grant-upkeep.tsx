import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { setDraft } from '../../shared/hooks/drafts.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { isNeeded } from '../../shared/relay/still-needed.ts'
import { isGiven } from '../../shared/tokens/capability.ts'
import { CHECK_DRAFT } from '../../shared/tokens/check-draft.ts'
import type { ListedToken } from '../../shared/tokens/use-tokens.ts'
import { Button, buttonClass } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'

interface GrantUpkeepProps {
  stored: ListedToken
  /** Whether it has expired, or it or what it came from was revoked. */
  over: boolean
  /** Called once it is removed from this vault. */
  onRemoved: () => void
}

/** Checks a stored token, or removes it from this vault. */
export function GrantUpkeep({ stored, over, onRemoved }: GrantUpkeepProps) {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const { address } = snapshot
  const [waits, setWaits] = useState(false)
  const remove = useAction(async () => {
    const { id } = stored
    const needed = stored.revoked && address !== undefined && (await isNeeded(address, stored))
    setWaits(needed)
    if (needed) return
    await vault.tokens.remove(id)
    onRemoved()
    announce(
      t`Removed from this vault`,
      isGiven(stored) && !stored.revoked
        ? t`Its holder can still use it until it expires. To end it now, revoke it instead.`
        : t`Its text and its name are gone from here.`,
      { undo: () => vault.tokens.restore(id) },
    )
  })
  return (
    <>
      <Failure error={remove.error} />
      {waits ? (
        <Notice tone="warn" title={t`Your relay doesn’t have its revocation yet`}>
          <Trans>Keyhole needs this text to send it. You can remove it as soon as your relay has it.</Trans>
        </Notice>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Link
          to="/identity"
          search={{ tab: 'check' }}
          onClick={() => setDraft(CHECK_DRAFT, stored.token)}
          className={buttonClass('quiet', 'small')}
        >
          <Trans>Check it</Trans>
        </Link>
        <Button
          size="small"
          tone="bare"
          why={whyFixed(snapshot)}
          onClick={() => remove.run()}
          busy={remove.pending}
        >
          <Trans>Remove from this vault</Trans>
        </Button>
      </div>
      {isGiven(stored) && !over ? (
        <p className="text-ink-soft text-sm">
          <Trans>Removing it doesn’t revoke it: its holder can use it until it expires.</Trans>
        </p>
      ) : null}
    </>
  )
}
