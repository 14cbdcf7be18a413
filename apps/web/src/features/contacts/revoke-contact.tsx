import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { useTokenPage } from '../../shared/tokens/use-tokens.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { explainText } from '../../shared/words/refusal.ts'
import { revokeAll } from './revoke-all.ts'

interface RevokeContactProps {
  /** The contact's name, in words. */
  name: string
  dids: readonly string[]
}

/** Revokes all that a contact holds of this account, after saying how much that is. Nothing where it holds nothing. */
export function RevokeContact({ name, dids }: RevokeContactProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { phase, fromCopy } = useVaultSnapshot()
  const [isOpen, setOpen] = useState(false)
  const [progress, setProgress] = useState<number>()
  const { total } = useTokenPage({ list: 'given', live: true, people: dids, limit: 1 })
  if (total === 0 && !isOpen) return null
  const revoke = async () => {
    try {
      const count = await revokeAll(vault, dids, Date.now(), (done, of) =>
        setProgress(Math.floor((100 * done) / of)),
      )
      announce(
        t`${plural(count, { one: '# grant revoked', other: '# grants revoked' })}`,
        t`Now send the revocations to every service that accepts these grants.`,
      )
    } finally {
      setProgress(undefined)
    }
  }
  return (
    <>
      <Button
        size="small"
        tone="danger"
        disabled={phase !== 'unlocked' || fromCopy === true}
        onClick={() => setOpen(true)}
      >
        <Trans>Revoke everything…</Trans>
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t`Revoke everything for ${name}?`}
        phrase={t`revoke`}
        action={t`Revoke everything`}
        explain={explainText}
        onConfirm={revoke}
      >
        <p>
          <Plural
            value={total}
            one="# active grant will be revoked."
            other="# active grants will be revoked."
          />{' '}
          <Trans>Anyone they passed it on to loses it too. You can’t undo this.</Trans>
        </p>
        <p>
          <Trans>
            A service that hasn’t received a revocation, or works offline, still accepts the grant.
          </Trans>
        </p>
        {progress === undefined ? null : <Progress label={t`Revoking…`} value={progress} />}
      </ConfirmDialog>
    </>
  )
}
