import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { LifeBuoy } from 'lucide-react'
import { useState } from 'react'
import { Term } from '../../shared/glossary/term.tsx'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { buttonClass } from '../../shared/ui/buttons/button-class.ts'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { ProveDialog } from '../../shared/unlock-proof/prove-dialog.tsx'
import { forgetUnconfirmedCode } from '../../shared/unlock-proof/unconfirmed-code.ts'
import { useMethods } from '../../shared/unlock-proof/use-methods.ts'
import { useUnconfirmedCode } from '../../shared/unlock-proof/use-unconfirmed-code.ts'
import { useCodeOpens } from '../../shared/vault/code-opens.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { ConfirmRecoveryCode } from './confirm-recovery-code.tsx'

/** The way back for someone who lost the others: makes a code, shows it once, and asks for it back. */
export function RecoveryCodeCard() {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const { address } = snapshot
  const unconfirmed = useUnconfirmedCode() === 'unconfirmed'
  const { methods } = useMethods()
  const opens = useCodeOpens()
  const [asking, setAsking] = useState(false)
  const [code, setCode] = useState<string>()
  const [confirmed, setConfirmed] = useState(false)
  const has = methods?.some(({ kind }) => kind === 'recovery_code') ?? false
  return (
    <Card
      title={has || code !== undefined ? t`The recovery code` : t`Create a recovery code`}
      description={
        <>
          {opens ? (
            <Trans>It unlocks this vault if you forget your passphrase, and opens it on a new device.</Trans>
          ) : (
            <Trans>
              It unlocks this vault if you forget your passphrase, and opens backups on a new device.
            </Trans>
          )}{' '}
          <Term of="recoveryCode">
            <Trans>What’s a recovery code?</Trans>
          </Term>
        </>
      }
    >
      {code !== undefined ? (
        <ConfirmRecoveryCode
          code={code}
          onConfirmed={() => {
            if (address !== undefined) forgetUnconfirmedCode(address)
            // What fails is raised by the vault, and it is asked for again.
            void vault.unlockMethods.confirmRecoveryCode().catch(() => undefined)
            setCode(undefined)
            setConfirmed(true)
          }}
        />
      ) : (
        <div className="flex flex-col items-start gap-4">
          {confirmed ? (
            <Notice
              tone="good"
              title={t`The recovery code is saved.`}
              actions={
                <Link to="/identity" search={{ tab: 'backup' }} className={buttonClass('quiet', 'small')}>
                  <Trans>Create a new backup</Trans>
                </Link>
              }
            >
              <Trans>Backups that you create from now on open with it too. Older ones don’t.</Trans>
            </Notice>
          ) : has && unconfirmed ? (
            <Notice
              tone="warn"
              title={t`You haven’t confirmed that you saved your recovery code.`}
              className="self-stretch"
            >
              <Trans>It can’t be shown again. Create a new one to replace it.</Trans>
            </Notice>
          ) : has ? (
            <p className="text-ink-soft text-sm">
              <Trans>
                You have one, and can’t see it again. If you create a new one, the old one opens only old
                backups, and other devices until they sync.
              </Trans>
            </p>
          ) : null}
          <Button
            why={whyFixed(snapshot)}
            disabled={methods === undefined}
            onClick={() => setAsking(true)}
            icon={<LifeBuoy className="size-4" aria-hidden />}
          >
            {has ? <Trans>Create a new one</Trans> : <Trans>Create a recovery code</Trans>}
          </Button>
        </div>
      )}
      <ProveDialog
        open={asking}
        onOpenChange={setAsking}
        title={has ? t`Create a new recovery code` : t`Create a recovery code`}
        description={t`Confirm it’s you: anyone who sees the code can open this vault.`}
        action={t`Show the code`}
        perform={async (proof) => {
          const made = await vault.unlockMethods.newRecoveryCode(proof)
          setConfirmed(false)
          setCode(made)
        }}
      />
    </Card>
  )
}
