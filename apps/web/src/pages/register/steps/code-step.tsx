import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { codeSaved, skipCode } from '../../../features/account/setup.ts'
import { ConfirmRecoveryCode } from '../../../features/unlock/confirm-recovery-code.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { SkipStep } from './skip-step.tsx'

/** The recovery code of a new vault, until it is saved or skipped. */
export function CodeStep({ code }: { code: string }) {
  const { t } = useLingui()
  const vault = useVault()
  return (
    <Card
      title={t`Save your recovery code`}
      description={t`If you forget your passphrase, it unlocks this vault. On a new device, it opens your backup file.`}
    >
      <div className="flex flex-col gap-6">
        <ConfirmRecoveryCode code={code} onConfirmed={() => codeSaved(vault)} />
        <SkipStep onSkip={() => skipCode(true)}>
          <Trans>
            Without it, you lose this vault if you can’t unlock it any other way. If you skip it, the backup
            file is skipped too.
          </Trans>
        </SkipStep>
      </div>
    </Card>
  )
}
